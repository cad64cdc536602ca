package program

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"graphda/io/safefile"
	"graphda/io/samples"
)

// Files are the files of a trial, in a folder of their own.
type Files struct {
	Data
	Hello // but for its loss
	Dir   string
}

// formats are how the numbers of a trial are written.
var formats = map[string]func(values []float64, rows, cols int) []byte{"npy": npy, "csv": rowsOfText}

// WriteTrial writes the files of a trial into a new folder in scratch: the first rows of the training samples, the
// features of the others, names.csv with the column name, and edges.csv with source and target, as places of
// features from 0, and cost.
func WriteTrial(scratch, format string, t *samples.Trial, rows int) (*Files, error) {
	dir, err := os.MkdirTemp(scratch, "gdrun-trial-*")
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, err
	}
	p := t.Train.P
	f := &Files{Dir: dir, Hello: Hello{Protocol: version, Features: p}}
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		err = errors.Join(err, os.WriteFile(path, content, 0o600))
		return path
	}
	table := func(name string, records [][]string) string {
		var b bytes.Buffer
		err = errors.Join(err, safefile.WriteCSV(&b, records))
		return write(name, b.Bytes())
	}
	encode, suffix := formats[format], "."+format
	f.TrainX = write("train_x"+suffix, encode(t.Train.X[:rows*p], rows, p))
	f.TrainY = write("train_y"+suffix, encode(t.Train.Y[:rows], rows, 0))
	f.ValidX = write("valid_x"+suffix, encode(t.Valid.X, t.Valid.Rows(), p))
	f.TestX = write("test_x"+suffix, encode(t.Test.X, t.Test.Rows(), p))
	names := [][]string{{"name"}}
	for _, name := range t.Features.Names {
		names = append(names, []string{name})
	}
	f.Names = table("names.csv", names)
	if t.Graph != nil {
		edges := [][]string{{"source", "target", "cost"}}
		for i, e := range t.Graph.Edges() {
			edges = append(edges, []string{fmt.Sprint(e.U), fmt.Sprint(e.V), fmt.Sprint(t.Graph.Costs()[i])})
		}
		f.Edges = table("edges.csv", edges)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return f, nil
}

// npy is NumPy's format, version 1.0: a head of 128 bytes, then the values in C order. Without columns it is a list.
func npy(values []float64, rows, cols int) []byte {
	shape := fmt.Sprintf("(%d,)", rows)
	if cols > 0 {
		shape = fmt.Sprintf("(%d, %d)", rows, cols)
	}
	head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape)
	out := fmt.Appendf(make([]byte, 0, 128+8*len(values)), "\x93NUMPY\x01\x00%c\x00%-117s\n", 118, head)
	out, _ = binary.Append(out, binary.LittleEndian, values) // of numbers it does not fail
	return out
}

// rowsOfText has commas between the shortest numbers that read back the same, and no head.
func rowsOfText(values []float64, rows, cols int) (out []byte) {
	cols = max(1, cols)
	for i, v := range values {
		out = strconv.AppendFloat(out, v, 'g', -1, 64)
		if i%cols == cols-1 {
			out = append(out, '\n')
		} else {
			out = append(out, ',')
		}
	}
	return out
}
