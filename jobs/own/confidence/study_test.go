package confidence

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/learning"
	"graphda/jobs/own/tuning"
	"graphda/jobs/simulate"
	"graphda/learners"
	"graphda/learners/cox"
)

// TestConfidenceStudy counts the false modules that confidence keeps in data with a known truth. It prints the table
// whose columns are in docs/measured.md and docs/results/confidence.csv. See jobstest.Study.
func TestConfidenceStudy(t *testing.T) {
	var settings []studiedSetting
	if os.Getenv("GRAPHDA_STUDY") != "" {
		settings = studied(t)
	}
	done := jobstest.Study(t, settings, studiedSetting.called, func(studiedSetting) int { return 20 }, func(s studiedSetting, trial int) (counts []float64) {
		whole, truth := s.drawing.draw(t, s.name, trial)
		for _, c := range s.count(t, trial, whole, truth) {
			counts = append(counts, float64(c))
		}
		return counts
	})
	t.Log("\n" + studyTable(settings, done))
}

// In the same file, TestNetworkStudy counts how often the network is said to help although the labels say nothing.
func TestNetworkStudy(t *testing.T) {
	var settings []studiedSetting
	for _, rho := range []float64{0, 0.3, 0.6, 0.9} {
		d := drawing{graph: graph.Grid(25, 20), n: 150, positives: 0.5, size: 1, blocks: tiles(25, 20), rho: rho}
		settings = append(settings, studiedSetting{name: fmt.Sprintf("does it help: tiles %.1f", rho), drawing: d})
	}
	done := jobstest.Study(t, settings, studiedSetting.called, func(studiedSetting) int { return 200 }, func(s studiedSetting, trial int) []float64 {
		whole, _ := s.drawing.draw(t, s.name, trial)
		f := s.finder(t, trial, whole)
		return []float64{math.Ceil(1000 * f.networkP(f.random("network"), newAssociation(whole).of))}
	})
	for _, s := range settings {
		helped := 0
		for _, counts := range done[s.name] {
			if counts[0] <= 1000*helps {
				helped++
			}
		}
		t.Logf("%s: in %d of %d sets the network is said to help", s.name, helped, len(done[s.name]))
	}
}

// A studied setting draws samples whose true features are known, and learns from them.
type studiedSetting struct {
	name    string
	s       int
	f       float64
	drawing drawing
}

func (s studiedSetting) called() string { return s.name }

// A rule is a setting of the error control.
type rule struct {
	name   string
	v      int
	q      float64
	draws  int
	ttests bool // use t-tests of each feature with the rule of Benjamini and Hochberg instead, for comparison
}

var rules = []rule{
	{name: "false 1", v: 1, draws: 5}, {name: "false 2", v: 2, draws: 5}, {name: "false 1, one draw", v: 1, draws: 1},
	{name: "FDR 0.1", q: 0.1, draws: 5}, {name: "FDR 0.2", q: 0.2, draws: 5},
	{name: "t-tests, FDR 0.2", q: 0.2, ttests: true},
}

// finder returns a finder on the samples of a trial.
func (s *studiedSetting) finder(t *testing.T, trial int, whole *learning.Split) *finder {
	f := &finder{req: Request{Seed: uint64(trial)}, found: &Confidence{Passes: tuning.DefaultPasses(whole.Loss),
		Draws: 5, Setting: learning.Setting{Method: jobstest.Must1(learners.Lookup("graphda")), F: s.f, S: s.s}},
		Tuner: &tuning.Tuner{Answer: &tuning.Answer{Dataset: s.name + " " + strconv.Itoa(trial)}}}
	must(t, f.use(whole))
	return f
}

// count returns the number of true modules, 1,000 times the p-value of the network, and the number of draws
// ranked on the network. For each rule it also returns the numbers of kept modules, of false modules among them,
// and of false features.
func (s *studiedSetting) count(t *testing.T, trial int, whole *learning.Split, truth []bool) []int {
	f := s.finder(t, trial, whole)
	contrasts := must1(f.compete(context.Background()))
	f.found.NetworkP = f.networkP(f.random("network"), newAssociation(whole).of)
	isTrue := map[int32]bool{}
	for j, is := range truth {
		if is {
			isTrue[f.module[j]] = true
		}
	}
	counts := []int{len(isTrue), int(math.Ceil(1000 * f.found.NetworkP)), f.found.OnNetwork}
	for _, r := range rules {
		f.found.False, f.found.FDR = r.v, r.q
		f.found.Features = make([]Sure, len(truth))
		if r.ttests {
			f.benjaminiHochberg(r.q)
		} else {
			f.vote(contrasts[:r.draws])
		}
		modules, wrong := map[int32]bool{}, 0
		for j := range truth {
			if !f.found.Features[j].Kept {
				continue
			}
			if modules[f.module[j]] = true; !truth[j] {
				wrong++
			}
		}
		bad := 0
		for m := range modules {
			if !isTrue[m] {
				bad++
			}
		}
		counts = append(counts, len(modules), bad, wrong)
	}
	return counts
}

