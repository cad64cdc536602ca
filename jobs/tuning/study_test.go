package tuning

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/simulate"
	"graphda/learners"
)

// TestConfidenceStudy counts the false features that the control of errors lets through, where the truth is
// known: the table of docs/confidence.md. GRAPHDA_STUDY names a file that it adds what it has counted to, a
// line for every trial of a setting; one that is there is not counted again. It takes core-hours.
func TestConfidenceStudy(t *testing.T) {
	path := os.Getenv("GRAPHDA_STUDY")
	if path == "" {
		t.Skip("takes core-hours: make confidence-study runs it")
	}
	trials := 20
	if n, err := strconv.Atoi(os.Getenv("GRAPHDA_STUDY_TRIALS")); err == nil {
		trials = n
	}
	done := readStudy(t, path)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	must(t, err)
	defer file.Close()
	only := os.Getenv("GRAPHDA_STUDY_ONLY")
	for trial := range trials {
		for _, s := range studied() {
			if _, ok := done[s.name][trial]; ok || only != "" && !strings.Contains(s.name, only) {
				continue
			}
			whole, truth := s.draw(t, trial)
			if whole == nil {
				continue // its raw files are not here
			}
			counts := s.count(t, trial, whole, truth)
			line := []string{s.name, strconv.Itoa(trial)}
			for _, c := range counts {
				line = append(line, strconv.Itoa(c))
			}
			_, err := fmt.Fprintln(file, strings.Join(line, ","))
			must(t, err)
			if done[s.name] == nil {
				done[s.name] = map[int][]int{}
			}
			done[s.name][trial] = counts
		}
	}
	t.Log("\n" + studyTable(done))
}

// A studied setting draws samples whose true features are known.
type studiedSetting struct {
	name string
	s    int
	loss learners.Loss
	// draw returns the samples of a trial and tells which features are true; nil if it can not.
	draw func(t *testing.T, trial int) (whole *split, truth []bool)
}

// A rule keeps features of the contrasts of each draw of decoys.
type rule struct {
	name string
	keep func(draws [][]float64) []int
}

func rules() []rule {
	of := func(draws [][]float64, keep func([]float64) []int) []int {
		counts := map[int]int{}
		for _, contrasts := range draws {
			for _, j := range keep(contrasts) {
				counts[j]++
			}
		}
		var kept []int
		for j, n := range counts {
			if 2*n >= len(draws) {
				kept = append(kept, j)
			}
		}
		slices.Sort(kept)
		return kept
	}
	until := func(v int) func([]float64) []int { return func(c []float64) []int { return keepUntil(c, v) } }
	share := func(q float64) func([]float64) []int { return func(c []float64) []int { return keepShare(c, q) } }
	return []rule{
		{"false 1, five draws", func(d [][]float64) []int { return of(d, until(1)) }},
		{"false 2, five draws", func(d [][]float64) []int { return of(d, until(2)) }},
		{"false 1, one draw", func(d [][]float64) []int { return of(d[:1], until(1)) }},
		{"FDR 0.1", func(d [][]float64) []int { return of(d[:1], share(0.1)) }},
		{"FDR 0.2", func(d [][]float64) []int { return of(d[:1], share(0.2)) }},
	}
}

// count returns the number of true features, then of each rule the features kept and the false ones among them.
func (s *studiedSetting) count(t *testing.T, trial int, whole *split, truth []bool) []int {
	const draws = 5
	f := &finder{whole: whole, req: ConfidenceRequest{Seed: uint64(trial)}, found: &Confidence{Passes: DefaultPasses(s.loss),
		Setting: Setting{Method: must1(learners.Lookup("graphda")), F: 5, S: s.s}},
		tuner: &tuner{answer: &Answer{Dataset: s.name + " " + strconv.Itoa(trial)}, p: whole.problem.P}}
	var contrasts [][]float64
	for d := range draws {
		rng := f.random("decoys " + strconv.Itoa(d))
		twins, err := newTwins(rng, whole)
		must(t, err)
		learned, err := f.learnHalves(context.Background(), f.halves(rng, decoyPairs), twins.problem, twins.fill)
		must(t, err)
		contrasts = append(contrasts, twins.contrasts(learned))
	}
	counts := []int{0}
	for _, is := range truth {
		if is {
			counts[0]++
		}
	}
	for _, r := range rules() {
		kept, wrong := r.keep(contrasts), 0
		for _, j := range kept {
			if !truth[j] {
				wrong++
			}
		}
		counts = append(counts, len(kept), wrong)
	}
	return counts
}

// A drawing makes samples of which a class is raised on a connected set of nodes.
type drawing struct {
	graph     *graph.Graph
	truth     []int32 // nil: a set of 26 nodes of the trial's own
	mu        float64
	positives float64 // their share
	correlate float64 // of its neighbours' noise, that goes into a node's
	regress   bool    // numbers instead of labels: y = mu·Σ of the true features + noise of deviation 2
}

