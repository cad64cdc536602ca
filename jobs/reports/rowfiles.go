package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"graphda/io/regular"
	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
)

// RowFiles are the files of all rows: results.parquet, and results.csv for who asks for it. They
// are written while a run is merged, and stand in their folder once a Book is written there.
type RowFiles struct {
	files  []rowFile
	made   []string // folders that were made for them, the innermost first
	digest string   // SHA-256 of results.parquet, once it is in its place
}

type rowFile struct {
	*seal.Writer
	path string
	rows rowWriter
}

// A rowWriter writes rows in a format.
type rowWriter interface {
	Write([]*results.Row) error
	Close() error
}

// csvRows is the name of the file of rows that is only written on request.
const csvRows = experiment.RowsName + ".csv"

// CreateRows begins the files of rows in a folder, which is made. Abort must be called in the end.
func CreateRows(dir string, place seal.Output, csv bool) (*RowFiles, error) {
	f := &RowFiles{}
	err := f.makeFolder(dir)
	if err == nil {
		err = f.create(filepath.Join(dir, experiment.RowsName+".parquet"), place, func(w io.Writer) (rowWriter, error) {
			return results.NewParquet(w, jobs.Layout())
		})
	}
	if err == nil && csv {
		err = f.create(filepath.Join(dir, csvRows), place, func(w io.Writer) (rowWriter, error) {
			return results.NewCSV(w, jobs.Layout()), nil
		})
	}
	if err != nil {
		f.Abort()
	}
	return f, err
}

// makeFolder makes a folder and those it is in.
func (f *RowFiles) makeFolder(dir string) error {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		f.made = append(f.made, at)
	}
	return os.MkdirAll(dir, 0o777)
}

func (f *RowFiles) create(path string, place seal.Output, format func(io.Writer) (rowWriter, error)) error {
	w, err := place.Create(path)
	if err != nil {
		return err
	}
	file := rowFile{Writer: w, path: path}
	err = w.Try(func() error { file.rows, err = format(w); return err })
	f.files = append(f.files, file)
	return err
}

// Use writes the rows of a batch.
func (f *RowFiles) Use(p *merge.Placed) error {
	for _, file := range f.files {
		if err := file.Try(func() error { return file.rows.Write(p.Rows) }); err != nil {
			return &fs.PathError{Op: "writing", Path: file.path, Err: err}
		}
	}
	return nil
}

// commit puts the files in their places.
func (f *RowFiles) commit() error {
	for _, file := range f.files {
		if err := file.Try(file.rows.Close); err != nil {
			return &fs.PathError{Op: "writing", Path: file.path, Err: err}
		}
		if err := file.Commit(); err != nil {
			return err
		}
	}
	f.made = nil
	if len(f.files) == 0 { // the rows are in no file
		return nil
	}
	var err error
	f.digest, err = fileDigest(f.files[0].path)
	return err
}

// fileDigest returns the SHA-256 of a file.
func fileDigest(path string) (string, error) {
	file, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Abort drops the files that are not in their places, and the folders that were made for them
// if nothing is in these.
func (f *RowFiles) Abort() {
	for _, file := range f.files {
		file.Abort()
	}
	for _, dir := range f.made {
		_ = os.Remove(dir) // one that is not empty stays
	}
}
