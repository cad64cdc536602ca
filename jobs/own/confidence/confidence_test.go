package confidence

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/learning"
	"graphda/jobs/own/tuning"
	"graphda/learners"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// dataset writes a dataset of 6 × 6 features, four of which matter.
func dataset(t *testing.T, s jobstest.Spec) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mine")
	s.Side, s.Train, s.Valid, s.Test = 6, 120, 60, 60
	jobstest.WriteDataset(t, dir, s)
	return dir
}

// True features are kept, and the network that connects them helps. One worker and four workers give the same answer.
func TestConfidence(t *testing.T) {
	dir := dataset(t, jobstest.Spec{Trials: 2})
	req := Request{Dataset: dir, False: 1, F: 3, S: 6, Trial: 1}
	var found [2]*Confidence
	for i, workers := range []int{1, 4} {
		req.Workers = workers
		found[i] = must1(Find(context.Background(), req))
	}
	if !reflect.DeepEqual(found[0], found[1]) {
		t.Errorf("one worker: %+v, four: %+v", found[0], found[1])
	}
	c := found[0]
	right := 0
	for _, f := range c.Features {
		if f.Kept && f.True && f.Component == 1 && f.Frequency > 0.8 && f.Decoy < 0.5 && f.Mean > 0 && f.Module > 0 {
			right++
		}
	}
	if right != 4 || c.NetworkP > 0.25 || c.Samples != 240 || c.Draws != 5 || c.Kept < 4 || c.Kept > 6 {
		t.Errorf("%d of 4 true features are right, p = %v, %d samples, %d draws: %+v", right, c.NetworkP, c.Samples, c.Draws,
			c.Features)
	}
	jobstest.WantText(t, c.Verdict()+c.Printed().Lead(), fmt.Sprintf("features in %d modules", c.Kept), "The expected number of false modules is at most 2, if a")
	var b strings.Builder
	must(t, c.Table().Write(&b, "csv"))
	if lines := strings.Split(b.String(), "\n"); !strings.HasPrefix(lines[0], "feature,module,kept,") ||
		!strings.Contains(lines[1], ",1,yes,") {
		t.Errorf("CSV begins with %q", lines[:2])
	}
	files := c.Files()
	var page strings.Builder
	for i, f := range files {
		if f.Name != FileNames[i] {
			t.Errorf("file %s, want %s", f.Name, FileNames[i])
		}
		must(t, f.Fill(&page))
	}
	jobstest.WantText(t, page.String(), fmt.Sprintf("in %d modules of ", c.Kept), ">The expected number of false", "half of the draws", ">Decoy<")
	if strings.Contains(page.String(), "<dt>fdr</dt>") != (c.FDR > 0) || strings.Contains(page.String(), "<dt>false</dt>") == (c.FDR > 0) {
		t.Error("the page names what was not asked for")
	}
}

// The figure shows the share of draws, and separates the kept features from the others. If no draw keeps a feature,
// there is no figure, however often features are selected.
func TestFigureShowsWhatDecides(t *testing.T) {
	c := &Confidence{Draws: 5, OnNetwork: 5, Features: []Sure{{Name: "A", Share: 0.8, Kept: true, Frequency: 0.3},
		{Name: "B", Share: 0.2, Frequency: 0.9}, {Name: "C", Frequency: 1}}}
	var got []string
	for _, row := range c.ranked().Data()[1:] {
		if row[1] != "w = 0" {
			got = append(got, strings.Join(row[2:5], " "))
		}
	}
	if want := []string{"kept A 0.8", "not kept B 0.2", "not kept C 0"}; !slices.Equal(got, want) {
		t.Errorf("the figure has %q, want %q", got, want)
	}
	c.Features = c.Features[2:]
	for _, f := range c.Files() {
		if c.ranked() != nil || f.Name == "ranked.csv" {
			t.Error("there is a figure although no draw keeps anything")
		}
	}
}

