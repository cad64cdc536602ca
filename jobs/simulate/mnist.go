package simulate

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/io/seal"
)

// A Model says how an image's pixels become the true weights w*.
type Model string

const (
	Normalized Model = "normalized" // pixel/255
	Constant   Model = "constant"   // 1 if the pixel is not 0, else 0
	Gaussian   Model = "gaussian"   // a draw from N(0,1), new in each trial, if the pixel is not 0
)

// Models returns all models.
func Models() []Model { return []Model{Normalized, Constant, Gaussian} }

// MNIST describes one dataset of the paper's regression on handwritten digits. The sparsest connected training image of
// a digit becomes w*. x is N(0,1)/√n, where n is the number of samples in all splits, and y = ⟨x,w*⟩.
type MNIST struct {
	Digit  int // 0 to 9
	Model  Model
	Trials int // at least 1
	Train  int // number of training samples
	Valid  int
	Test   int
	Seed   uint64
	Images string // IDX file of training images
	Labels string // IDX file of the images' labels
}

var _ Source = MNIST{}

// DefaultMNIST returns the paper's settings for digit 0. The caller sets the paths.
func DefaultMNIST() MNIST {
	return MNIST{Digit: 0, Model: Normalized, Trials: 20, Train: 1000, Valid: 200, Test: 200, Seed: 1}
}

// Validate returns an error that names every setting out of range. It opens no file.
func (m MNIST) Validate() error {
	var faults []error
	if m.Digit < 0 || m.Digit > 9 {
		faults = append(faults, fmt.Errorf("digit = %d, want 0 to 9", m.Digit))
	}
	if !slices.Contains(Models(), m.Model) {
		faults = append(faults, fmt.Errorf("model = %q, want %s", m.Model, joined(Models())))
	}
	return errors.Join(append(faults, checkTrials(m.Trials), m.sizes().check())...)
}

func joined(models []Model) string {
	var names []string
	for _, m := range models {
		names = append(names, string(m))
	}
	return strings.Join(names, ", ")
}

// Name returns the dataset's name, such as "mnist-0-normalized".
func (m MNIST) Name() string { return fmt.Sprintf("mnist-%d-%s", m.Digit, m.Model) }

// Arguments implements Source.
func (m MNIST) Arguments() string {
	return fmt.Sprintf("mnist --digit %d --model %s", m.Digit, m.Model)
}

var mnistName = regexp.MustCompile(`^mnist-(\d+)-([a-z]+)$`)

// mnistFolder is the name of MNIST's folder in the folder of raw files.
const mnistFolder = "mnist"

func mnistKind() kind {
	return kind{
		example: "mnist-0-normalized", others: "0 to 9; " + joined(Models()),
		raw: mnistFolder,
		parse: func(name string, opt Options) (Source, bool) {
			match := mnistName.FindStringSubmatch(name)
			if match == nil {
				return nil, false
			}
			m := DefaultMNIST()
			var err error
			if m.Digit, err = strconv.Atoi(match[1]); err != nil {
				return nil, false
			}
			m.Model, m.Trials, m.Seed = Model(match[2]), opt.Trials, opt.Seed
			return m, true
		},
		locate: func(s Source, raw string) (_ Source, err error) {
			m := s.(MNIST)
			m.Images, m.Labels, err = MNISTFiles(raw)
			return m, err
		},
	}
}

// MNISTFiles returns the paths of the training images and labels in raw/mnist.
func MNISTFiles(raw string) (images, labels string, err error) {
	images, err = rawFile(raw, mnistFolder, "train-images-idx3-ubyte.gz", "train-images-idx3-ubyte")
	if err != nil {
		return "", "", err
	}
	labels, err = rawFile(raw, mnistFolder, "train-labels-idx1-ubyte.gz", "train-labels-idx1-ubyte")
	return images, labels, err
}

// Write implements Source.
func (m MNIST) Write(out string, place seal.Output, done func(trial int)) (dir string, err error) {
	if err := m.Validate(); err != nil {
		return "", err
	}
	image, err := m.Image()
	if err != nil {
		return "", err
	}
	d := &draft{
		name: m.Name(), trials: m.Trials, sizes: m.sizes(),
		graph: graph.Grid(imageSide, imageSide),
		settings: map[string]string{
			"generator": "mnist",
			"digit":     strconv.Itoa(m.Digit),
			"model":     string(m.Model),
			"image":     strconv.Itoa(image.Index),
			"seed":      strconv.FormatUint(m.Seed, 10),
		},
		draw: func(trial int) trialDraw { return m.draw(image, trial) },
	}
	if m.Model != Gaussian {
		d.features = m.features(m.truth(image, nil))
	}
	return d.write(out, place, done)
}

