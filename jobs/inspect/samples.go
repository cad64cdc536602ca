package inspect

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/columnar"
	"graphda/io/plain"
	"graphda/io/tabular"
)

// isSamples tells a dataset's file of samples, in which x is a list.
func isSamples(path string, _ fs.FileInfo) bool {
	if !slices.Contains(columnar.Extensions(), strings.ToLower(filepath.Ext(path))) {
		return false
	}
	found := false
	columnar.Read(path, memory.DefaultAllocator, func(f *columnar.File) error { // whose error comes again
		x := f.Find("x")
		found = x != nil && x.List && f.Find("y") != nil
		return nil
	})
	return found
}

// describeSamples reads all of a file of samples.
func describeSamples(path string) (lines []Line, err error) {
	_, err = columnar.Read(path, memory.DefaultAllocator, func(f *columnar.File) error {
		features, missing := -1, 0
		err := f.Floats(f.Find("x"), func(row int, values []float64) error {
			if features = max(features, len(values)); len(values) != features {
				return columnar.AtRow(row, "has %d values, want %d as the rows before", len(values), features)
			}
			for _, v := range values {
				if v != v {
					missing++
				}
			}
			return nil
		})
		lines = []Line{{"samples", fmt.Sprintf("%s of %s", plain.Number(f.Rows), plain.Count(features, "feature"))},
			{"columns", tabular.Some(f.Names())}}
		if missing > 0 {
			lines = append(lines, Line{"missing", plain.Count(missing, "value")})
		}
		return err
	})
	return lines, err
}