// Without a signal, five draws together keep at most 2v false modules in expectation. This holds for
// independent features, tiles of correlated neighbours, correlated features that are not neighbours, and
// patients with five samples each.
func TestConfidenceOfNoise(t *testing.T) {
	const sets, v = 12, 1
	tiled := drawing{graph: graph.Grid(10, 10), n: 60, positives: 0.5, size: 1}
	for name, change := range map[string]func(d *drawing){
		"independent": func(*drawing) {},
		"tiles":       func(d *drawing) { d.blocks, d.rho = tiles(10, 10), 0.8 },
		"elsewhere":   func(d *drawing) { d.blocks, d.rho, d.shuffled = tiles(10, 10), 0.8, true },
		"patients":    func(d *drawing) { d.replicate = 5 },
		"rare":        func(d *drawing) { d.n, d.positives = 100, 0.05 },
	} {
		d := tiled
		change(&d)
		total := 0
		for seed := range sets {
			whole, _ := d.draw(t, name, seed)
			f := finding(t, whole, Confidence{False: v, Draws: 5}, uint64(seed))
			f.vote(must1(f.compete(context.Background())))
			must(t, f.sumUp())
			total += f.found.Kept
		}
		t.Logf("%s: %d in %d sets", name, total, sets)
		if mean := float64(total) / sets; mean > 2*v {
			t.Errorf("%s: %.2f false modules, want at most %d in expectation", name, mean, 2*v)
		}
	}
}

// finding returns a finder for the samples.
func finding(t *testing.T, whole *learning.Split, found Confidence, seed uint64) *finder {
	found.Setting, found.Passes = learning.Setting{Method: jobstest.Must1(learners.Lookup("graphda")), F: 3, S: 8}, 1
	f := &finder{Tuner: &tuning.Tuner{Answer: &tuning.Answer{Dataset: "drawn"}}, found: &found,
		req: Request{Seed: seed}}
	must(t, f.use(whole))
	found.Features = make([]Sure, len(f.module))
	for j, m := range f.module {
		found.Features[j].Module = int(m)
	}
	return f
}

// Each feature and its decoy have the same values and the same neighbours.
func TestDecoys(t *testing.T) {
	sp, _ := drawing{graph: graph.Grid(5, 5), n: 60, positives: 0.5, size: 1}.draw(t, "decoys", 1)
	rng := rand.New(rand.NewPCG(1, 2))
	from := newPatients(sp).balanced(rng)
	both := must1(double(rng, sp, from))
	p, n := sp.Problem.P, sp.Train.Rows()
	if g := both.problem.Graph; g.NumNodes() != 2*p || g.NumEdges() != 4*sp.Problem.Graph.NumEdges() {
		t.Errorf("%d nodes, %d edges", g.NumNodes(), g.NumEdges())
	}
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, 2*p)
		both.fill(rows[i], i)
	}
	swapped := 0
	for j, at := range both.real {
		for i, row := range rows {
			if row[at] != sp.Train.Row(i)[j] || row[at^1] != sp.Train.Row(from[i])[j] {
				t.Fatalf("feature %d is not where it should be, or its decoy has not the values of the samples that all have", j)
			}
		}
		swapped += at % 2
		var neighbours [2][]int32
		for k := range neighbours {
			for _, arc := range both.problem.Graph.Arcs(int32(2*j + k)) {
				neighbours[k] = append(neighbours[k], arc.Node)
			}
			slices.Sort(neighbours[k])
		}
		if !slices.Equal(neighbours[0], neighbours[1]) {
			t.Errorf("feature %d and its decoy have the neighbours %v", j, neighbours)
		}
	}
	if swapped == 0 || swapped == p || slices.IsSorted(from) {
		t.Errorf("%d of %d coins are heads, samples from %v", swapped, p, from)
	}
}