// benjaminiHochberg keeps features by t-tests of their correlation with the label.
func (f *finder) benjaminiHochberg(q float64) {
	n := f.whole.Train.Rows()
	sizes := newAssociation(f.whole).of(nil)
	order := bySize(sizes)
	df := float64(n - 2)
	deviation := stat.PopStdDev(f.whole.Train.Y, nil)
	kept := 0
	for k, j := range order {
		r := sizes[j] / float64(n) / deviation
		p := 2 * distuv.StudentsT{Nu: df, Sigma: 1}.CDF(-r*math.Sqrt(df/(1-r*r)))
		if p <= q*float64(k+1)/float64(len(order)) {
			kept = k + 1
		}
	}
	for _, j := range order[:kept] {
		f.found.Features[j].Kept = true
	}
}

// A drawing makes samples in which a set of nodes is raised in one class.
type drawing struct {
	graph     *graph.Graph
	n         int
	truth     []int32 // raised nodes; nil means a connected set for each trial
	scattered bool    // the set of a trial is not connected
	size      int     // number of raised nodes in each trial
	mu        float64
	positives float64     // share of positives
	blocks    []int       // correlated group of each node; nil means no groups
	overlap   []int       // a second group of each node, with half of the correlation; nil means none
	shuffled  bool        // blocks are not neighbours
	rho       float64     // correlation within a block
	uneven    bool        // correlations differ between features, up to rho
	rows      [][]float64 // rows whose covariance the noise has; nil means blocks
	tails     bool        // Student's t with 3 degrees of freedom instead of normal noise
	replicate int         // samples of each patient; 0 means 1
	regress   bool        // numbers instead of labels: y = mu·Σ of the true features + noise of deviation 2
	times     bool        // Weibull times instead of labels, with log hazard mu·Σ of the true features; many are censored
	batch     float64     // shift of 100 features between two batches with different labels and hazards; 0 means no batch
	weighed   bool        // every fifth sample has weight 9, others 1
}

