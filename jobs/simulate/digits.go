package simulate

import (
	"slices"

	"graphda/graph"
	"graphda/io/idx"
)

// imageSide is the width and height of an MNIST image, cellSide that of its groups.
const (
	imageSide = 28
	cellSide  = 2
)

// An Image is one image of a digit.
type Image struct {
	Index   int     // in the file, counting from 0
	Pixels  []uint8 // row by row
	Support []int32 // the pixels that are not 0, ascending
}

// maxNonzeros is the most that an image of the paper's may have.
const maxNonzeros = 100

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