func TestKeep(t *testing.T) {
	w := []float64{5, -4, 3, 2, -2, 1, 0, -0.5}
	for v, want := range map[int][]int{1: {0}, 2: {0, 2}, 3: {0, 2, 3, 5}, 4: {0, 2, 3, 5}} {
		if got := keep(w, v, 0); !slices.Equal(got, want) {
			t.Errorf("v = %d keeps %v, want %v", v, got, want)
		}
	}
	many := []float64{9, 8, 7, 6, -5, 4, 3, -2}
	for q, want := range map[float64][]int{0.2: nil, 0.25: {0, 1, 2, 3}, 0.34: {0, 1, 2, 3, 5, 6}} {
		if got := keep(many, 0, q); !slices.Equal(got, want) {
			t.Errorf("q = %v keeps %v, want %v", q, got, want)
		}
	}
}

// Halves are complementary, have half of each class, and do not divide a patient.
func TestHalves(t *testing.T) {
	for _, each := range []int{1, 5} {
		whole, _ := drawing{graph: graph.Grid(3, 3), n: 60, positives: 0.5, size: 1, replicate: each}.draw(t, "halves", each)
		halves := newPatients(whole).halves(rand.New(rand.NewPCG(1, 1)), 3)
		for k := 0; k < len(halves); k += 2 {
			if all := slices.Sorted(slices.Values(slices.Concat(halves[k], halves[k+1]))); len(all) != 60 || len(slices.Compact(all)) != 60 {
				t.Fatalf("halves %v", all)
			}
			sideOf := map[int32]int{}
			for side, half := range halves[k : k+2] {
				sum := 0.0
				for _, i := range half {
					sum += whole.Train.Y[i]
					if before, met := sideOf[whole.Train.Patient[i]]; met && before != side {
						t.Errorf("patient %d is in both halves", whole.Train.Patient[i])
					}
					sideOf[whole.Train.Patient[i]] = side
				}
				if len(half) != 30 || sum != 0 {
					t.Errorf("a half of %d samples, labels sum to %v", len(half), sum)
				}
			}
		}
	}
}

// Samples are permuted among patients with equally many samples. If a patient is the only one with its number, it gets
// the samples of a patient with a similar number, perhaps repeatedly.
func TestPermute(t *testing.T) {
	b := samples.Block{P: 1}
	for patient, size := range []int{2, 2, 2, 2, 5, 1, 1} {
		for range size {
			b.Patient, b.Y = append(b.Patient, int32(patient)), append(b.Y, 1)
			b.X = append(b.X, 0)
		}
	}
	p := newPatients(&learning.Split{Loss: learners.Logistic{}, Train: b})
	if gaps := newPatients(&learning.Split{Loss: learners.Logistic{}, Train: samples.Block{P: 1, X: make([]float64, 3), Y: make([]float64, 3), Patient: []int32{7, 2, 7}}}); len(
		gaps.rows) != 2 || len(gaps.sizes) != 2 {
		t.Errorf("patients %v, by number of samples %v", gaps.rows, gaps.sizes)
	}
	moved := 0
	for seed := range uint64(20) {
		from := p.permute(rand.New(rand.NewPCG(seed, 1)))
		source, taken := map[int32]int32{}, map[int]int{}
		for i, k := range from {
			to, of := b.Patient[i], b.Patient[k]
			if was, ok := source[to]; ok && was != of {
				t.Fatalf("patient %d takes samples of %d and %d", to, was, of)
			}
			source[to] = of
			if to < 4 && of >= 4 || to > 4 && of <= 4 || to == 4 && of >= 4 {
				t.Errorf("patient %d takes samples of %d", to, of)
			}
			if to != 4 {
				taken[k]++
			}
			if of != to {
				moved++
			}
		}
		for k, n := range taken {
			if n != 1 {
				t.Errorf("sample %d is taken %d times", k, n)
			}
		}
	}
	if moved < 100 {
		t.Errorf("%d samples are moved", moved)
	}
}

