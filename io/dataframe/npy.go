package dataframe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"graphda/io/safefile"
)

// npy is the format of NumPy, version 1 or 2: arrays of float32 or float64 with two dimensions, in the order of C or
// Fortran, little or big endian. A file's size is checked against its shape before any memory is asked for.
var npy = Format{Extensions: []string{".npy"}, Open: openNPY}

// openNPY opens an array of NumPy as a table, with the names that stand in other files.
func openNPY(path string, o Options) (Source, error) {
	m, err := loadNPY(path, o.OpenFile)
	if err != nil {
		return nil, err
	}
	values := make([][]float64, m.Rows)
	for i := range values {
		values[i] = m.Row(i)
	}
	return namedMatrix(path, o, values)
}

func readNPY(path string) (*Matrix, error) {
	m, err := loadNPY(path, safefile.OpenUnpacked)
	if err != nil {
		return nil, err
	}
	for i, v := range m.Data {
		if v-v != 0 {
			return nil, fmt.Errorf("%s: row %d, column %d (counting from 0): is %v, want a finite number", path, i/m.Cols,
				i%m.Cols, v)
		}
	}
	return m, nil
}

// loadNPY reads a file whose values need not be finite.
func loadNPY(path string, open func(path string) (*safefile.Unpacked, error)) (*Matrix, error) {
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

const (
	npyMagic  = "\x93NUMPY"
	maxHeader = 1 << 16 // NumPy writes some 118 bytes
)

// npyHead is a dictionary of Python, of a type, an order and a shape.
var npyHead = regexp.MustCompile(`^\{\s*'descr':\s*'([^']*)',\s*'fortran_order':\s*(True|False),\s*` +
	`'shape':\s*\(([-0-9,\s]*)\),?\s*\}\s*$`)

// decodeNPY reads a whole file.
func decodeNPY(data []byte) (*Matrix, error) {
	h, data, err := cutHeader(data)
	if err != nil {
		return nil, err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(h.typ, ">") {
		order = binary.BigEndian
	}
	width := map[string]int{"<f4": 4, ">f4": 4, "<f8": 8, ">f8": 8}[h.typ]
	switch {
	case width == 0:
		return nil, fmt.Errorf("has values of type %q, want float32 or float64 (<f4, <f8, >f4 or >f8)", h.typ)
	case len(h.shape) != 2:
		return nil, fmt.Errorf("has the shape %v, want two dimensions, rows and columns", h.shape)
	}
	rows, cols := h.shape[0], h.shape[1]
	switch {
	case rows < 1 || cols < 1:
		return nil, fmt.Errorf("has the shape %v, want at least one row and one column", h.shape)
	case rows > math.MaxInt/8/cols:
		return nil, fmt.Errorf("has the shape %v, which is too large", h.shape)
	case len(data) != rows*cols*width:
		return nil, fmt.Errorf("has %d bytes of values, want %d for %d × %d values of type %s", len(data), rows*cols*width,
			rows, cols, h.typ)
	}
	m := &Matrix{Rows: rows, Cols: cols, Data: make([]float64, rows*cols)}
	for at := range m.Data {
		to := at
		if h.fortran {
			to = at%rows*cols + at/rows
		}
		if width == 4 {
			m.Data[to] = float64(math.Float32frombits(order.Uint32(data[4*at:])))
		} else {
			m.Data[to] = math.Float64frombits(order.Uint64(data[8*at:]))
		}
	}
	return m, nil
}

// An npyHeader says what the values of a file are.
type npyHeader struct {
	typ     string
	fortran bool // column by column
	shape   []int
}

// cutHeader returns what a file says of its values, and their bytes.
func cutHeader(data []byte) (h npyHeader, values []byte, err error) {
	if len(data) < 10 || string(data[:6]) != npyMagic {
		return h, nil, fmt.Errorf("begins with %q, want %q, the beginning of an .npy file", data[:min(6, len(data))],
			npyMagic)
	}
	begin, size := 10, int(binary.LittleEndian.Uint16(data[8:]))
	switch version := data[6]; {
	case version == 2 && len(data) >= 12:
		begin, size = 12, int(binary.LittleEndian.Uint32(data[8:]))
	case version == 2:
		return h, nil, errors.New("ends within the header of the .npy file")
	case version != 1:
		return h, nil, fmt.Errorf("is an .npy file of version %d, want 1 or 2", version)
	}
	switch {
	case size > maxHeader:
		return h, nil, fmt.Errorf("announces a header of %d bytes, want at most %d", size, maxHeader)
	case len(data)-begin < size:
		return h, nil, errors.New("ends within the header of the .npy file")
	}
	parts := npyHead.FindSubmatch(data[begin : begin+size])
	if parts == nil {
		return h, nil, fmt.Errorf("the header of the .npy file cannot be read: %.200q", data[begin:begin+size])
	}
	h.typ, h.fortran = string(parts[1]), string(parts[2]) == "True"
	for _, text := range strings.Fields(strings.ReplaceAll(string(parts[3]), ",", " ")) {
		n, err := strconv.Atoi(text)
		if err != nil {
			return h, nil, fmt.Errorf("the header of the .npy file cannot be read: %w", err)
		}
		h.shape = append(h.shape, n)
	}
	return h, data[begin+size:], nil
}
