package simulate

import (
	"fmt"

	"graphda/io/samples"
)

// gridFeatures returns the features of a side × side grid, row by row: names, rows and
// columns, and as groups its squares of groupSide × groupSide. The truth is zero.
func gridFeatures(side, groupSide int) *samples.Features {
	p, across := side*side, side/groupSide
	f := &samples.Features{
		Names: make([]string, p), Truth: make([]float64, p),
		Row: make([]float64, p), Col: make([]float64, p),
		Groups: make([][]int32, across*across),
	}
	for i := range p {
		row, col := i/side, i%side
		f.Names[i] = fmt.Sprintf("r%02dc%02d", row, col)
		f.Row[i], f.Col[i] = float64(row), float64(col)
		k := row/groupSide*across + col/groupSide
		f.Groups[k] = append(f.Groups[k], int32(i))
	}
	return f
}
