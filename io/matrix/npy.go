package matrix

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sbinet/npyio/npy"

	"graphda/io/gzfile"
)

// maxHeader is the most that the header of a file may be. NumPy writes some 118 bytes.
const maxHeader = 1 << 16

func readNPY(path string) (*Matrix, error) {
	m, err := loadNPY(path, gzfile.Open)
	if err != nil {
		return nil, err
	}
	if err := m.checkFinite(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// loadNPY reads a file whose values need not be finite.
func loadNPY(path string, open func(path string) (*gzfile.Reader, error)) (*Matrix, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	m, err := decodeNPY(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// decodeNPY reads a whole file. The library panics at some of what is wrong with a file,
// takes missing values for zeros, and believes any shape, so it is asked for no more than
// what has been checked.
func decodeNPY(data []byte) (m *Matrix, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, errors.New("the header of the .npy file cannot be read")
		}
	}()
	if err := checkPreamble(data); err != nil {
		return nil, err
	}
	in := bytes.NewReader(data)
	r, err := npy.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("the header of the .npy file cannot be read: %w", err)
	}
	d := r.Header.Descr
	width := map[string]int{"<f4": 4, ">f4": 4, "<f8": 8, ">f8": 8}[d.Type]
	if width == 0 {
		return nil, fmt.Errorf("has values of type %q, want float32 or float64 (<f4, <f8, >f4 or >f8)", d.Type)
	}
	if len(d.Shape) != 2 {
		return nil, fmt.Errorf("has the shape %v, want two dimensions, rows and columns", d.Shape)
	}
	rows, cols := d.Shape[0], d.Shape[1]
	if rows < 1 || cols < 1 {
		return nil, fmt.Errorf("has the shape %v, want at least one row and one column", d.Shape)
	}
	if rows > math.MaxInt/8/cols {
		return nil, fmt.Errorf("has the shape %v, which is too large", d.Shape)
	}
	if want := rows * cols * width; in.Len() != want {
		return nil, fmt.Errorf("has %d bytes of values, want %d for %d × %d values of type %s", in.Len(), want, rows, cols,
			d.Type)
	}
	values, err := readValues(r, width)
	if err != nil {
		return nil, err
	}
	if d.Fortran {
		values = transpose(values, rows, cols)
	}
	return &Matrix{Rows: rows, Cols: cols, Data: values}, nil
}

// checkPreamble checks the magic string, the version, and that the header is there.
func checkPreamble(data []byte) error {
	if len(data) < 10 || [6]byte(data) != npy.Magic {
		return fmt.Errorf("begins with %q, want %q, the beginning of an .npy file", data[:min(6, len(data))], npy.Magic[:])
	}
	begin, size := 10, int(binary.LittleEndian.Uint16(data[8:]))
	switch data[6] {
	case 1:
	case 2:
		if len(data) < 12 {
			return errors.New("ends within the header of the .npy file")
		}
		begin, size = 12, int(binary.LittleEndian.Uint32(data[8:]))
	default:
		return fmt.Errorf("is an .npy file of version %d, want 1 or 2", data[6])
	}
	if size > maxHeader {
		return fmt.Errorf("announces a header of %d bytes, want at most %d", size, maxHeader)
	}
	if len(data)-begin < size {
		return errors.New("ends within the header of the .npy file")
	}
	if header := data[begin : begin+size]; !strings.HasSuffix(strings.TrimRight(string(header), " \n"), ", }") {
		return errors.New("the header of the .npy file does not end with \", }\"")
	}
	return nil
}

// readValues reads all values in the order of the file.
func readValues(r *npy.Reader, width int) ([]float64, error) {
	if width == 8 {
		var values []float64
		err := r.Read(&values)
		return values, err
	}
	var singles []float32
	if err := r.Read(&singles); err != nil {
		return nil, err
	}
	values := make([]float64, len(singles))
	for i, v := range singles {
		values[i] = float64(v)
	}
	return values, nil
}

// transpose turns column-major values into row-major ones.
func transpose(values []float64, rows, cols int) []float64 {
	out := make([]float64, len(values))
	for j := range cols {
		for i := range rows {
			out[i*cols+j] = values[j*rows+i]
		}
	}
	return out
}

func (m *Matrix) checkFinite() error {
	for i, v := range m.Data {
		if v-v != 0 {
			return fmt.Errorf("row %d, column %d (counting from 0): is %v, want a finite number", i/m.Cols, i%m.Cols, v)
		}
	}
	return nil
}
