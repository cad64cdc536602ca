package tuning

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/stats"
)

// TestTuneStudy counts how often tune says that it has found something, in data with and without a signal. It makes the
// table of docs/measured.md. See jobstest.Study. GRAPHDA_STUDY_METHODS has the methods, separated by commas, or is
// empty for all methods. GraphDA takes most of the time.
func TestTuneStudy(t *testing.T) {
	t.Log("\n" + tuneStudyTable(jobstest.Study(t, tuneDrawings(), tuneDrawing.called, studied200, func(d tuneDrawing, draw int) []float64 {
		return d.tune(t, draw, studiedMethods())
	})))
}

func (d tuneDrawing) called() string { return d.name }

func studied200(tuneDrawing) int { return 200 }

func studiedMethods() []string {
	return strings.FieldsFunc(os.Getenv("GRAPHDA_STUDY_METHODS"), func(r rune) bool { return r == ',' })
}

// TestRaceStudy compares the race with the whole grid, on ten splits of each draw. It counts how many settings are
// learned on a split, and how often both choose the same setting. It measures the difference of the chosen settings on
// the test samples, with its standard error. For both, it records whether something is found, and the AUC or R² that is
// shown. If no setting is dropped, both are the same.
func TestRaceStudy(t *testing.T) {
	called := func(d tuneDrawing) string { return "race: " + d.name }
	jobstest.Study(t, tuneDrawings(), called, studied200, func(d tuneDrawing, draw int) []float64 {
		ctx := context.Background()
		d.splits = 10
		dir, _ := d.draw(t, draw)
		var tuners [2]*Tuner
		var learned, found, shown [2]float64
		for i := range tuners {
			tu := must1(New(Request{Dataset: dir, Methods: studiedMethods()}))
			tu.unraced = i == 1
			must(t, tu.Choose(ctx))
			for _, s := range tu.Answer.Tried {
				learned[i] += float64(s.Splits)
			}
			if tuners[i] = tu; i == 0 && learned[0] == float64(10*len(tu.Answer.Tried)) {
				return []float64{learned[0], learned[0], 1, 0, 0, 0, 0, 0, 0}
			}
		}
		raced, whole := tuners[0].Answer.Chosen, tuners[1].Answer.Chosen
		same, differences := 0.0, make([]float64, len(raced.test))
		if raced.Setting == whole.Setting {
			same = 1
		}
		for i := range differences {
			differences[i] = raced.test[i] - whole.test[i]
		}
		for i, tu := range tuners {
			must(t, tu.crossValidate(ctx))
			must(t, tu.expect(ctx))
			if shown[i] = tu.Answer.Found.Mean; tu.Answer.Found.Low > tu.Answer.Found.Guess {
				found[i] = 1
			}
		}
		must(t, os.RemoveAll(dir))
		by, std := stat.PopMeanStdDev(differences, nil)
		return []float64{learned[0], learned[1], same, by,
			stats.StandardError(std, len(differences), tuners[0].Answer.Overlap), found[0], found[1],
			shown[0], shown[1]}
	})
}

// A tuneDrawing draws samples of features on a grid of rows by columns.
type tuneDrawing struct {
	name          string
	rows, columns int
	units, each   int     // number of patients, and samples of each
	positives     float64 // share of positive patients
	tiles         float64 // correlation of the features of a 5 × 5 tile
	patients      float64 // correlation of the samples of a patient
	tails         bool    // Student's t with three degrees of freedom instead of normal noise
	shift         float64 // shift of the positive class, in the square of 5 × side features at (5, 5)
	side          int
	numbers       bool // y is shift times the sum over that square, with noise of variance 1, and no feature is shifted
	splits        int
}