func (m MNIST) sizes() sizes { return sizes{m.Train, m.Valid, m.Test} }

// features returns the pixels as features with the given truth. Groups are squares of 2 × 2 pixels.
func (m MNIST) features(truth []float64) *samples.Features {
	f := gridFeatures(imageSide, cellSide)
	f.Truth = truth
	return f
}

// truth returns w*. Only the model Gaussian uses rng.
func (m MNIST) truth(image *Image, rng *rand.Rand) []float64 {
	w := make([]float64, len(image.Pixels))
	for i, pixel := range image.Pixels {
		switch {
		case pixel == 0:
		case m.Model == Normalized:
			w[i] = float64(pixel) / math.MaxUint8
		case m.Model == Constant:
			w[i] = 1
		case m.Model == Gaussian:
			w[i] = rng.NormFloat64()
		}
	}
	return w
}

// draw begins a trial. The samples are drawn later, one after the other.
func (m MNIST) draw(image *Image, trial int) trialDraw {
	rng := samples.TrialRand(m.Seed, m.Name(), trial)
	w := m.truth(image, rng)
	t := trialDraw{rows: m.rows(rng, w)}
	if m.Model == Gaussian {
		t.features = m.features(w)
	}
	return t
}

func (m MNIST) rows(rng *rand.Rand, w []float64) iter.Seq2[float64, []float64] {
	return func(yield func(float64, []float64) bool) {
		n := m.sizes().total()
		scale := 1 / math.Sqrt(float64(n))
		x := make([]float64, len(w))
		for range n {
			fillNormal(rng, x)
			floats.Scale(scale, x)
			if !yield(floats.Dot(x, w), x) {
				return
			}
		}
	}
}

// Image returns the digit's image with the fewest nonzero pixels, among images with at most 100 nonzero pixels that are
// connected on the grid. Ties go to the first image in the file.
func (m MNIST) Image() (*Image, error) {
	if m.Images == "" || m.Labels == "" {
		return nil, errors.New("mnist: the files of training images and labels are not named")
	}
	images, err := readImages(m.Images)
	if err != nil {
		return nil, err
	}
	if images.Rows != imageSide || images.Cols != imageSide {
		return nil, fmt.Errorf("%s: has images of %d × %d pixels, want %d × %d", m.Images, images.Rows, images.Cols,
			imageSide, imageSide)
	}
	labels, err := readLabels(m.Labels)
	if err != nil {
		return nil, err
	}
	if len(labels) != images.N {
		return nil, fmt.Errorf("%s: has %d labels, want %d, one for each image of %s", m.Labels, len(labels), images.N,
			m.Images)
	}
	for i, label := range labels {
		if label > 9 {
			return nil, fmt.Errorf("%s: label %d (counting from 0) is %d, want a digit of 0 to 9", m.Labels, i, label)
		}
	}
	best := sparsest(images, labels, uint8(m.Digit))
	if best == nil {
		return nil, fmt.Errorf("%s: no image of the digit %d has one connected component of 1 to %d nonzero pixels", m.Images,
			m.Digit, maxNonzeros)
	}
	return best, nil
}

// imageSide is the width of an image, in pixels. cellSide is the width of a group.
const (
	imageSide = 28
	cellSide  = 2
)

// An Image is an MNIST image.
type Image struct {
	Index   int     // index in the file
	Pixels  []uint8 // row by row
	Support []int32 // indices of nonzero pixels, ascending
}

// maxNonzeros is the paper's largest number of nonzero pixels in an image.
const maxNonzeros = 100

// sparsest returns the image for w* (see MNIST.Image), or nil.
func sparsest(images *imageSet, labels []uint8, digit uint8) *Image {
	grid := graph.Grid(images.Cols, images.Rows)
	var best *Image
	most := maxNonzeros
	for i, label := range labels {
		if label != digit {
			continue
		}
		var s []int32
		for at, pixel := range images.image(i) {
			if pixel != 0 {
				s = append(s, int32(at))
			}
		}
		if len(s) == 0 || len(s) > most {
			continue
		}
		sub, _, err := grid.Induced(s)
		if err != nil {
			panic(err) // cannot happen with distinct nodes
		}
		if _, components := sub.Components(); components > 1 {
			continue
		}
		best = &Image{Index: i, Pixels: slices.Clone(images.image(i)), Support: s}
		most = len(s) - 1 // later images must have fewer nonzero pixels
	}
	return best
}
