package matrix

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// A Matrix has at least one row and one column, and finite values.
type Matrix struct {
	Rows, Cols int
	Data       []float64 // row by row
	Names      []string  // of the columns; nil if the file has none
}

// Row returns row i. The slice is the matrix's own.
func (m *Matrix) Row(i int) []float64 { return m.Data[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols] }

// Read reads the file at path. Its name tells the format.
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

var errKind = errors.New("is of no known kind; want a name that ends with .npy, .csv or .csv.gz")