const studySamples = 400

func (d drawing) draw(t *testing.T, name string, trial int) (*split, []bool) {
	h := rand.New(rand.NewPCG(uint64(trial), uint64(len(name))))
	for _, r := range name {
		h = rand.New(rand.NewPCG(h.Uint64(), uint64(r)))
	}
	p := d.graph.NumNodes()
	support := d.truth
	if support == nil {
		support = grown(h, d.graph, 26)
	}
	truth := make([]bool, p)
	for _, j := range support {
		truth[j] = d.mu > 0
	}
	data := &samples.Trial{Graph: d.graph, Features: &samples.Features{Names: make([]string, p)}, Train: samples.Block{P: p}}
	noise := make([]float64, p)
	for i := range studySamples {
		y := -1.0
		if float64(i) < d.positives*studySamples {
			y = 1
		}
		for j := range noise {
			noise[j] = h.NormFloat64()
		}
		target := 2 * h.NormFloat64()
		for j := range p {
			x, square := noise[j], 1.0
			for _, arc := range d.graph.Arcs(int32(j)) {
				x += d.correlate * noise[arc.Node]
				square += d.correlate * d.correlate
			}
			x /= math.Sqrt(square)
			if truth[j] && !d.regress && y > 0 {
				x += d.mu
			}
			if truth[j] {
				target += d.mu * x
			}
			data.Train.X = append(data.Train.X, x)
		}
		if d.regress {
			y = target
		}
		data.Train.Y = append(data.Train.Y, y)
	}
	loss := learners.Loss(learners.Logistic{})
	if d.regress {
		loss = learners.LeastSquares{}
	}
	return newSplit(data, loss), truth
}

// grown returns a connected set of nodes.
func grown(rng *rand.Rand, g *graph.Graph, size int) []int32 {
	set := []int32{int32(rng.IntN(g.NumNodes()))}
	for len(set) < size {
		arcs := g.Arcs(set[rng.IntN(len(set))])
		if next := arcs[rng.IntN(len(arcs))].Node; !slices.Contains(set, next) {
			set = append(set, next)
		}
	}
	return set
}

// scaleFree returns a graph of p nodes, each joined to three earlier ones, the likelier the more neighbours
// these have. Barabási and Albert, Emergence of scaling in random networks, Science 1999.
func scaleFree(t *testing.T, p int) *graph.Graph {
	const each = 3
	rng := rand.New(rand.NewPCG(1, 2))
	var edges []graph.Edge
	var ends []int32 // of edges: a node is here as often as it has neighbours
	for v := int32(1); int(v) < p; v++ {
		joined := []int32{}
		for len(joined) < min(each, int(v)) {
			u := rng.Int32N(v)
			if len(ends) > 0 && v > each {
				u = ends[rng.IntN(len(ends))]
			}
			if !slices.Contains(joined, u) {
				joined = append(joined, u)
			}
		}
		for _, u := range joined {
			edges, ends = append(edges, graph.Edge{U: u, V: v}), append(ends, u, v)
		}
	}
	costs := make([]float64, len(edges))
	for i := range costs {
		costs[i] = 1
	}
	g, err := graph.New(p, edges, costs)
	must(t, err)
	return g
}

func studied() []studiedSetting {
	const side = 33
	grid := graph.Grid(side, side)
	subgraph := func(k int) []int32 {
		b := simulate.DefaultBenchmark()
		b.Graph = k
		return b.Subgraph()
	}
	drawn := func(name string, s int, make func(t *testing.T) drawing) studiedSetting {
		setting := studiedSetting{name: name, s: s, loss: learners.Logistic{}}
		if strings.HasPrefix(name, "least squares") {
			setting.loss = learners.LeastSquares{}
		}
		setting.draw = func(t *testing.T, trial int) (*split, []bool) { return make(t).draw(t, name, trial) }
		return setting
	}
	raised := func(k int, mu float64) func(*testing.T) drawing {
		return func(*testing.T) drawing { return drawing{graph: grid, truth: subgraph(k), mu: mu, positives: 0.5} }
	}
	kegg := func(strategy int) studiedSetting {
		s := studiedSetting{name: fmt.Sprintf("KEGG %d", strategy), s: 100, loss: learners.Logistic{}}
		s.draw = func(t *testing.T, trial int) (*split, []bool) { return drawKEGG(t, strategy, trial) }
		return s
	}
	return []studiedSetting{
		drawn("Graph01 μ 0.2 s 52", 52, raised(1, 0.2)),
		drawn("Graph01 μ 0.3 s 52", 52, raised(1, 0.3)),
		drawn("Graph01 μ 0.3 s 104", 104, raised(1, 0.3)),
		drawn("Graph01 μ 0.5 s 52", 52, raised(1, 0.5)),
		drawn("Graph02 μ 0.3 s 92", 92, raised(2, 0.3)),
		drawn("scale-free μ 0.3 s 52", 52, func(t *testing.T) drawing {
			return drawing{graph: scaleFree(t, side*side), mu: 0.3, positives: 0.5}
		}),
		drawn("scale-free no signal s 52", 52, func(t *testing.T) drawing {
			return drawing{graph: scaleFree(t, side*side), positives: 0.5}
		}),
		drawn("neighbours correlated 0.4 μ 0.3 s 52", 52, func(*testing.T) drawing {
			return drawing{graph: grid, truth: subgraph(1), mu: 0.3, positives: 0.5, correlate: 0.25}
		}),
		drawn("a tenth positive μ 0.5 s 52", 52, func(*testing.T) drawing {
			return drawing{graph: grid, truth: subgraph(1), mu: 0.5, positives: 0.1}
		}),
		kegg(1), kegg(2),
		drawn("least squares 0.3 s 52", 52, func(*testing.T) drawing {
			return drawing{graph: grid, truth: subgraph(1), mu: 0.3, positives: 0.5, regress: true}
		}),
	}
}