func (d drawing) draw(t *testing.T, name string, trial int) (*learning.Split, []bool) {
	h := rand.New(rand.NewPCG(uint64(trial), uint64(len(name))))
	for _, r := range name {
		h = rand.New(rand.NewPCG(h.Uint64(), uint64(r)))
	}
	p := d.graph.NumNodes()
	support := d.truth
	switch {
	case d.scattered:
		for _, j := range h.Perm(p)[:d.size] {
			support = append(support, int32(j))
		}
	case support == nil:
		support = jobstest.Grown(h, d.graph, d.size)
	}
	truth := make([]bool, p)
	for _, j := range support {
		truth[j] = d.mu > 0
	}
	block := slices.Clone(d.blocks)
	if d.shuffled {
		h.Shuffle(p, func(i, j int) { block[i], block[j] = block[j], block[i] })
	}
	data := &samples.Trial{Graph: d.graph, Features: &samples.Features{Names: make([]string, p)}, Train: samples.Block{P: p}}
	of := func(x []float64, share float64) { // adds noise of variance `share`
		common, second := make([]float64, p), make([]float64, p)
		for j := range common {
			common[j] = h.NormFloat64()
		}
		for j := range d.overlap {
			second[j] = h.NormFloat64()
		}
		scale := math.Sqrt(share)
		if d.tails {
			scale *= math.Sqrt(1 / (distuv.ChiSquared{K: 3, Src: h}.Rand()))
		}
		for _, row := range d.rows {
			floats.AddScaled(x, math.Sqrt(share/float64(len(d.rows)))*h.NormFloat64(), row)
		}
		if d.rows != nil {
			return
		}
		for j := range x {
			v, rho := h.NormFloat64(), d.rho
			if d.uneven {
				rho *= 0.4 + 0.2*float64(j%4)
			}
			switch {
			case d.overlap != nil:
				v = math.Sqrt(rho/2)*(common[block[j]]+second[d.overlap[j]]) + math.Sqrt(1-rho)*v
			case block != nil:
				v = math.Sqrt(rho)*common[block[j]] + math.Sqrt(1-rho)*v
			}
			x[j] += scale * v
		}
	}
	shift := make([]float64, p)
	if d.batch > 0 {
		data.Covariates = []samples.Covariate{{Name: "batch", Batch: true}}
		for _, j := range h.Perm(p)[:100] {
			shift[j] = d.batch * float64(1-2*h.IntN(2))
		}
	}
	patient := make([]float64, p)
	for i := range d.n {
		each := max(1, d.replicate)
		y := -1.0
		if float64(i/each*each) < d.positives*float64(d.n) {
			y = 1
		}
		x := make([]float64, p)
		if d.replicate > 0 {
			if i%each == 0 {
				clear(patient)
				of(patient, 0.7)
			}
			copy(x, patient)
			of(x, 0.3)
			data.Train.Patient = append(data.Train.Patient, int32(i/each))
		} else {
			of(x, 1)
		}
		if d.weighed {
			data.Train.Weight = append(data.Train.Weight, map[bool]float64{true: 9, false: 1}[i%5 == 0])
		}
		target := 2 * h.NormFloat64()
		if d.times {
			target = 0
		}
		if d.batch > 0 {
			batch, north := "south", h.Float64() < 0.72
			if north == (y > 0) { // correlates with the label by 0.44
				floats.Add(x, shift)
				batch, target = "north", target+1
			}
			data.Train.Covariates = append(data.Train.Covariates, []string{batch})
		}
		for j := range x {
			if truth[j] && !d.regress && !d.times && y > 0 {
				x[j] += d.mu
			}
			if truth[j] {
				target += d.mu * x[j]
			}
		}
		switch {
		case d.regress:
			y = target
		case d.times:
			time, censored := math.Pow(h.ExpFloat64()/math.Exp(target), 1/1.5), 2*h.Float64()
			if y = time; censored < time {
				y = -censored
			}
		}
		data.Train.X, data.Train.Y = append(data.Train.X, x...), append(data.Train.Y, y)
	}
	loss := learners.Loss(learners.Logistic{})
	switch {
	case d.regress:
		loss = learners.LeastSquares{}
	case d.times:
		loss = cox.Loss{}
	}
	return jobstest.Must1(learning.NewSplit(data, loss)), truth
}

// scaleFree returns a graph of p nodes. Each node is joined to three earlier nodes, drawn in proportion to their
// degrees (Barabási and Albert, Emergence of scaling in random networks, Science 1999).
func scaleFree(p int) *graph.Graph {
	const each = 3
	rng := rand.New(rand.NewPCG(1, 2))
	var edges []graph.Edge
	var ends []int32 // ends of edges: each node occurs as often as it has neighbours
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
	return jobstest.Must1(graph.New(p, edges, costs))
}

// tiles returns the 5 × 5 tile of each node of a grid.
func tiles(width, height int) []int {
	var tile []int
	for j := range width * height {
		tile = append(tile, j/width/5*width+j%width/5)
	}
	return tile
}