func tuneDrawings() []tuneDrawing {
	base := tuneDrawing{rows: 20, columns: 25, units: 200, each: 1, positives: 0.5, splits: 20}
	drawn := func(name string, change func(d *tuneDrawing)) tuneDrawing {
		d := base
		d.name = name
		change(&d)
		return d
	}
	return []tuneDrawing{
		drawn("noise", func(*tuneDrawing) {}),
		drawn("noise in tiles of correlation 0.8", func(d *tuneDrawing) { d.tiles = 0.8 }),
		drawn("noise with 5 % cases", func(d *tuneDrawing) { d.positives = 0.05 }),
		drawn("noise of 60 patients × 5", func(d *tuneDrawing) { d.units, d.each, d.patients = 60, 5, 0.8 }),
		drawn("noise with heavy tails", func(d *tuneDrawing) { d.tails = true }),
		drawn("20 independent features (model near 0.70)", func(d *tuneDrawing) { d.shift, d.side = 0.3, 4 }),
		drawn("20 independent features (model near 0.80)", func(d *tuneDrawing) { d.shift, d.side = 0.36, 4 }),
		drawn("a tile of correlation 0.8 (truth 0.70)", func(d *tuneDrawing) { d.tiles, d.shift, d.side = 0.8, 0.667, 5 }),
		drawn("a tile of correlation 0.8 (truth 0.80)", func(d *tuneDrawing) { d.tiles, d.shift, d.side = 0.8, 1.07, 5 }),
		drawn("numbers without a signal (R²)", func(d *tuneDrawing) { d.numbers = true }),
		drawn("numbers of a tile (truth R² 0.30)", func(d *tuneDrawing) {
			d.numbers, d.tiles, d.shift, d.side = true, 0.8, 0.0292, 5 // 0.0292²·(25 + 25·24·0.8) = 0.3/0.7
		}),
	}
}

// tune draws samples and tunes. It returns whether something was found, the AUC or R² with its interval, the chosen
// setting's mean score on the test samples, and the model's score on fresh samples.
func (d tuneDrawing) tune(t *testing.T, draw int, methods []string) []float64 {
	dir, r := d.draw(t, draw)
	a := must1(Tune(context.Background(), Request{Dataset: dir, Methods: methods}))
	must(t, os.RemoveAll(dir))
	found := 0.0
	if a.Found.Low > a.Found.Guess { // applies to 5 % cases too, which tune calls too few for a verdict
		found = 1
	}
	d.units, d.each, d.positives = 2000, 1, 0.5
	x, y := d.samples(r)
	scores, z := make([]float64, len(y)), make([]float64, len(x[0]))
	for i := range x {
		a.Model.Scaling.Apply(z, x[i])
		scores[i] = a.Model.Weights[0].Score(z)
	}
	fresh := 1 - metrics.MSE(scores, y)/stat.PopVariance(y, nil)
	if !d.numbers {
		fresh = new(metrics.Evaluator).Classify(scores, y).AUC
	}
	return []float64{found, a.Found.Mean, a.Found.Low, a.Found.High, a.Chosen.Test, fresh}
}

// draw writes a dataset and returns the random numbers for fresh samples.
func (d tuneDrawing) draw(t *testing.T, draw int) (dir string, r *rand.Rand) {
	dir = filepath.Join(t.TempDir(), "mine")
	r = rand.New(rand.NewPCG(uint64(draw), uint64(len(d.name))))
	for _, c := range d.name {
		r = rand.New(rand.NewPCG(r.Uint64(), uint64(c)))
	}
	d.write(t, dir, r)
	return dir, r
}

// samples draws all samples. The samples of a patient follow each other.
func (d tuneDrawing) samples(r *rand.Rand) (x [][]float64, y []float64) {
	p := d.rows * d.columns
	for unit := range d.units {
		label := -1.0
		if float64(unit) < d.positives*float64(d.units) {
			label = 1
		}
		own := d.noise(r)
		for range d.each {
			row, target := d.noise(r), 0.0
			if d.numbers {
				target = r.NormFloat64()
			}
			for j := range p {
				row[j] = math.Sqrt(d.patients)*own[j] + math.Sqrt(1-d.patients)*row[j]
				at, down := j%d.columns-5, j/d.columns-5
				switch inside := at >= 0 && at < d.side && down >= 0 && down < 5; {
				case inside && d.numbers:
					target += d.shift * row[j]
				case inside && label > 0:
					row[j] += d.shift
				}
			}
			if !d.numbers {
				target = label
			}
			x, y = append(x, row), append(y, target)
		}
	}
	return x, y
}

