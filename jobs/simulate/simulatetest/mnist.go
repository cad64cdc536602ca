package simulatetest

import (
	"encoding/binary"
	"testing"

	"graphda/io/seal/sealtest"
	"graphda/jobs/jobstest"
)

const side = 28 // of an image

// A Picture is a made-up image of a digit: strokes of pixels, of which later ones, and
// within each the later pixels, are darker.
type Picture struct {
	Digit   byte
	Strokes []Stroke
}

// A Stroke begins at a row and column and goes so many pixels to the right or, if that is
// 0, down.
type Stroke struct{ Row, Col, Right, Down int }

// Pixels returns the 28 × 28 pixels, row by row.
func (p Picture) Pixels() []byte {
	out := make([]byte, side*side)
	for k, s := range p.Strokes {
		for i := range max(s.Right, s.Down) {
			row, col := s.Row, s.Col+i
			if s.Down > 0 {
				row, col = s.Row+i, s.Col
			}
			out[row*side+col] = byte(255 - 10*k - i)
		}
	}
	return out
}

// Pictures returns the pictures that Raw writes. Every digit but 1 and 9 has one that the
// paper could choose; that of 3 is number 5.
func Pictures() []Picture {
	return []Picture{
		{3, []Stroke{{0, 0, 5, 0}, {1, 4, 0, 7}}},  // 12 pixels, an L
		{3, []Stroke{{3, 3, 2, 0}, {3, 7, 2, 0}}},  // two pieces
		{3, []Stroke{{3, 3, 2, 0}, {4, 5, 2, 0}}},  // touch at a corner only
		{3, []Stroke{{3, 26, 2, 0}, {4, 0, 2, 0}}}, // touch around the border only
		{3, nil}, // nothing
		{3, []Stroke{{10, 10, 0, 6}, {12, 11, 3, 0}}},                             // 9 pixels
		{3, []Stroke{{20, 10, 0, 6}, {22, 11, 3, 0}}},                             // 9 pixels, later
		{7, []Stroke{{1, 1, 6, 0}, {2, 6, 0, 9}}},                                 // the only 7
		{0, []Stroke{{0, 0, 28, 0}, {1, 0, 28, 0}, {2, 0, 28, 0}, {3, 0, 16, 0}}}, // 100 pixels
		{1, []Stroke{{0, 0, 28, 0}, {1, 0, 28, 0}, {2, 0, 28, 0}, {3, 0, 17, 0}}}, // 101
		{1, []Stroke{{0, 0, 0, 20}, {0, 5, 0, 20}}},                               // two pieces
		{2, []Stroke{{4, 10, 8, 0}, {5, 17, 0, 6}}},
		{4, []Stroke{{4, 6, 0, 8}, {11, 7, 10, 0}}},
		{5, []Stroke{{6, 6, 9, 0}, {7, 6, 0, 7}, {13, 7, 7, 0}}},
		{6, []Stroke{{2, 9, 0, 16}, {17, 10, 6, 0}}},
		{8, []Stroke{{5, 12, 0, 18}, {9, 13, 4, 0}}},
	}
}

// WriteMNIST writes the pictures and their labels into the folder mnist of raw, the one
// compressed and the other not.
func WriteMNIST(tb testing.TB, raw string, pictures ...Picture) {
	tb.Helper()
	var pixels, labels []byte
	for _, p := range pictures {
		pixels, labels = append(pixels, p.Pixels()...), append(labels, p.Digit)
	}
	n := uint32(len(pictures))
	jobstest.WriteFile(tb, raw, "mnist/train-images-idx3-ubyte.gz", string(sealtest.Gzip(IDX([]uint32{0x803, n, side, side}, pixels))))
	jobstest.WriteFile(tb, raw, "mnist/train-labels-idx1-ubyte", string(IDX([]uint32{0x801, n}, labels)))
}

// IDX returns the bytes of an IDX file.
func IDX(header []uint32, data []byte) []byte {
	var b []byte
	for _, n := range header {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return append(b, data...)
}