func studied(t *testing.T) []studiedSetting {
	const side = 33
	grid, small := graph.Grid(side, side), graph.Grid(25, 20)
	tile := tiles(25, 20)
	var one []int32 // 20 nodes of a tile
	for j, k := range tile {
		if k == tile[12*25+12] && len(one) < 20 {
			one = append(one, int32(j))
		}
	}
	graph01 := simulate.DefaultBenchmark()
	graph01.Graph = 1
	var all []studiedSetting
	add := func(name string, s int, f float64, d drawing) {
		d.n, d.positives, d.size = cmp.Or(d.n, 400), cmp.Or(d.positives, 0.5), cmp.Or(d.size, 26)
		all = append(all, studiedSetting{name, s, f, d})
	}
	for _, rho := range []float64{0.3, 0.5, 0.7, 0.9} {
		noise := drawing{graph: small, n: 150, blocks: tile, rho: rho}
		signal := noise
		signal.mu = 0.7
		inTile := signal
		inTile.truth = one
		for _, d := range []struct {
			name string
			drawing
		}{{"noise", noise}, {"26 connected", signal}, {"20 in a tile", inTile}} {
			add(fmt.Sprintf("tiles %.1f: %s", rho, d.name), 40, 30, d.drawing)
			d.shuffled = true
			add(fmt.Sprintf("blocks %.1f: %s", rho, d.name), 40, 30, d.drawing)
		}
	}
	tiled := drawing{graph: small, n: 150, blocks: tile, rho: 0.8, mu: 0.7}
	with := func(d drawing, change func(d *drawing)) drawing { change(&d); return d }
	add("scattered", 52, 5, drawing{graph: grid, mu: 0.4, scattered: true})
	add("Graph01 0.2", 52, 5, drawing{graph: grid, truth: graph01.Subgraph(), mu: 0.2})
	add("Graph01 0.3", 52, 5, drawing{graph: grid, truth: graph01.Subgraph(), mu: 0.3})
	add("noise", 52, 5, drawing{graph: grid})
	add("replicates: noise", 40, 30, drawing{graph: small, n: 300, replicate: 5})
	add("replicates: signal", 40, 30, drawing{graph: small, n: 300, replicate: 5, mu: 0.8})
	add("heavy tails: noise", 40, 30, with(tiled, func(d *drawing) { d.tails, d.mu = true, 0 }))
	add("heavy tails: signal", 40, 30, with(tiled, func(d *drawing) { d.tails = true }))
	add("5 % cases: noise", 40, 30, drawing{graph: small, n: 200, positives: 0.05})
	add("5 % cases: signal", 40, 30, drawing{graph: small, n: 200, positives: 0.05, mu: 1})
	add("10 % cases: tiles 0.8", 40, 30, with(tiled, func(d *drawing) { d.n, d.positives = 200, 0.1 }))
	add("numbers", 52, 5, drawing{graph: grid, truth: graph01.Subgraph(), mu: 0.3, regress: true})
	add("numbers: tiles 0.8: noise", 40, 5, with(tiled, func(d *drawing) { d.regress, d.mu = true, 0 }))
	add("scale-free", 52, 5, drawing{graph: scaleFree(side * side), mu: 0.3})
	add("scale-free: noise", 52, 5, drawing{graph: scaleFree(side * side)})
	// These settings are held out: they were first drawn after v/2, q/4 and 30 % were fixed.
	hubs := scaleFree(500)
	inHubs := drawing{graph: hubs, n: 150, blocks: groupsOf(hubs, 15), rho: 0.7, mu: 0.7}
	overlapping := drawing{graph: small, n: 150, blocks: tile, overlap: shifted(25, 20), rho: 0.8, uneven: true, mu: 0.7}
	clinical := drawing{graph: small, n: 300, blocks: tile, rho: 0.7}
	fewCases := func(d *drawing) { d.n, d.positives, d.mu = 400, 0.05, 1 }
	for _, held := range []struct {
		name string
		f    float64
		drawing
	}{
		{"held out: scale-free in modules 0.7", 30, inHubs},
		{"held out: scale-free in modules 0.7, 5 % cases", 30, with(inHubs, fewCases)},
		{"held out: overlapping 0.8", 30, overlapping},
		{"held out: overlapping 0.8, 5 % cases", 30, with(overlapping, fewCases)},
		{"held out: overlapping 0.8, numbers", 5, with(overlapping, func(d *drawing) { d.regress, d.mu = true, 0.2 })},
		{"clinical: batch", 30, with(clinical, func(d *drawing) { d.batch, d.mu = 1.5, 0.5 })},
		{"clinical: weights", 30, with(clinical, func(d *drawing) { d.weighed, d.mu = true, 0.7 })},
		{"clinical: times", 3, with(clinical, func(d *drawing) { d.times, d.mu = true, 0.25 })},
		{"clinical: times and a batch", 3, with(clinical, func(d *drawing) { d.times, d.batch, d.mu = true, 1.5, 0.25 })},
	} {
		add(held.name, 40, held.f, held.drawing)
		held.mu = 0
		add(held.name+": noise", 40, held.f, held.drawing)
	}
	if genes, rows := expressed(t); genes != nil {
		add("held out: KEGG's covariance", 40, 30, drawing{graph: genes, n: 150, rows: rows, mu: 0.7})
		add("held out: KEGG's covariance: noise", 40, 30, drawing{graph: genes, n: 150, rows: rows})
	}
	return all
}

