package importing

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/userinput"
)

// DefaultTrials is the default number of random splits.
const DefaultTrials = 20

// DefaultMinMatched is the default of Request.MinMatched. If fewer names match, the tables probably use different kinds
// of names.
const DefaultMinMatched = 0.5

// A Request names the files to import, and says how to read them.
type Request struct {
	sampletable.Table // the samples

	Features string // path of a table about features, or ""
	Groups   string // path of a table of groups of features, or ""
	Out      string // directory of the dataset; Import replaces only an imported dataset

	Edges      network.EdgeRequest // how to read the network
	Connectors bool                // keeps nodes without measurements if they join two or more features
	MinMatched float64             // smallest share of names that must match, among nodes or features; 0 means the default

	Trials      int    // number of trials; 0 means DefaultTrials, or 1 if samples have a column "split"
	Folds       int    // number of folds of a cross-validation, at least 3; 0 means random splits
	Seed        uint64 // seed of the random splits or folds
	Standardise bool   // scales features to mean 0 and standard deviation 1 over each trial's training samples
}

// Validate checks the settings without opening a file. It returns a userinput.Error that names all settings out of
// range.
func (r *Request) Validate() error {
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	refuse(r.Samples == "" || r.Edges.Path == "" || r.Out == "", "--samples, --edges and --out are needed")
	errs = append(errs, r.Table.Validate()...)
	refuse(r.Trials < 0 || r.Trials > maxTrials, "trials = %d, want 1 to %d", r.Trials, maxTrials)
	refuse(r.Folds != 0 && (r.Folds < len(draw{}) || r.Trials%r.Folds != 0), "folds = %d with --trials %d; want at least "+
		"%d folds, and as many trials as folds or a multiple of that", r.Folds, r.Trials, len(draw{}))
	refuse(!(r.MinMatched >= 0 && r.MinMatched <= 1), "min-matched = %v, want 0 to 1", r.MinMatched)
	if err := r.Edges.Validate(); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return &userinput.Error{Err: errors.Join(errs...)}
	}
	return nil
}

const maxTrials = 100_000

// place returns the absolute path of the dataset's directory, or an error if Import may not write there.
func (r *Request) place() (string, error) {
	dir, err := filepath.Abs(r.Out)
	if err != nil {
		return "", err
	}
	if _, err := samples.NameOf(dir); err != nil {
		return "", err
	}
	if err := replaceable(dir); err != nil {
		return "", userinput.Errorf("%s exists: %w; remove it or choose another folder", r.Out, err)
	}
	return dir, nil
}

// replaceable returns an error if dir exists and is not an imported dataset.
func replaceable(dir string) error {
	switch there, err := os.Lstat(dir); {
	case err != nil:
		return nil // dir does not exist; other errors appear when it is created
	case !there.IsDir():
		return errors.New("it is not a folder")
	}
	ds, err := samples.Open(dir)
	if err != nil {
		return err
	}
	own, err := ds.Files()
	if err != nil {
		return err
	}
	made, err := samples.Metadata(own[len(own)-1]) // in the order of paths, the last file has samples or rows
	if err != nil {
		return err
	}
	if made["generator"] != generator {
		return errors.New("it was not made by import")
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !slices.Contains(own, path) {
			return fmt.Errorf("%s in it was not made by import", entry.Name())
		}
		return err
	})
}