// drawKEGG draws a trial of the genes' dataset; it needs the raw files.
func drawKEGG(t *testing.T, strategy, trial int) (*split, []bool) {
	raw := os.Getenv(simulate.RawVariable)
	if raw == "" {
		return nil, nil
	}
	dir, err := simulate.KEGGDir(raw)
	must(t, err)
	k := simulate.DefaultKEGG()
	k.Strategy, k.Dir, k.Trials = strategy, dir, trial+1
	out := filepath.Join(os.Getenv("GRAPHDA_STUDY") + ".data")
	data, err := samples.Open(filepath.Join(out, k.Name()))
	if err != nil || !slices.Contains(data.Trials, trial) {
		k.Trials = 20
		_, err = k.Write(out, seal.Output{Force: true}, func(int) {})
		must(t, err)
		data, err = samples.Open(filepath.Join(out, k.Name()))
		must(t, err)
	}
	loaded, err := data.Load(trial, samples.BinaryLabels)
	must(t, err)
	truth := make([]bool, len(loaded.Features.Names))
	for _, j := range loaded.Features.Support() {
		truth[j] = true
	}
	return newSplit(join(loaded), learners.Logistic{}), truth
}

// readStudy returns what a file has: counts by setting and trial.
func readStudy(t *testing.T, path string) map[string]map[int][]int {
	done := map[string]map[int][]int{}
	file, err := os.Open(path)
	if err != nil {
		return done
	}
	defer file.Close()
	lines, err := csv.NewReader(bufio.NewReader(file)).ReadAll()
	must(t, err)
	for _, line := range lines {
		trial, err := strconv.Atoi(line[1])
		must(t, err)
		if done[line[0]] == nil {
			done[line[0]] = map[int][]int{}
		}
		for _, field := range line[2:] {
			n, err := strconv.Atoi(field)
			must(t, err)
			done[line[0]][trial] = append(done[line[0]][trial], n)
		}
	}
	return done
}

// studyTable shows means with their standard errors: of false features, of the share of them among those
// kept, and of the share of the true features that are kept.
func studyTable(done map[string]map[int][]int) string {
	var b strings.Builder
	b.WriteString("| setting | trials |")
	for _, r := range rules() {
		measure := "false"
		if strings.HasPrefix(r.name, "FDR") {
			measure = "share false"
		}
		fmt.Fprintf(&b, " %s: %s | power |", r.name, measure)
	}
	b.WriteString("\n|---|---:|" + strings.Repeat("---:|", 2*len(rules())) + "\n")
	for _, s := range studied() {
		trials := done[s.name]
		if len(trials) < 2 {
			continue
		}
		fmt.Fprintf(&b, "| %s | %d |", s.name, len(trials))
		for k, r := range rules() {
			var wrong, power []float64
			for _, counts := range trials {
				kept, bad := float64(counts[1+2*k]), float64(counts[2+2*k])
				if strings.HasPrefix(r.name, "FDR") {
					wrong = append(wrong, bad/max(kept, 1))
				} else {
					wrong = append(wrong, bad)
				}
				power = append(power, (kept-bad)/float64(counts[0]))
			}
			slices.Sort(wrong) // the order of a map says nothing
			mean, deviation := stat.MeanStdDev(wrong, nil)
			fmt.Fprintf(&b, " %.2f ± %.2f |", mean, deviation/math.Sqrt(float64(len(wrong))))
			if slices.Sort(power); power[0] != power[0] || math.IsInf(power[0], 0) {
				b.WriteString(" – |")
			} else {
				fmt.Fprintf(&b, " %.2f |", stat.Mean(power, nil))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