// expressed returns the subgraph of 600 KEGG genes around the gene with most neighbours, and standardised rows with the
// covariance of real expressions. GRAPHDA_DATA names the folder of the files. Without the files, it returns nil.
func expressed(t *testing.T) (g *graph.Graph, rows [][]float64) {
	raw := os.Getenv(simulate.RawVariable)
	if raw == "" {
		return nil, nil
	}
	k := simulate.DefaultKEGG()
	k.Dir, k.Trials = jobstest.Must1(simulate.KEGGDir(raw)), 1
	ds := jobstest.Must1(samples.Open(jobstest.Must1(k.Write(t.TempDir(), seal.Output{}, nil))))
	trial := learning.Join(jobstest.Must1(ds.Load(0, samples.AnyLabels)))
	whole := trial.Graph
	near := []int32{0}
	for v := range int32(whole.NumNodes()) {
		if whole.Degree(v) > whole.Degree(near[0]) {
			near[0] = v
		}
	}
	seen := map[int32]bool{near[0]: true}
	for at := 0; len(near) < 600; at++ {
		for _, a := range whole.Arcs(near[at]) {
			if !seen[a.Node] && len(near) < 600 {
				seen[a.Node] = true
				near = append(near, a.Node)
			}
		}
	}
	slices.Sort(near)
	g, _, err := whole.Induced(near)
	must(t, err)
	for i, y := range trial.Train.Y { // the controls, in which no pathway is shifted
		if y < 0 {
			row := make([]float64, len(near))
			for k, j := range near {
				row[k] = trial.Train.Row(i)[j]
			}
			rows = append(rows, row)
		}
	}
	scaling := samples.NewScaling(len(near), len(rows), func(i int) []float64 { return rows[i] }, nil)
	for _, row := range rows {
		scaling.Apply(row, row)
	}
	return g, rows
}

// groupsOf cuts a graph, whose nodes are joined to earlier nodes, into connected groups of at most `most` nodes.
func groupsOf(g *graph.Graph, most int) []int {
	module, size := make([]int, g.NumNodes()), make([]int, g.NumNodes())
	for v := range module {
		module[v] = v
		for _, a := range g.Arcs(int32(v)) {
			if int(a.Node) < v && size[module[a.Node]] < most {
				module[v] = module[a.Node]
				break
			}
		}
		size[module[v]]++
	}
	return module
}

// shifted returns the shifted 5 × 5 tile of each node. A shifted tile overlaps four tiles.
func shifted(width, height int) []int {
	var group []int
	for j := range width * height {
		group = append(group, (j/width+3)/5*(width/5+1)+(j%width+2)/5)
	}
	return group
}

// studyTable shows means with their standard errors: of the number of false modules, of their share among the kept
// modules, and of the share of the true modules that are kept.
func studyTable(settings []studiedSetting, done map[string]map[int][]float64) string {
	var b strings.Builder
	b.WriteString("| setting | trials | true modules | on the network | p ≤ .05 |")
	for _, r := range rules {
		measure := "false"
		if r.q > 0 {
			measure = "share false"
		}
		fmt.Fprintf(&b, " %s: %s | power |", r.name, measure)
	}
	b.WriteString("\n|---|---:|---:|---:|---:|" + strings.Repeat("---:|", 2*len(rules)) + "\n")
	for _, s := range settings {
		trials := done[s.name]
		if len(trials) < 2 {
			continue
		}
		var truth, network, helps float64
		for _, counts := range trials {
			truth += counts[0] / float64(len(trials))
			network += counts[2] / 5 / float64(len(trials))
			if counts[1] <= 50 {
				helps += 1 / float64(len(trials))
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %.1f | %.2f | %.2f |", s.name, len(trials), truth, network, helps)
		for k, r := range rules {
			var wrong, power []float64
			for _, counts := range trials {
				kept, bad := counts[3+3*k], counts[4+3*k]
				if r.q > 0 {
					wrong = append(wrong, bad/max(kept, 1))
				} else {
					wrong = append(wrong, bad)
				}
				power = append(power, (kept-bad)/counts[0])
			}
			slices.Sort(wrong) // a map has no order
			fmt.Fprintf(&b, " %s |", jobstest.MeanError(wrong, 2))
			if truth == 0 {
				b.WriteString(" – |")
			} else {
				slices.Sort(power)
				fmt.Fprintf(&b, " %.2f |", stat.Mean(power, nil))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
