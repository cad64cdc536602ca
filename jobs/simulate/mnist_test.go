package simulate

import (
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

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/io/samples"
	"graphda/jobs/simulate/simulatetest"
)

// fewMNIST returns a dataset with few samples of a made-up digit.
func fewMNIST(tb testing.TB, digit int, model Model) MNIST {
	tb.Helper()
	m := DefaultMNIST()
	m.Digit, m.Model, m.Trials, m.Train, m.Valid, m.Test = digit, model, 2, 50, 30, 20
	var err error
	m.Images, m.Labels, err = MNISTFiles(simulatetest.Raw(tb))
	must(tb, err)
	return m
}

// sparsest agrees with a search through all images that connects pixels in another way.
func TestSparsestByBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const side, n = 5, 3000
	images := &imageSet{N: n, Rows: side, Cols: side, Pixels: make([]byte, n*side*side)}
	labels := make([]byte, n)
	for i := range n {
		labels[i] = byte(rng.IntN(10))
		for j := range side * side {
			if rng.Float64() < 0.25 {
				images.image(i)[j] = byte(1 + rng.IntN(255))
			}
		}
		images.image(i)[rng.IntN(side*side)] = 0
	}
	for digit := range byte(10) {
		best, fewest := -1, math.MaxInt
		for i := range n {
			if size, one := largest(images.image(i), side); labels[i] == digit && one && size < fewest && size > 0 {
				best, fewest = i, size
			}
		}
		if got := sparsest(images, labels, digit); got == nil || got.Index != best {
			t.Errorf("digit %d: %+v, want image %d", digit, got, best)
		}
	}
}

