package samples

import (
	"fmt"

	"graphda/io/arrowio"
	"graphda/io/columnar"
)

// A place says where in a trial a row of the samples file belongs.
type place struct {
	split Split // split of the row; numSplits if the trial lacks the row
	row   int   // index in the block of this split
}

// A rowList lists a trial's rows of the shared samples, in the trial's order.
type rowList struct {
	path   string
	rows   []int64
	splits []Split
	counts [numSplits]int
}

func readList(f *columnar.File) (l *rowList, err error) {
	l = &rowList{path: f.Path}
	if l.splits, l.counts, err = readSplits(f); err != nil {
		return nil, err
	}
	like := columnar.Column{Name: "row", Kind: columnar.Integer}
	c, err := f.Want(like, "a whole number: the number of a row of the samples, counted from 0")
	if err != nil {
		return nil, err
	}
	l.rows, err = columnar.All(l.rows, c, f.Ints)
	return l, err
}

func placesOf(f *columnar.File, l *rowList) (places []place, counts [numSplits]int, err error) {
	if l == nil {
		splits, counts, err := readSplits(f)
		var next [numSplits]int
		for _, s := range splits {
			places = append(places, place{s, next[s]})
			next[s]++
		}
		return places, counts, err
	}
	places = make([]place, f.Rows)
	for row := range places {
		places[row].split = numSplits
	}
	var next [numSplits]int
	for i, row := range l.rows {
		if row < 0 || row >= int64(f.Rows) || places[row].split != numSplits {
			err := columnar.AtRow(i, "is %d; want rows of %s from 0 to %d, each at most once", row, f.Path, f.Rows-1)
			return nil, counts, columnar.Locate(err, l.path, "row")
		}
		s := l.splits[i]
		places[row] = place{s, next[s]}
		next[s]++
	}
	return places, l.counts, nil
}

// complete fills in missing values of shared samples and then standardises the samples, with the trial's features.
func (t *Trial) complete() error {
	for _, b := range []*Block{&t.Train, &t.Valid, &t.Test} {
		for i := range b.Rows() {
			row := b.Row(i)
			for j, v := range t.Features.Fill {
				if row[j] != row[j] {
					row[j] = v
				}
			}
			if t.Features.Scaling != nil {
				t.Features.Scaling.Apply(row, row)
			}
			for j, v := range suspects(row) {
				if v-v != 0 {
					return fmt.Errorf("has a sample whose feature %q is %v after filling in and standardising", t.Features.Names[j], v)
				}
			}
		}
	}
	return nil
}

// WriteRows writes a trial's list of rows of shared samples, in the trial's order. Rows count from 0.
func WriteRows(path string, rows []int32, splits []Split, metadata map[string]string) error {
	names := make([]string, len(splits))
	for i, s := range splits {
		names[i] = s.String()
	}
	return arrowio.WriteParquet(path, metadata, len(rows), arrowio.Int32s("row", rows), arrowio.Texts("split", names))
}