func (d tuneDrawing) noise(r *rand.Rand) []float64 {
	const side = 5
	across := (d.columns + side - 1) / side
	row, tiles := make([]float64, d.rows*d.columns), make([]float64, across*(d.rows+side-1)/side)
	for i := range tiles {
		tiles[i] = r.NormFloat64()
	}
	for j := range row {
		scale := 1.0
		if d.tails { // normal over √(χ²/3) with 3 degrees of freedom; standardising removes its variance of 3
			squares := 0.0
			for range 3 {
				z := r.NormFloat64()
				squares += z * z
			}
			scale = math.Sqrt(3 / squares)
		}
		tile := tiles[j/d.columns/side*across+j%d.columns/side]
		row[j] = scale * (math.Sqrt(d.tiles)*tile + math.Sqrt(1-d.tiles)*r.NormFloat64())
	}
	return row
}

// write writes a dataset with random splits of the patients, 60 : 20 : 20 in each class.
func (d tuneDrawing) write(t *testing.T, dir string, r *rand.Rand) {
	x, y := d.samples(r)
	jobstest.WriteStructure(t, dir, graph.Grid(d.rows, d.columns), nil)
	d.split(t, dir, r, x, y)
}

func (d tuneDrawing) split(t *testing.T, dir string, r *rand.Rand, x [][]float64, y []float64) {
	header := samples.SamplesHeader{Features: len(x[0]), IDs: true, Patients: d.each > 1, Metadata: map[string]string{samples.SameSamplesKey: "yes"}}
	for trial := range d.splits {
		split := make([]samples.Split, d.units)
		seen := map[float64]int{}
		order := r.Perm(d.units)
		for _, unit := range order {
			label, total := y[unit*d.each], math.Round(d.positives*float64(d.units))
			switch {
			case d.numbers:
				label, total = 0, float64(d.units)
			case label < 0:
				total = float64(d.units) - total
			}
			switch share := float64(seen[label]) / total; {
			case share < 0.2:
				split[unit] = samples.Test
			case share < 0.4:
				split[unit] = samples.Valid
			}
			seen[label]++
		}
		var all []samples.Sample
		for _, i := range r.Perm(len(y)) {
			sample := samples.Sample{ID: "S" + strconv.Itoa(i), Split: split[i/d.each], Y: y[i], X: x[i]}
			if d.each > 1 {
				sample.Patient = "P" + strconv.Itoa(i/d.each)
			}
			all = append(all, sample)
		}
		jobstest.WriteTrial(t, dir, trial, header, all)
	}
}

// tuneStudyTable shows, for each setting, how often tune found something, with the 95 % interval of
// this share, and means.
func tuneStudyTable(done map[string]map[int][]float64) string {
	var b strings.Builder
	b.WriteString("| setting | draws | found | 95 % interval | AUC shown | of the chosen setting | of the model, fresh samples |\n" +
		"|---|---:|---:|---:|---:|---:|---:|\n")
	for _, d := range tuneDrawings() {
		n, columns := float64(len(done[d.name])), jobstest.Columns(done[d.name])
		if n == 0 {
			continue
		}
		share, k := stat.Mean(columns[0], nil), 1.96*1.96/n // Wilson's interval
		middle, half := (share+k/2)/(1+k), math.Sqrt(k*(k/4+share*(1-share)))/(1+k)
		fmt.Fprintf(&b, "| %s | %.0f | %.0f | %.1f to %.1f %% | %.3f | %.3f | %.3f |\n", d.name, n, n*share,
			100*max(0, middle-half), 100*min(1, middle+half), stat.Mean(columns[1], nil), stat.Mean(columns[4], nil),
			stat.Mean(columns[5], nil))
	}
	return b.String()
}