// Each class receives its proportional share of samples from both classes. Permuted numbers do not correlate with the
// original numbers.
func TestBalanced(t *testing.T) {
	b := samples.Block{P: 1, X: make([]float64, 100)}
	for i := range 100 {
		b.Y = append(b.Y, -1)
		if i < 20 {
			b.Y[i] = 1
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	from, positive := newPatients(&learning.Split{Loss: learners.Logistic{}, Train: b}).balanced(rng), 0
	for i, k := range from {
		if b.Y[i] > 0 && b.Y[k] > 0 {
			positive++
		}
	}
	if positive != 4 {
		t.Errorf("%d of 20 rows of positives come from positives, want 4", positive)
	}
	sum := 0.0
	for i := range b.Y {
		b.Y[i] = rng.NormFloat64()
	}
	for i, k := range newPatients(&learning.Split{Loss: learners.Logistic{}, Train: b}).balanced(rng) {
		sum += b.Y[i] * b.Y[k] / 100
	}
	if math.Abs(sum) > 0.05 {
		t.Errorf("numbers have covariance %v with themselves", sum)
	}
}

// Correlated neighbours are one module. Uncorrelated neighbours, and correlated features that are not
// neighbours, are not.
func TestModules(t *testing.T) {
	const n = 200
	rng := rand.New(rand.NewPCG(1, 1))
	data := &samples.Trial{Graph: graph.Grid(6, 1), Features: &samples.Features{Names: make([]string, 6)},
		Train: samples.Block{P: 6}}
	for i := range n {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		data.Train.X = append(data.Train.X, a, -a+0.5*rng.NormFloat64(), a+0.5*rng.NormFloat64(), b, rng.NormFloat64(), b)
		data.Train.Y = append(data.Train.Y, float64(1-i%2*2))
	}
	module, count, looseEdges, err := modules(jobstest.Must1(learning.NewSplit(data, learners.Logistic{})))
	must(t, err)
	if want := []int32{0, 0, 0, 1, 2, 3}; !slices.Equal(module, want) || count != 4 || looseEdges != 0 {
		t.Errorf("modules %v of %d, want %v; %v are loose", module, count, want, looseEdges)
	}
}

// The note on the network names what was tested, and differs from what gdrun tune says about prediction. If no draw
// uses the network, nothing is said of draws and decoys, which decided nothing.
func TestNetworkNote(t *testing.T) {
	for name, test := range map[string]struct {
		c      Confidence
		want   string
		decoys bool
	}{
		"together":     {Confidence{NetworkP: 0.01, OnNetwork: 5, Reach: 9}, "Features related to the label lie together in the network (p = 0.010). gdrun tune asks something else: whether the network helps to predict. Features were ranked with the network, by ", true},
		"some draws":   {Confidence{NetworkP: 0.01, OnNetwork: 2, Reach: 8}, "to predict. Features were ranked with the network in 2 of 5 draws", true},
		"most outside": {Confidence{NetworkP: 0.01, Reach: 4}, "to predict. Features were ranked without the network, by their correlation with the label, because only 4 of 9 features are in its largest part.", false},
		"no draw":      {Confidence{NetworkP: 0.01, Reach: 5}, "to predict. With decoys added, no draw shows that they lie together. Features were ranked without the network", false},
		"not together": {Confidence{NetworkP: 0.3, Reach: 4}, "Features related to the label are not shown to lie together in the network (p = 0.30). gdrun tune asks something else: whether the network helps to predict. Features were ranked without the network, by their correlation with the label.", false},
		"not tested":   {Confidence{Untested: "The network cannot be tested."}, "The network cannot be tested. Features were ranked without the network", false},
		"a small part": {Confidence{NetworkP: 0.01, OnNetwork: 3, Reach: 5}, ". With the network, only features of one connected part can be kept; the largest part has 5 of 9 features.", true},
	} {
		c := test.c
		c.Draws, c.Related, c.Features, c.False = 5, theLabel, []Sure{{Name: "a", Decoy: math.NaN()}}, 1
		c.Of, c.Samples = 9, 100
		c.Setting.Method = must1(learners.Lookup("graphda"))
		lead := c.Printed().Lead()
		if !strings.Contains(lead, test.want) || strings.Contains(lead, "network helps.") ||
			strings.Contains(lead, "can be kept") != (name == "a small part") ||
			strings.Contains(lead, "gdrun tune") != (c.Untested == "") || strings.Contains(lead, "decoy as often") != test.decoys {
			t.Errorf("%s: %s, want %s", name, lead, test.want)
		}
		var text, csv strings.Builder
		must(t, c.Table().Write(&text, "text"))
		must(t, c.Table().Write(&csv, "csv"))
		if strings.Contains(strings.ToLower(text.String()), "decoy") != test.decoys ||
			strings.Contains(text.String(), "Draws") != test.decoys || !strings.Contains(csv.String(), ",draws,frequency,decoy,") {
			t.Errorf("%s: %s%s", name, text.String(), csv.String())
		}
	}
}

// networkP finds that related features lie together if true features are neighbours. It does not find this if only
// noise is correlated among neighbours, or if the true features are scattered.
func TestNetworkP(t *testing.T) {
	signal := drawing{graph: graph.Grid(10, 10), n: 100, positives: 0.5, size: 10, mu: 1}
	tiled := drawing{graph: graph.Grid(10, 10), n: 60, positives: 0.5, size: 1, blocks: tiles(10, 10), rho: 0.8}
	apart := signal
	apart.scattered = true
	for name, c := range map[string]struct {
		drawing
		least, most int // number of data sets, of 12, in which features lie together
	}{"connected": {signal, 12, 12}, "tiles of noise": {tiled, 0, 2}, "scattered": {apart, 0, 3}} {
		helped := 0
		for seed := range 12 {
			whole, _ := c.draw(t, name, seed)
			f := finding(t, whole, Confidence{Draws: 5}, uint64(seed))
			a := newAssociation(whole)
			if f.networkP(f.random("network"), a.of) <= helps {
				helped++
			}
		}
		if helped < c.least || helped > c.most {
			t.Errorf("%s: features are said to lie together in %d of 12 sets", name, helped)
		}
	}
}

// The inputs of the choice of a ranking are the same if a feature and its decoy change places.
func TestBoth(t *testing.T) {
	whole, _ := drawing{graph: graph.Grid(5, 5), n: 60, positives: 0.5, size: 1}.draw(t, "both", 4)
	from := newPatients(whole).balanced(rand.New(rand.NewPCG(1, 1)))
	seen := newPatients(whole).permute(rand.New(rand.NewPCG(1, 2)))
	want := newAssociation(whole).both(seen, from)
	back := make([]int, len(from))
	for i, k := range from {
		back[k] = i
	}
	swapped := *whole
	swapped.Train.X = nil
	for _, k := range from {
		swapped.Train.X = append(swapped.Train.X, whole.Train.Row(k)...)
	}
	own, decoy := newAssociation(whole), newAssociation(&swapped)
	for j, v := range own.of(seen) {
		if got := max(v, decoy.of(seen)[j]); math.Abs(got-want[j]) > 1e-9 {
			t.Fatalf("feature %d: %v, want %v", j, want[j], got)
		}
	}
	for j, v := range decoy.both(seen, back) {
		if math.Abs(v-want[j]) > 1e-9 {
			t.Fatalf("feature %d: %v as features and decoys, %v as decoys and features", j, want[j], v)
		}
	}
}

// Without the network, a module is kept if chance hardly reaches its association. The same happens with FDR in a draw
// on the network that keeps nothing, for example because fewer than 1/q modules can be kept. The features of a module
// are ordered.
func TestAlone(t *testing.T) {
	tile := tiles(10, 10)
	d := drawing{graph: graph.Grid(10, 10), n: 100, positives: 0.5, truth: []int32{0, 1, 2, 3}, blocks: tile, rho: 0.8, mu: 1.5}
	whole, _ := d.draw(t, "alone", 1)
	for name, found := range map[string]Confidence{"a number": {False: 1}, "a share": {FDR: 0.2}} {
		f := finding(t, whole, found, 1)
		if found.FDR > 0 {
			f.vote([][]float64{make([]float64, len(f.module))}) // the draw has no contrasts on the network
		} else {
			f.vote([][]float64{nil})
		}
		for j, s := range f.found.Features {
			if s.Kept != (s.contrast > 0 && tile[j] == 0) || j < 4 && !s.Kept {
				t.Errorf("%s: feature %d of tile %d is kept: %v, contrast %v", name, j, tile[j], s.Kept, s.contrast)
			}
		}
	}
	f := finding(t, whole, Confidence{False: 1}, 1)
	f.vote([][]float64{make([]float64, len(f.module))})
	for j, s := range f.found.Features {
		if s.Kept {
			t.Errorf("feature %d is kept of a number, against no contrast on the network", j)
		}
	}
}

// A feature that no half-sample selects is not kept. The other features of its module stay, the clearest first.
func TestNeverSelected(t *testing.T) {
	tile := tiles(10, 10)
	d := drawing{graph: graph.Grid(10, 10), n: 100, positives: 0.5, truth: []int32{0, 1}, blocks: tile, rho: 0.8, mu: 1.5}
	whole, _ := d.draw(t, "never", 1)
	f := finding(t, whole, Confidence{False: 1, Draws: 2, OnNetwork: 2}, 1)
	f.found.Setting.S, f.decoys = 4, make([]float64, len(f.module))
	contrasts := make([]float64, len(f.module))
	for j := range contrasts {
		if tile[j] == tile[0] || tile[j] == tile[99] { // the second one has no signal
			contrasts[j] = 1e-3 * float64(1+j%3)
		}
	}
	f.vote([][]float64{contrasts, contrasts})
	for j := range contrasts {
		if f.found.Features[j].Kept != (contrasts[j] > 0) {
			t.Fatalf("feature %d of tile %d is kept before it is ranked: %v", j, tile[j], f.found.Features[j].Kept)
		}
	}
	must(t, f.rank(context.Background()))
	must(t, f.sumUp())
	if f.found.Kept != 1 {
		t.Errorf("%d modules are kept, want 1", f.found.Kept)
	}
	last, kept := math.Inf(1), 0
	for _, s := range f.found.Features {
		if !s.Kept {
			continue
		}
		if kept++; s.Frequency == 0 || s.contrast > last {
			t.Errorf("%+v is kept, after a contrast of %v", s, last)
		}
		last = s.contrast
	}
	if kept < 2 || kept > 10 {
		t.Errorf("%d features are kept, want those of a tile that half-samples select", kept)
	}
	jobstest.WantText(t, f.found.Verdict(), fmt.Sprintf("%d features in 1 module", kept))
}

// A network ranks features if its largest part has at least half of them. In a smaller part, or in pairs, the features
// outside could not be kept.
func TestSmallNetwork(t *testing.T) {
	grid := graph.Grid(10, 10)
	for name, test := range map[string]struct {
		joins    func(e graph.Edge) bool
		reach    int
		ranks    bool
		untested string
	}{
		"half":  {func(e graph.Edge) bool { return max(e.U, e.V) < 50 }, 50, true, ""},
		"less":  {func(e graph.Edge) bool { return max(e.U, e.V) < 40 }, 40, false, ""},
		"pairs": {func(e graph.Edge) bool { return e.U%2 == 0 && e.V == e.U+1 }, 2, false, "The network cannot be tested: it has 50 edges, and its largest part 2 of 100 features."},
		"none":  {func(graph.Edge) bool { return false }, 1, false, "The network cannot be tested: it joins no two features directly."},
	} {
		edges := slices.DeleteFunc(slices.Clone(grid.Edges()), func(e graph.Edge) bool { return !test.joins(e) })
		g := must1(graph.New(100, edges, make([]float64, len(edges))))
		whole, _ := drawing{graph: g, n: 200, positives: 0.5, truth: []int32{0, 1, 2, 3, 10, 11, 99}, mu: 2}.draw(t, "small", 1)
		f := finding(t, whole, Confidence{False: 1, Draws: 2}, 1)
		f.vote(must1(f.compete(context.Background())))
		if c := f.found; (c.OnNetwork == 2) != test.ranks || c.Reach != test.reach || c.Untested != test.untested ||
			c.Features[99].Kept == test.ranks || !c.Features[0].Kept {
			t.Errorf("%s: %d draws on a network of %d; %s; 0 kept: %v, 99 kept: %v", name, c.OnNetwork, c.Reach, c.Untested,
				c.Features[0].Kept, c.Features[99].Kept)
		}
	}
}

// Without the network, a half-sample selects every kept feature, even if more features are kept than a selection has.
func TestManyKept(t *testing.T) {
	d := drawing{graph: graph.Grid(10, 10), n: 200, positives: 0.5, scattered: true, size: 50, mu: 2}
	whole, _ := d.draw(t, "many", 1)
	f := finding(t, whole, Confidence{False: 1, Draws: 1}, 1)
	f.decoys = make([]float64, len(f.module))
	f.vote([][]float64{nil})
	must(t, f.rank(context.Background()))
	must(t, f.sumUp())
	kept := 0
	for _, s := range f.found.Features {
		if s.Kept {
			kept++
		}
	}
	if kept < 45 || kept <= f.found.Setting.S {
		t.Errorf("%d features are kept, want about 50", kept)
	}
}

// If no draw is on the network, finder.alone uses the whole share of false modules. The power is near the power of
// t-tests with the rule of Benjamini and Hochberg at the same share, and the mean share is below the target. If a draw
// is on the network, it uses a quarter of the share.
func TestShareAlone(t *testing.T) {
	const sets, q = 24, 0.2
	d := drawing{graph: graph.Grid(10, 10), n: 100, positives: 0.5, scattered: true, size: 12, mu: 0.7}
	var wrong, power [3]float64
	for seed := range sets {
		whole, truth := d.draw(t, "share", seed)
		for k, change := range []func(f *finder){
			func(f *finder) { f.vote([][]float64{nil}) }, func(f *finder) { f.benjaminiHochberg(q) },
			func(f *finder) { f.found.OnNetwork = 1; f.vote([][]float64{nil}) },
		} {
			f := finding(t, whole, Confidence{FDR: q}, uint64(seed))
			change(f)
			kept, right := 0.0, 0.0
			for j, s := range f.found.Features {
				if s.Kept {
					if kept++; truth[j] {
						right++
					}
				}
			}
			wrong[k] += (kept - right) / max(kept, 1) / sets
			power[k] += right / 12 / sets
		}
	}
	t.Logf("shares false %.2f, power %.2f", wrong, power)
	if wrong[0] > q+0.05 || wrong[0] > wrong[1]+0.02 || math.Abs(power[0]-power[1]) > 0.05 || power[2] > power[0]-0.05 {
		t.Errorf("shares false %.2f, power %.2f", wrong, power)
	}
}

// Features are kept half of the time if their true correlation is at the reported limit, and rarely if it
// is half of the limit.
func TestPower(t *testing.T) {
	const sets = 60
	for name, found := range map[string]Confidence{"a number": {False: 1}, "a share": {FDR: 0.2}} {
		found.Related, found.Of, found.Samples = theLabel, 100, 120
		if text, want := found.power(), fmt.Sprintf("is %.2f. With half", found.limit()); !strings.Contains(text, want) {
			t.Errorf("%s: %q, want %q", name, text, want)
		}
		for _, part := range []float64{1, 0.5} {
			r := part * found.limit()
			d := drawing{graph: graph.Grid(10, 10), n: 120, positives: 0.5, truth: []int32{0}, mu: 2 * r / math.Sqrt(1-r*r)}
			kept := 0
			for seed := range sets {
				whole, _ := d.draw(t, "power", seed)
				f := finding(t, whole, found, uint64(seed))
				if f.vote([][]float64{nil}); f.found.Features[0].Kept {
					kept++
				}
			}
			t.Logf("%s: %d of %d kept at %.3f", name, kept, sets, r)
			if share := float64(kept) / sets; share < 0.3*part-0.15 || share > 0.7*part {
				t.Errorf("%s: %d of %d are kept of a correlation of %.3f", name, kept, sets, r)
			}
		}
	}
}

// If modules fall apart, no share is promised.
func TestLooseModules(t *testing.T) {
	for rho, want := range map[float64]string{0.4: "No share of false modules is promised: ", 0.8: "The aim is that on average at most 20 %"} {
		d := drawing{graph: graph.Grid(10, 10), n: 150, positives: 0.5, size: 1, blocks: tiles(10, 10), rho: rho}
		whole, _ := d.draw(t, "loose", 1)
		if lead := finding(t, whole, Confidence{FDR: 0.2, Draws: 5}, 1).found.Printed().Lead(); !strings.Contains(lead, want) {
			t.Errorf("correlation %v: %s", rho, lead)
		}
	}
}

// If all features share a common factor, they are one module, and the answer says so.
func TestLargestModule(t *testing.T) {
	d := drawing{graph: graph.Grid(5, 5), n: 100, positives: 0.5, size: 1, blocks: make([]int, 25), rho: 0.8}
	whole, _ := d.draw(t, "common", 1)
	f := finding(t, whole, Confidence{False: 1}, 1)
	jobstest.WantText(t, f.found.Printed().Lead(), "The largest module has 25 of 25 features, so ")
}

// These are p-values of sequential draws.
func TestSequential(t *testing.T) {
	for _, c := range []struct {
		every int
		want  float64
	}{{1, 1}, {3, 10.0 / 30}, {100, 0.01}, {2000, 0.001}} {
		k := 0
		if p := sequential(func() bool { k++; return k%c.every == 0 }); p != c.want {
			t.Errorf("what chance reaches every %d times has p = %v, want %v", c.every, p, c.want)
		}
	}
}

// If no more modules are kept than may be false, the verdict is undecided.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		kept, false, draws int
		fdr                float64
		want               string
	}{{0, 1, 5, 0, "NOTHING FOUND: false"}, {2, 1, 5, 0, "Kept: <nil>"}, {3, 1, 5, 0, "Kept: true"}, {2, 1, 1, 0, "Kept: true"}, {1, 0, 5, 0.1, "Kept: true"}} {
		found := Confidence{Kept: c.kept, False: c.false, FDR: c.fdr, Draws: c.draws, Features: make([]Sure, c.kept), Dataset: "mine", Samples: 90}
		for i := range found.Features {
			found.Features[i].Kept = true
		}
		printed := found.Printed()
		got, _, _ := strings.Cut(printed.Verdict, ":")
		if found.Alike = "2 pairs"; strings.HasPrefix(found.Verdict(), "Kept, unless similar samples ") != (c.kept > 0) {
			t.Errorf("similar samples: %s", found.Verdict())
		}
		if got += ": <nil>"; printed.Found != nil {
			got = strings.Replace(got, "<nil>", fmt.Sprint(*printed.Found), 1)
		}
		if got != c.want {
			t.Errorf("%+v: %s", c, printed.Verdict)
		}
	}
}
