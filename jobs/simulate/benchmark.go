package simulate

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/samples"
)

// side is the benchmark grid's width and height; groupSide that of its groups.
const (
	side      = 33
	groupSide = 3
)

// Benchmark describes one benchmark dataset: a subgraph of the 33 × 33 grid whose nodes
// are raised by Mu in positive samples. Arias-Castro, Candès and Durand, Detection of an
// anomalous cluster in a network, Annals of Statistics 2011.
type Benchmark struct {
	Graph  int     // 1 to 4, the subgraph
	Mu     float64 // μ > 0, the mean of a raised node
	Trials int     // at least 1
	Train  int     // samples of each split; their sum is even
	Valid  int
	Test   int
	Seed   uint64
}

// DefaultBenchmark is the paper's setting of Graph01: μ = 0.3, 20 trials, and training
// samples for every number that its figures ask for.
func DefaultBenchmark() Benchmark {
	return Benchmark{Graph: 1, Mu: 0.3, Trials: 20, Train: 1000, Valid: 400, Test: 400, Seed: 1}
}

// Validate reports every setting that is out of range.
func (b Benchmark) Validate() error {
	var faults []error
	if b.Graph < 1 || b.Graph > len(subgraphs) {
		faults = append(faults, fmt.Errorf("graph = %d, want 1 to %d", b.Graph, len(subgraphs)))
	}
	if !(b.Mu > 0) || math.IsInf(b.Mu, 1) {
		faults = append(faults, fmt.Errorf("mu = %v, want a number above 0", b.Mu))
	}
	if b.Trials < 1 {
		faults = append(faults, fmt.Errorf("trials = %d, want at least 1", b.Trials))
	}
	if b.Train < 1 || b.Valid < 1 || b.Test < 1 {
		faults = append(faults, fmt.Errorf("splits of %d, %d and %d samples, want at least 1 each", b.Train, b.Valid, b.Test))
	} else if (b.Train+b.Valid+b.Test)%2 != 0 {
		faults = append(faults, fmt.Errorf("%d samples, want an even number: half of them are positive", b.Train+b.Valid+b.Test))
	}
	return errors.Join(faults...)
}

// Name returns the dataset's name, as in "graph01-mu0.3": μ with at least one decimal.
func (b Benchmark) Name() string {
	mu := strconv.FormatFloat(b.Mu, 'f', -1, 64)
	if b.Mu == math.Trunc(b.Mu) {
		mu += ".0"
	}
	return fmt.Sprintf("graph%02d-mu%s", b.Graph, mu)
}

// Subgraph returns the ascending nodes of the subgraph. The slice must not be modified.
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

// Features returns the grid's features: the truth is μ on the subgraph, the groups are
// the 3 × 3 squares, and every node has its row and column.
func (b Benchmark) Features() *samples.Features {
	p := side * side
	f := &samples.Features{
		Names: make([]string, p), Truth: make([]float64, p),
		Row: make([]float64, p), Col: make([]float64, p),
		Groups: make([][]int32, (side/groupSide)*(side/groupSide)),
	}
	for i := range p {
		row, col := i/side, i%side
		f.Names[i] = fmt.Sprintf("r%02dc%02d", row, col)
		f.Row[i], f.Col[i] = float64(row), float64(col)
		k := row/groupSide*(side/groupSide) + col/groupSide
		f.Groups[k] = append(f.Groups[k], int32(i))
	}
	for _, i := range b.Subgraph() {
		f.Truth[i] = b.Mu
	}
	return f
}

// Write writes the dataset into the directory out/Name() and returns that directory. It
// replaces files of its own names; if there are trials beyond its own, of another draw,
// the error wraps fs.ErrExist. After each trial it calls done, if that is not nil.
func (b Benchmark) Write(out string, done func(trial int)) (dir string, err error) {
	if err := b.Validate(); err != nil {
		return "", err
	}
	dir = filepath.Join(out, b.Name())
	if _, err := os.Stat(trialDir(dir, b.Trials)); err == nil {
		return "", fmt.Errorf("%s is there, of a draw with more trials; remove it or choose another folder: %w", trialDir(dir, b.Trials), fs.ErrExist)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	features := b.Features()
	if err := samples.WriteFeatures(filepath.Join(dir, "features.parquet"), features); err != nil {
		return "", err
	}
	if err := samples.WriteGraph(filepath.Join(dir, "graph.parquet"), graph.Grid(side, side), nil); err != nil {
		return "", err
	}
	for trial := range b.Trials {
		if err := b.writeTrial(dir, trial); err != nil {
			return "", err
		}
		if done != nil {
			done(trial)
		}
	}
	return dir, nil
}

func trialDir(dir string, trial int) string {
	return filepath.Join(dir, fmt.Sprintf("trial-%02d", trial))
}

func (b Benchmark) writeTrial(dir string, trial int) error {
	folder := trialDir(dir, trial)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	x, y := b.Draw(trial)
	w, err := samples.NewSamplesWriter(filepath.Join(folder, "samples.parquet"), side*side, map[string]string{
		"generator": "benchmark",
		"graph":     strconv.Itoa(b.Graph),
		"mu":        strconv.FormatFloat(b.Mu, 'g', -1, 64),
		"seed":      strconv.FormatUint(b.Seed, 10),
		"trial":     strconv.Itoa(trial),
	})
	if err != nil {
		return err
	}
	for i := range y {
		split := samples.Test
		if i < b.Train {
			split = samples.Train
		} else if i < b.Train+b.Valid {
			split = samples.Valid
		}
		if err := w.Append(split, y[i], x[i*side*side:(i+1)*side*side]); err != nil {
			w.Abort()
			return err
		}
	}
	return w.Close()
}

// Draw returns the samples of one trial, row by row, and their labels: all splits drawn
// together, half of them positive, shuffled, and every feature standardised over all.
func (b Benchmark) Draw(trial int) (x, y []float64) {
	p, n := side*side, b.Train+b.Valid+b.Test
	rng := source(b.Seed, b.Name(), trial)
	y = make([]float64, n)
	for i := range y {
		y[i] = 1
		if i >= n/2 {
			y[i] = -1
		}
	}
	rng.Shuffle(n, func(i, j int) { y[i], y[j] = y[j], y[i] })
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

func fillNormal(rng *rand.Rand, x []float64) {
	for i := range x {
		x[i] = rng.NormFloat64()
	}
}

// standardise gives every column of the row-major matrix of p columns mean 0 and
// population standard deviation 1; a constant column becomes 0.
func standardise(x []float64, p int) {
	column := make([]float64, len(x)/p)
	for j := range p {
		for i := range column {
			column[i] = x[i*p+j]
		}
		mean, variance := stat.PopMeanVariance(column, nil)
		scale := 0.0
		if variance > 0 {
			scale = 1 / math.Sqrt(variance)
		}
		for i, v := range column {
			x[i*p+j] = (v - mean) * scale
		}
	}
}
