package importing

import (
	"path/filepath"
	"slices"
	"strings"

	"graphda/io/columnar"
	"graphda/io/model"
	"graphda/io/samples"
)

// Trained returns digests that identify the samples of an imported dataset, by their ids and the measured values of
// some features. A row number counts as an empty id.
func Trained(ds *samples.Dataset, first *samples.Trial, features []int32) (t *model.Trained, err error) {
	files, err := ds.Files()
	k := slices.IndexFunc(files, func(path string) bool {
		return filepath.Dir(path) == filepath.Clean(ds.Dir) && strings.HasPrefix(filepath.Base(path), "samples.")
	})
	if err != nil || k < 0 || first.Metadata["generator"] != generator || len(features) == 0 {
		return nil, err
	}
	var names []string
	for _, j := range features {
		names = append(names, first.Features.Names[j])
	}
	_, err = columnar.Read(files[k], func(f *columnar.File) error {
		column, err := f.Need("id")
		if err != nil {
			return err
		}
		ids, err := f.AllTexts(column)
		if err != nil {
			return err
		}
		// Ids that are not sorted are row numbers: Read sorts samples by ids or, without ids, by values.
		if first.Metadata["split"] != "column" && !slices.IsSorted(ids) {
			ids = make([]string, len(ids))
		}
		if column, err = f.Need("x"); err != nil {
			return err
		}
		digests, values := make([][8]byte, len(ids)), make([]float64, len(features))
		err = f.Floats(column, func(row int, x []float64) error {
			for k, j := range features {
				values[k] = x[j]
			}
			digests[row] = model.Digest(ids[row], values)
			return nil
		})
		t = model.NewTrained(names, digests)
		return err
	})
	return t, err
}
