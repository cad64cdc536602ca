package simulate

import (
	"errors"
	"fmt"
	"slices"

	"graphda/graph"
	"graphda/io/idx"
)

// maxNonzeros is the most that an image of the paper's may have.
const maxNonzeros = 100

// An Image is one image of a digit.
type Image struct {
	Index   int     // in the file, counting from 0
	Pixels  []uint8 // row by row
	Support []int32 // the pixels that are not 0, ascending
}

// Image reads the files and returns the digit's sparsest image of those whose nonzero
// pixels are at most 100 and hang together, each with its four neighbours. Of several, the
// first in the file is taken.
func (m MNIST) Image() (*Image, error) {
	if m.Images == "" || m.Labels == "" {
		return nil, errors.New("mnist: the files of training images and labels are not named")
	}
	images, err := idx.ReadImages(m.Images)
	if err != nil {
		return nil, err
	}
	if images.Rows != imageSide || images.Cols != imageSide {
		return nil, fmt.Errorf("%s: has images of %d × %d pixels, want %d × %d", m.Images, images.Rows, images.Cols,
			imageSide, imageSide)
	}
	labels, err := idx.ReadLabels(m.Labels)
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

// sparsest returns the connected image of the digit with the fewest nonzero pixels, or nil.
func sparsest(images *idx.Images, labels []uint8, digit uint8) *Image {
	grid := graph.Grid(images.Cols, images.Rows)
	var best *Image
	most := maxNonzeros
	for i, label := range labels {
		if label != digit {
			continue
		}
		s := support(images.Image(i))
		if len(s) == 0 || len(s) > most || !connected(grid, s) {
			continue
		}
		best = &Image{Index: i, Pixels: slices.Clone(images.Image(i)), Support: s}
		most = len(s) - 1 // a later image must have fewer
	}
	return best
}

func support(pixels []uint8) []int32 {
	var s []int32
	for i, pixel := range pixels {
		if pixel != 0 {
			s = append(s, int32(i))
		}
	}
	return s
}

// connected tells whether the nodes are connected among themselves.
func connected(g *graph.Graph, nodes []int32) bool {
	sub, _, err := g.Induced(nodes)
	if err != nil {
		return false // distinct nodes of the graph are no error
	}
	_, components := sub.Components()
	return components == 1
}
