package program

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"graphda/io/safefile"
	"graphda/io/samples"
)

// Files are a trial's files for a program, in their own folder.
type Files struct {
	Data
	Hello // the Hello to send; the caller sets Loss
	Dir   string

	lock    *os.File          // holds a lock on the folder until this process ends
	digests map[string]string // by path: SHA-256 of the file
}

// Changed returns the Failure of a program that has changed its input.
func Changed(what string) error {
	return &Failure{error: fmt.Errorf("the program has changed the %s, which it may only read; let it work on a "+
		"copy, for example numpy.load with mmap_mode='c'", what)}
}

// Check returns an error if a file was changed.
func (f *Files) Check() error {
	for _, path := range slices.Sorted(maps.Keys(f.digests)) {
		sum, err := safefile.SHA256(path)
		passing := func(e syscall.Errno) bool { return errors.Is(err, e) }
		switch { // other errors mean that the program has replaced the file
		case slices.ContainsFunc([]syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EIO, syscall.ESTALE}, passing):
			return err
		case err != nil, sum != f.digests[path]:
			return Changed("file " + filepath.Base(path))
		}
	}
	return nil
}

// Remove removes the folder.
func (f *Files) Remove() error { return errors.Join(os.RemoveAll(f.Dir), f.lock.Close()) }

// makeFolder makes a folder in scratch and locks it. It also removes folders of ended processes.
func makeFolder(scratch string) (dir string, lock *os.File, err error) {
	scratch, err = filepath.Abs(cmp.Or(scratch, os.TempDir()))
	if err != nil {
		return "", nil, err
	}
	const name = "gdrun-trial-"
	left, _ := filepath.Glob(filepath.Join(scratch, name+"*"))
	for _, dir := range left {
		lock, err := lockFolder(dir)
		if err == nil {
			_ = os.RemoveAll(dir)
		}
		lock.Close()
	}
	for { // another process may remove the new folder before it is locked
		if dir, err = os.MkdirTemp(scratch, name+"*"); err != nil {
			return "", nil, err
		}
		lock, err = lockFolder(dir)
		if lock == nil {
			return "", nil, errors.Join(err, os.Remove(dir))
		}
		if _, gone := os.Stat(dir); err != syscall.EWOULDBLOCK && gone == nil { // else try another folder
			return dir, lock, nil
		}
		lock.Close()
	}
}

// lockFolder locks the folder dir. It returns an error if another process holds the lock.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	return f, syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// formats holds the functions that encode a trial's numbers, by the format's name.
var formats = map[string]func(values []float64, rows, cols int) []byte{"npy": npy, "csv": rowsOfText}

// WriteTrial writes the files of a trial into a new folder in scratch: training samples 0 to rows − 1, and the features
// of the validation and test samples. names.csv has one column, called name. edges.csv has the columns source and
// target (indices of features) and cost.
func WriteTrial(scratch, format string, t *samples.Trial, rows int) (*Files, error) {
	dir, lock, err := makeFolder(scratch)
	if err != nil {
		return nil, err
	}
	p := t.Train.P
	f := &Files{Dir: dir, Hello: Hello{Protocol: version, Features: p}, lock: lock, digests: map[string]string{}}
	write := func(name string, content []byte) string {
		path, sum := filepath.Join(dir, name), sha256.Sum256(content)
		f.digests[path] = hex.EncodeToString(sum[:])
		err = errors.Join(err, os.WriteFile(path, content, 0o400))
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
			if int(max(e.U, e.V)) >= p { // one end is a connector, a node without data
				continue
			}
			edges = append(edges, []string{fmt.Sprint(e.U), fmt.Sprint(e.V), fmt.Sprint(t.Graph.Costs()[i])})
		}
		f.Edges = table("edges.csv", edges)
	}
	if err != nil {
		return nil, errors.Join(err, f.Remove())
	}
	return f, nil
}

// npy returns the values in NumPy's format, version 1.0: a header of 128 bytes, then the values in C order. If cols is
// 0, the array has one dimension.
func npy(values []float64, rows, cols int) []byte {
	shape := fmt.Sprintf("(%d,)", rows)
	if cols > 0 {
		shape = fmt.Sprintf("(%d, %d)", rows, cols)
	}
	head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape)
	out := fmt.Appendf(make([]byte, 0, 128+8*len(values)), "\x93NUMPY\x01\x00%c\x00%-117s\n", 118, head)
	out, _ = binary.Append(out, binary.LittleEndian, values) // cannot fail for values of a fixed size
	return out
}

// rowsOfText returns the values as CSV without a header, with the fewest digits that round back to each number.
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