// largest spreads from the first nonzero pixel until nothing changes. It returns the number of pixels reached, and
// whether these are all nonzero pixels.
func largest(pixels []byte, side int) (size int, all bool) {
	reached := map[[2]int]bool{}
	total := 0
	for i, v := range pixels {
		if v > 0 {
			total++
			if len(reached) == 0 {
				reached[[2]int{i / side, i % side}] = true
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for i, v := range pixels {
			row, col := i/side, i%side
			if v == 0 || reached[[2]int{row, col}] {
				continue
			}
			for _, d := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
				if reached[[2]int{row + d[0], col + d[1]}] {
					reached[[2]int{row, col}], grown = true, true
				}
			}
		}
	}
	return len(reached), len(reached) == total
}

func TestTruth(t *testing.T) {
	pixels := simulatetest.Pictures()[5].Pixels()
	image := &Image{Pixels: pixels}
	rng := rand.New(rand.NewPCG(1, 2))
	again := rand.New(rand.NewPCG(1, 2))
	for _, model := range Models() {
		for i, w := range (MNIST{Model: model}).truth(image, rng) {
			want := 0.0
			if pixels[i] > 0 {
				want = map[Model]float64{Normalized: float64(pixels[i]) / 255, Constant: 1}[model]
				if model == Gaussian {
					want = again.NormFloat64()
				}
			}
			if w != want {
				t.Errorf("%s: pixel %d has weight %v, want %v", model, i, w, want)
			}
		}
	}
}

func TestWriteMNIST(t *testing.T) {
	for _, model := range Models() {
		m := fewMNIST(t, 3, model)
		image := must1(m.Image())
		var truths [2][]float64
		metadata := map[string]string{"generator": "mnist", "digit": "3", "model": string(model), "image": "5", "seed": "1"}
		dir := checkWritten(t, m, sizes{50, 30, 20}, metadata, func(trial int, got *samples.Trial) {
			f := got.Features
			truths[trial] = f.Truth
			if s := supportOf(f.Truth); !slices.Equal(s, image.Support) {
				t.Errorf("%s: the truth is on %v, want %v", model, s, image.Support)
			}
			for _, b := range []samples.Block{got.Train, got.Valid, got.Test} {
				for i, y := range b.Y {
					if want := floats.Dot(b.Row(i), f.Truth); math.Abs(y-want) > 1e-12 {
						t.Fatalf("%s: y = %v, want ⟨x,w*⟩ = %v", model, y, want)
					}
				}
			}
			checkGrid(t, got.Graph, 28)
			if len(f.Groups) != 196 || !slices.Equal(f.Groups[15], []int32{58, 59, 86, 87}) || f.Names[783] != "r27c27" || f.Row[57] != 2 || f.Col[57] != 1 {
				t.Errorf("%d groups, the 16th is %v; pixel 57 is at (%v, %v)", len(f.Groups), f.Groups[15], f.Row[57], f.Col[57])
			}
		})
		if slices.Equal(truths[0], truths[1]) == (model == Gaussian) {
			t.Errorf("%s: the trials' true vectors are %v and %v", model, truths[0], truths[1])
		}
		_, err := os.Stat(filepath.Join(dir, "features.parquet"))
		if _, own := os.Stat(filepath.Join(dir, "trial-01", "features.parquet")); (err == nil) == (model == Gaussian) || (own == nil) != (model == Gaussian) {
			t.Errorf("%s: features of the dataset: %v; of the trial: %v", model, err, own)
		}
	}
}

func supportOf[T float64 | byte](w []T) (s []int32) {
	for i, v := range w {
		if v != 0 {
			s = append(s, int32(i))
		}
	}
	return s
}

// drawn returns all samples of one trial.
func drawn(t *testing.T, m MNIST, trial int) (x, y, w []float64) {
	t.Helper()
	d := m.draw(must1(m.Image()), trial)
	for v, row := range d.rows {
		x, y = append(x, row...), append(y, v)
	}
	if d.features != nil {
		w = d.features.Truth
	}
	return x, y, w
}

func TestMomentsMNIST(t *testing.T) {
	m := fewMNIST(t, 3, Gaussian)
	m.Train, m.Valid, m.Test = 1000, 200, 200
	x, _, _ := drawn(t, m, 0)
	// For 1.1 million values, the standard error of the mean is 1/√(1400·1.1e6) = 2.5e-5, and of the variance
	// 1/1400·√(2/1.1e6) = 9.6e-7.
	mean, variance := stat.PopMeanVariance(x, nil)
	if math.Abs(mean) > 1e-4 || math.Abs(variance-1.0/1400) > 4e-6 {
		t.Errorf("mean %v, variance %v, want 0 and 1/1400", mean, variance)
	}
	if r := stat.Correlation(x[:784], x[784:1568], nil); math.Abs(r) > 0.15 {
		t.Errorf("two samples have correlation %v", r)
	}
	var weights []float64
	for trial := range 300 {
		rng := samples.TrialRand(m.Seed, m.Name(), trial)
		for _, v := range m.truth(&Image{Pixels: simulatetest.Pictures()[5].Pixels()}, rng) {
			if v != 0 {
				weights = append(weights, v)
			}
		}
	}
	// For 2,700 weights, the standard errors are 0.019 and 0.027.
	if mean, variance := stat.PopMeanVariance(weights, nil); len(weights) != 2700 || math.Abs(mean) > 0.08 || math.Abs(variance-1) > 0.11 {
		t.Errorf("%d weights of mean %v and variance %v", len(weights), mean, variance)
	}
}

// These values were printed by this program; see TestGoldenKEGG.
func TestGoldenMNIST(t *testing.T) {
	for model, want := range map[Model]string{
		Constant: "-0.054007038890 -0.052225419396 -0.178331682927 0.083076135199",
		Gaussian: "0.072240284344 0.014504489234 0.181674903311 -0.033780121354",
	} {
		x, y, _ := drawn(t, fewMNIST(t, 3, model), 1)
		if got := fmt.Sprintf("%.12f %.12f %.12f %.12f", x[0], x[1], x[len(x)-1], y[0]); got != want {
			t.Errorf("%s: %s, want %s", model, got, want)
		}
	}
}

// The counts are from the paper's images. The file beside the images was made by another program.
func TestRealMNIST(t *testing.T) {
	raw := realData(t)
	images, labels, err := MNISTFiles(raw)
	must(t, err)
	f := must1(os.Open(filepath.Join(raw, "mnist", "sparse_digits.csv")))
	defer f.Close()
	rows := must1(csv.NewReader(f).ReadAll())
	if got := strings.Join(rows[0][:7], ","); got != "digit,split,index,nnz,sparsest_of_both,n_ties,n_candidates" {
		t.Fatalf("columns %s", got)
	}
	for digit, want := range []int{95, 34, 72, 59, 65, 63, 70, 60, 84, 68} {
		m := MNIST{Digit: digit, Images: images, Labels: labels}
		image := must1(m.Image())
		if len(image.Support) != want {
			t.Errorf("digit %d: image %d has %d nonzero pixels, want %d", digit, image.Index, len(image.Support), want)
		}
		for _, row := range rows[1:] {
			if row[0] != strconv.Itoa(digit) || row[1] != "train" || row[5] != "1" {
				continue // a tie: the file has another image
			}
			if row[2] != strconv.Itoa(image.Index) {
				t.Errorf("digit %d: image %d, want %s", digit, image.Index, row[2])
			}
			for i, pixel := range image.Pixels {
				if row[7+i] != strconv.Itoa(int(pixel)) {
					t.Fatalf("digit %d: pixel %d is %d, want %s", digit, i, pixel, row[7+i])
				}
			}
		}
	}
}
