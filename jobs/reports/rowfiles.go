package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"graphda/io/results"
	"graphda/io/results/export"
	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

// RowFiles are the files of rows: results.parquet, chosen.parquet and, on request, results.csv. Merging writes them
// under temporary names. Book.Write gives them their final names.
type RowFiles struct {
	files  []rowFile
	made   []string  // folders that makeFolder made, the innermost first
	sum    hash.Hash // SHA-256 of results.csv, even if the file is not written
	hashed rowWriter // writes the rows of results.csv only to sum; nil if the file is written
	digest string    // hexadecimal value of sum; set by commit
}

type rowFile struct {
	*seal.Writer
	path string
	rows rowWriter
}

type rowWriter interface {
	Write([]*results.Row) error
	Close() error
}

// filesFolder is the folder of all files except the page (HTML and Markdown) and the experiment file.
const filesFolder = "data"

const csvRows = experiment.RowsName + ".csv"

// CreateRows makes the folder of data in dir and begins the files of rows there. At the end, the
// caller must call Abort.
func CreateRows(r *run.Run, dir string, place seal.Output, csv bool) (*RowFiles, error) {
	f, more := &RowFiles{sum: sha256.New()}, r.Plan.Experiment.FreeColumns()
	dir = filepath.Join(dir, filesFolder)
	err := f.makeFolder(dir)
	if err == nil {
		err = f.create(filepath.Join(dir, experiment.RowsName+".parquet"), place, func(w io.Writer) (rowWriter, error) {
			return export.NewParquet(w, plan.Layout(), more...)
		})
	}
	if err == nil {
		path := filepath.Join(dir, run.ChosenName)
		err = f.create(path, place, func(w io.Writer) (rowWriter, error) { return r.NewChosen(w) })
	}
	if err == nil && csv {
		err = f.create(filepath.Join(dir, csvRows), place, func(w io.Writer) (rowWriter, error) {
			return export.NewCSV(io.MultiWriter(w, f.sum), plan.Layout(), more...), nil
		})
	} else {
		f.hashed = export.NewCSV(f.sum, plan.Layout(), more...)
	}
	if err != nil {
		f.Abort()
	}
	return f, err
}

// makeFolder makes the folder dir and its parents. It adds the new folders to f.made.
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

// Use writes the rows of the trial t to all files.
func (f *RowFiles) Use(t *merge.TrialRows) error {
	var pool errgroup.Group
	for _, file := range f.files {
		pool.Go(func() error {
			err := file.Try(func() error {
				if chosen, is := file.rows.(*run.ChosenWriter); is {
					return chosen.Keep(t)
				}
				return file.rows.Write(t.Rows)
			})
			if err != nil {
				return &fs.PathError{Op: "writing", Path: file.path, Err: err}
			}
			return nil
		})
	}
	if f.hashed != nil {
		pool.Go(func() error { return f.hashed.Write(t.Rows) })
	}
	return pool.Wait()
}

// commit gives the files their final names.
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
	var err error
	if f.hashed != nil {
		err = f.hashed.Close()
	}
	f.digest = hex.EncodeToString(f.sum.Sum(nil))
	return err
}

// Abort removes the files that have no final name yet, and new folders if they are empty.
func (f *RowFiles) Abort() {
	for _, file := range f.files {
		file.Abort()
	}
	for _, dir := range f.made {
		_ = os.Remove(dir) // fails if the folder is not empty
	}
}
