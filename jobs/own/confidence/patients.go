package confidence

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/jobs/own/learning"
)

// Patients are groups of samples. Half-samples and permutations never separate the samples of a patient.
type patients struct {
	rows  [][]int   // samples of each patient; without patients, each sample is a patient
	sizes [][]int   // patients grouped by their number of samples, ascending
	y     []float64 // labels, or for times the residuals of the model with only covariates
	class []float64 // class of each sample; see learning.Split.Class
}

func newPatients(whole *learning.Split) *patients {
	b := &whole.Train
	p := &patients{y: b.Y}
	if learning.OutcomeOf(whole.Loss) == learning.Times {
		p.y = whole.Rest()
	}
	for i := range b.Y {
		p.class = append(p.class, whole.Class(i))
	}
	for i, k := range learning.Units(b) {
		p.rows = append(p.rows, make([][]int, max(0, int(k)+1-len(p.rows)))...)
		p.rows[k] = append(p.rows[k], i)
	}
	none := func(list []int) bool { return len(list) == 0 }
	p.rows = slices.DeleteFunc(p.rows, none)
	bySize := make([][]int, len(b.Y)+1)
	for k, rows := range p.rows {
		bySize[len(rows)] = append(bySize[len(rows)], k)
	}
	p.sizes = slices.DeleteFunc(bySize, none)
	return p
}

// permute returns a permutation: sample i gets the values of sample from[i]. A patient gets the samples of a random
// patient with the same number of samples. If there is no other such patient, a patient with a similar number provides
// the samples, and some samples may repeat.
func (p *patients) permute(rng *rand.Rand) []int {
	from := make([]int, len(p.y))
	take := func(to, of int) {
		rows := slices.Clone(p.rows[of])
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for k, i := range p.rows[to] {
			from[i] = rows[k%len(rows)]
		}
	}
	for k, alike := range p.sizes {
		if len(alike) == 1 && len(p.sizes) > 1 {
			near := p.sizes[max(k-1, 0)]
			size := func(k int) int { return len(p.rows[p.sizes[k][0]]) }
			if k == 0 || k+1 < len(p.sizes) && size(k+1)-size(k) < size(k)-size(k-1) {
				near = p.sizes[k+1]
			}
			take(alike[0], near[rng.IntN(len(near))])
			continue
		}
		for i, to := range rng.Perm(len(alike)) {
			take(alike[to], alike[i])
		}
	}
	return from
}

// balanced draws several permutations. It returns the permutation whose labels correlate least with the original
// labels, so that decoys do not inherit their features' relation to the label.
func (p *patients) balanced(rng *rand.Rand) []int {
	const tries = 200
	mean := stat.Mean(p.y, nil)
	var best []int
	least := math.Inf(1)
	for range tries {
		from, sum := p.permute(rng), 0.0
		for i, k := range from {
			sum += (p.y[i] - mean) * (p.y[k] - mean)
		}
		if math.Abs(sum) < least {
			best, least = from, math.Abs(sum)
		}
	}
	return best
}

// halves returns pairs of complementary halves of the samples. Each half has half of the patients of each class. A
// patient has the class of most of its samples. Patients with equally many samples of both classes form a third class.
// For times, an event is the positive class. For numbers, there is one class.
func (p *patients) halves(rng *rand.Rand, pairs int) [][]int {
	var halves [][]int
	half := make([]int, len(p.y)) // 0 or 1, by sample
	for range pairs {
		next := map[int]int{}
		for _, k := range rng.Perm(len(p.rows)) {
			sum := 0.0
			for _, i := range p.rows[k] {
				sum += p.class[i]
			}
			class := cmp.Compare(sum, 0)
			for _, i := range p.rows[k] {
				half[i] = next[class]
			}
			next[class] = 1 - next[class]
		}
		pair := make([][]int, 2)
		for _, i := range rng.Perm(len(p.y)) { // learning needs a random order
			pair[half[i]] = append(pair[half[i]], i)
		}
		halves = append(halves, pair...)
	}
	return halves
}
