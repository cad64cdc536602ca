package simulate

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/io/seal"
)

// side is the width of the grid, in nodes. groupSide is the width of a group.
const (
	side      = 33
	groupSide = 3
)

// Benchmark describes one benchmark dataset. Its features are the nodes of a 33 × 33 grid. In positive samples, the
// values in a subgraph are higher by Mu. The design is from Arias-Castro, Candès and Durand, Detection of an anomalous
// cluster in a network, Annals of Statistics 2011.
type Benchmark struct {
	Graph  int     // number of the subgraph, 1 to 4
	Mu     float64 // μ, the mean of the subgraph's values in positive samples
	Trials int     // at least 1
	Train  int     // number of training samples; Train + Valid + Test must be even
	Valid  int
	Test   int
	Seed   uint64
}

var _ Source = Benchmark{}

// DefaultBenchmark returns the paper's settings for Graph01, with enough training samples for every figure.
func DefaultBenchmark() Benchmark {
	return Benchmark{Graph: 1, Mu: 0.3, Trials: 20, Train: 1000, Valid: 400, Test: 400, Seed: 1}
}

// leastMu and mostMu limit Mu, so that names are short.
const leastMu, mostMu = 1e-6, 1e6

// Validate returns an error that names every setting out of range.
func (b Benchmark) Validate() error {
	var faults []error
	if b.Graph < 1 || b.Graph > len(subgraphs) {
		faults = append(faults, fmt.Errorf("graph = %d, want 1 to %d", b.Graph, len(subgraphs)))
	}
	if !(b.Mu >= leastMu && b.Mu <= mostMu) {
		faults = append(faults, fmt.Errorf("mu = %v, want a number from %v to %v", b.Mu, leastMu, mostMu))
	}
	faults = append(faults, checkTrials(b.Trials))
	if err := b.sizes().check(); err != nil {
		faults = append(faults, err)
	} else if n := b.sizes().total(); n%2 != 0 {
		faults = append(faults, fmt.Errorf("%d samples, want an even number: half of them are positive", n))
	}
	return errors.Join(faults...)
}

// Name returns the dataset's name, such as "graph01-mu0.3".
func (b Benchmark) Name() string {
	mu := strconv.FormatFloat(b.Mu, 'f', -1, 64)
	if b.Mu == math.Trunc(b.Mu) {
		mu += ".0"
	}
	return fmt.Sprintf("graph%02d-mu%s", b.Graph, mu)
}

// Arguments implements Source.
func (b Benchmark) Arguments() string {
	return fmt.Sprintf("benchmark --graph %d --mu %s", b.Graph, strconv.FormatFloat(b.Mu, 'f', -1, 64))
}

var benchmarkName = regexp.MustCompile(`^graph(\d{2})-mu(\d+\.\d+)$`)

const benchmarkGenerator = "benchmark"

func benchmarkKind() kind {
	return kind{
		example: "graph01-mu0.3", others: "graph01 to graph04, any μ",
		generator: benchmarkGenerator, standardised: overAllSplits,
		parse: func(name string, opt Options) (Source, bool) {
			m := benchmarkName.FindStringSubmatch(name)
			if m == nil {
				return nil, false
			}
			b := DefaultBenchmark()
			b.Graph, _ = strconv.Atoi(m[1])
			b.Mu, _ = strconv.ParseFloat(m[2], 64)
			b.Trials, b.Seed = opt.Trials, opt.Seed
			return b, true
		},
	}
}

// Subgraph returns the ascending indices of the subgraph's nodes. The caller must not modify the slice.
func (b Benchmark) Subgraph() []int32 { return subgraphs[b.Graph-1] }

//go:embed subgraphs.json
var subgraphsJSON []byte

var subgraphs = readSubgraphs()

func readSubgraphs() [4][]int32 {
	var file struct{ Subgraphs map[string][]int32 }
	if err := json.Unmarshal(subgraphsJSON, &file); err != nil {
		panic("simulate: the embedded subgraphs: " + err.Error())
	}
	var out [4][]int32
	for i := range out {
		out[i] = file.Subgraphs[fmt.Sprintf("graph%02d", i+1)]
	}
	return out
}

// Features returns the grid's features. The truth is μ on the subgraph, and groups are 3 × 3 squares.
func (b Benchmark) Features() *samples.Features {
	f := gridFeatures(side, groupSide)
	for _, i := range b.Subgraph() {
		f.Truth[i] = b.Mu
	}
	return f
}

// Write implements Source.
func (b Benchmark) Write(out string, place seal.Output, done func(trial int)) (dir string, err error) {
	if err := b.Validate(); err != nil {
		return "", err
	}
	d := &draft{
		name: b.Name(), trials: b.Trials, sizes: b.sizes(),
		graph: graph.Grid(side, side), features: b.Features(),
		settings: map[string]string{
			generatorKey: benchmarkGenerator,
			"graph":      strconv.Itoa(b.Graph),
			"mu":         strconv.FormatFloat(b.Mu, 'g', -1, 64),
			"seed":       strconv.FormatUint(b.Seed, 10),
		},
		draw: func(trial int) trialDraw {
			x, y := b.Draw(trial)
			return trialDraw{rows: rowsOf(y, x)}
		},
	}
	return d.write(out, place, done)
}

func (b Benchmark) sizes() sizes { return sizes{b.Train, b.Valid, b.Test} }

// Draw returns the samples of one trial, row by row, and their labels. Half of the samples are positive, in random
// order. Features are standardised over all splits together.
func (b Benchmark) Draw(trial int) (x, y []float64) {
	p, n := side*side, b.sizes().total()
	rng := samples.TrialRand(b.Seed, b.Name(), trial)
	y = shuffledLabels(rng, 1, n)
	x = make([]float64, n*p)
	for i := range y {
		row := x[i*p : (i+1)*p]
		fillNormal(rng, row)
		if y[i] > 0 {
			for _, j := range b.Subgraph() {
				row[j] += b.Mu
			}
		}
	}
	standardise(x, p)
	return x, y
}
