// Package matrix reads dense matrices of finite numbers from other programs' files:
//
//	.npy            NumPy, version 1 or 2: float32 or float64, two dimensions, C or Fortran
//	                order, little or big endian
//	.csv, .csv.gz   a line for each row, with or without a line of column names
//
// The first line of a CSV file holds column names if none of its fields is a number.
//
// Before memory is allocated, the shape that a file states is checked against the file's size.
package matrix

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/safefile"
)

// A Matrix has at least one row and one column, and finite values.
type Matrix struct {
	Rows, Cols int
	Data       []float64 // the values, row by row
	Names      []string  // names of the columns; nil if the file has none
}

// Row returns row i. The slice belongs to the matrix.
func (m *Matrix) Row(i int) []float64 { return m.Data[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols] }

// Read reads the file at path, whose name decides the format.
func Read(path string) (*Matrix, error) {
	switch name := strings.ToLower(path); {
	case strings.HasSuffix(name, ".npy"):
		return readNPY(path)
	case strings.HasSuffix(name, ".csv"), strings.HasSuffix(name, ".csv.gz"):
		return readCSV(path)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s: %w", path, errKind)
}

var errKind = errors.New("is of an unknown kind; want a name that ends with .npy, .csv or .csv.gz")

func init() { dataframe.Register(dataframe.Format{Extensions: []string{".npy"}, Open: openTable}) }

// openTable opens a NumPy array as a table. The names of rows and columns are in other files.
func openTable(path string, o dataframe.Options) (dataframe.Source, error) {
	m, err := loadNPY(path, o.OpenFile)
	if err != nil {
		return nil, err
	}
	values := make([][]float64, m.Rows)
	for i := range values {
		values[i] = m.Row(i)
	}
	return dataframe.NewNamedMatrix(path, o, values)
}

func readCSV(path string) (*Matrix, error) {
	rows, err := dataframe.OpenRows(path, dataframe.Options{})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	m := &Matrix{}
	for rows.Next() {
		record := rows.Record()
		if m.Cols == 0 {
			m.Cols = len(record)
			if !slices.ContainsFunc(record, isNumber) {
				m.Names = slices.Clone(record)
				continue
			}
		}
		for j, field := range record {
			x, err := rows.Number(field)
			if err != nil {
				return nil, &dataframe.Error{Path: path, Row: rows.Row(), Column: m.column(j), Err: err}
			}
			m.Data = append(m.Data, x)
		}
		m.Rows++
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if m.Rows == 0 {
		return nil, &dataframe.Error{Path: path, Err: errors.New("has no row of numbers, want at least one")}
	}
	return m, nil
}

// isNumber reports whether a field of the first line is a number rather than a column's name. NaN and infinities count
// as numbers, and are refused later.
func isNumber(field string) bool {
	_, err := strconv.ParseFloat(field, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

func (m *Matrix) column(j int) string {
	if m.Names != nil {
		return m.Names[j]
	}
	return strconv.Itoa(j + 1)
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

// loadNPY reads an .npy file. The values need not be finite.
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
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16 // NumPy's headers have about 118 bytes
)

// header matches a Python dictionary with a type, an order and a shape.
var header = regexp.MustCompile(`^\{\s*'descr':\s*'([^']*)',\s*'fortran_order':\s*(True|False),\s*` +
	`'shape':\s*\(([-0-9,\s]*)\),?\s*\}\s*$`)

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

type npyHeader struct {
	typ     string
	fortran bool // set if the values are stored column by column
	shape   []int
}

func cutHeader(data []byte) (h npyHeader, values []byte, err error) {
	if len(data) < 10 || string(data[:6]) != magic {
		return h, nil, fmt.Errorf("begins with %q, want %q, the beginning of an .npy file", data[:min(6, len(data))], magic)
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
		return h, nil, fmt.Errorf("says that its header has %d bytes, want at most %d", size, maxHeader)
	case len(data)-begin < size:
		return h, nil, errors.New("ends within the header of the .npy file")
	}
	parts := header.FindSubmatch(data[begin : begin+size])
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
