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
		var s []int32
		for at, pixel := range images.Image(i) {
			if pixel != 0 {
				s = append(s, int32(at))
			}
		}
		if len(s) == 0 || len(s) > most {
			continue
		}
		sub, _, err := grid.Induced(s)
		if err != nil {
			panic(err) // distinct nodes of the graph are no error
		}
		if _, components := sub.Components(); components > 1 {
			continue
		}
		best = &Image{Index: i, Pixels: slices.Clone(images.Image(i)), Support: s}
		most = len(s) - 1 // a later image must have fewer
	}
	return best
}
