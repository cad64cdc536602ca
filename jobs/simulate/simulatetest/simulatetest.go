// Package simulatetest writes made-up raw files for tests of simulated datasets: a few pictures instead of MNIST,
// and eight genes instead of KEGG.
package simulatetest

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"

	"graphda/io/seal/sealtest"
)

// Raw writes all raw files into a temporary folder, and returns the folder. The pictures are in its subfolder mnist,
// and the KEGG files in its subfolder kegg.
func Raw(tb testing.TB) string {
	tb.Helper()
	raw := tb.TempDir()
	WriteMNIST(tb, raw, Pictures()...)
	WriteKEGG(tb, raw, KEGGFiles(tb))
	return raw
}

func put(tb testing.TB, path string, data []byte) {
	tb.Helper()
	sealtest.Must(tb, os.MkdirAll(filepath.Dir(path), 0o777))
	sealtest.Must(tb, os.WriteFile(path, data, 0o666))
}

// There are 8 made-up genes. Gene 2 was not measured, gene 6 is constant, and gene 7 has no edge. The target pathway
// has the genes 1, 2 and 4.
const (
	Genes = "index,gene,kind,note,hsa05213\n" +
		"0,AAA,real,,0\n1,TP53,real,,1\n2,NUL1,null,,1\n3,BBB,filled,,0\n" +
		"4,MYC,real,,1\n5,CCC,real,,0\n6,FLAT,real,,0\n7,LONE,real,,0\n"
	Edges = "gene_a,gene_b,confidence,cost\n" +
		"AAA,TP53,0.9,0.5\nTP53,NUL1,,1.25\nNUL1,MYC,,0\nBBB,CCC,,1.4\nFLAT,AAA,,1\n"
	Pathways = "pathway_id,gene\nhsa05213,MYC\nhsa05213,TP53\nhsa05213,NUL1\n" +
		"hsa00001,AAA\nhsa00001,TP53\nhsa00001,BBB\nhsa00002,LONE\n"
)

// Expressions returns 40 samples of the genes. Columns are correlated, and their means and standard deviations differ.
func Expressions() *mat.Dense {
	rng := rand.New(rand.NewPCG(3, 4))
	d := mat.NewDense(40, 8, nil)
	for i := range 40 {
		common := rng.NormFloat64()
		for j := range 8 {
			d.Set(i, j, float64(j)-3+(0.4+0.1*float64(j))*rng.NormFloat64()+0.3*common*float64(j%3))
		}
		d.Set(i, 2, 0)
		d.Set(i, 6, 0.1)
	}
	return d
}

// KEGGFiles returns the contents of made-up KEGG files, by file name. They have the formats of the real files.
func KEGGFiles(tb testing.TB) map[string][]byte {
	tb.Helper()
	return map[string][]byte{
		"genes.csv":       []byte(Genes),
		"edges.csv.gz":    sealtest.Gzip(Edges),
		"pathways.csv.gz": sealtest.Gzip(Pathways),
		"expr.npy":        NPY(tb, Expressions()),
	}
}

// WriteKEGG writes files, a map from names to contents, into the folder raw/kegg.
func WriteKEGG(tb testing.TB, raw string, files map[string][]byte) {
	tb.Helper()
	for name, data := range files {
		put(tb, filepath.Join(raw, "kegg", name), data)
	}
}

// NPY returns the bytes of a NumPy file.
func NPY(tb testing.TB, d mat.Matrix) []byte {
	tb.Helper()
	var b bytes.Buffer
	sealtest.Must(tb, npy.Write(&b, d))
	return b.Bytes()
}

const side = 28 // width and height of an image

// A Picture is a made-up image of a digit, drawn with strokes. Pixel values decrease from stroke to stroke, and along
// each stroke.
type Picture struct {
	Digit   byte
	Strokes []Stroke
}

// A Stroke is a line of pixels from (Row, Col): Right pixels to the right, or Down pixels down. The other of the two
// numbers is 0.
type Stroke struct{ Row, Col, Right, Down int }

// Pixels returns the 28 × 28 pixels of the picture, row by row.
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

// Pictures returns the pictures that Raw writes. Every digit except 1 and 9 has a valid picture. For digit 3, the
// simulation chooses picture 5.
func Pictures() []Picture {
	return []Picture{
		{3, []Stroke{{0, 0, 5, 0}, {1, 4, 0, 7}}},  // 12 pixels, an L
		{3, []Stroke{{3, 3, 2, 0}, {3, 7, 2, 0}}},  // two pieces
		{3, []Stroke{{3, 3, 2, 0}, {4, 5, 2, 0}}},  // two pieces, touching at a corner
		{3, []Stroke{{3, 26, 2, 0}, {4, 0, 2, 0}}}, // two pieces, touching if rows wrap around
		{3, nil},
		{3, []Stroke{{10, 10, 0, 6}, {12, 11, 3, 0}}},                             // 9 pixels
		{3, []Stroke{{20, 10, 0, 6}, {22, 11, 3, 0}}},                             // 9 pixels, later
		{7, []Stroke{{1, 1, 6, 0}, {2, 6, 0, 9}}},                                 // the only 7
		{0, []Stroke{{0, 0, 28, 0}, {1, 0, 28, 0}, {2, 0, 28, 0}, {3, 0, 16, 0}}}, // 100 pixels
		{1, []Stroke{{0, 0, 28, 0}, {1, 0, 28, 0}, {2, 0, 28, 0}, {3, 0, 17, 0}}}, // 101 pixels, too many
		{1, []Stroke{{0, 0, 0, 20}, {0, 5, 0, 20}}},                               // two pieces
		{2, []Stroke{{4, 10, 8, 0}, {5, 17, 0, 6}}},
		{4, []Stroke{{4, 6, 0, 8}, {11, 7, 10, 0}}},
		{5, []Stroke{{6, 6, 9, 0}, {7, 6, 0, 7}, {13, 7, 7, 0}}},
		{6, []Stroke{{2, 9, 0, 16}, {17, 10, 6, 0}}},
		{8, []Stroke{{5, 12, 0, 18}, {9, 13, 4, 0}}},
	}
}

// WriteMNIST writes the pictures and their labels into raw/mnist. Only the file of pictures is compressed.
func WriteMNIST(tb testing.TB, raw string, pictures ...Picture) {
	tb.Helper()
	var pixels, labels []byte
	for _, p := range pictures {
		pixels, labels = append(pixels, p.Pixels()...), append(labels, p.Digit)
	}
	n := uint32(len(pictures))
	images := sealtest.Gzip(IDX([]uint32{0x803, n, side, side}, pixels))
	put(tb, filepath.Join(raw, "mnist", "train-images-idx3-ubyte.gz"), images)
	put(tb, filepath.Join(raw, "mnist", "train-labels-idx1-ubyte"), IDX([]uint32{0x801, n}, labels))
}

// IDX returns the bytes of an IDX file.
func IDX(header []uint32, data []byte) []byte {
	var b []byte
	for _, n := range header {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return append(b, data...)
}
