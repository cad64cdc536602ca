package results

import (
	"fmt"
	"hash/maphash"
	"strconv"
)

// Dedup keeps one row for each (cell, checkpoint), at the place of the first: the
// first that did not fail, or the first if all failed. Two rows of one (cell,
// checkpoint) must agree in what they are of, and two good ones in every measure; only
// cost and provenance may differ (see Role). A difference is an error that names cell,
// checkpoint, column and both values: results of two programs or two data sets have
// been mixed, and no choice between them would be right.
//
// The result reuses the memory of rows, which must not be used afterwards, also after
// an error. Time is linear; memory is 6 to 12 bytes a row.
func Dedup(rows []Row) ([]Row, error) {
	if len(rows) == 0 {
		return rows, nil
	}
	cols := columnsOf(namelessLayout(len(rows[0].Params)))
	index := newRowIndex(len(rows))
	kept := rows[:0]
	for i := range rows {
		r := &rows[i]
		if len(r.Params) != len(rows[0].Params) {
			return nil, fmt.Errorf("results: cell %s, checkpoint %d: %d parameters, want %d as in the first row",
				r.Cell, r.Checkpoint, len(r.Params), len(rows[0].Params))
		}
		slot := index.slot(kept, r)
		if *slot == 0 {
			if len(kept) != i {
				rows[len(kept)] = *r
			}
			kept = rows[:len(kept)+1]
			*slot = uint32(len(kept))
			continue
		}
		first := &kept[*slot-1]
		if err := agree(cols, first, r); err != nil {
			return nil, err
		}
		if first.Failed() && !r.Failed() {
			*first = *r
		}
	}
	clear(rows[len(kept):])
	return kept, nil
}

// namelessLayout stands for the layout of rows of which only the number of parameters
// is known.
func namelessLayout(n int) Layout {
	l := make(Layout, n)
	for i := range l {
		l[i].Name = "parameter " + strconv.Itoa(i+1)
	}
	return l
}

// agree compares two rows of one (cell, checkpoint).
func agree(cols []column, x, y *Row) error {
	for _, c := range cols {
		switch c.role {
		case RoleCost, RoleProvenance:
			continue
		case RoleMetric:
			if x.Failed() || y.Failed() {
				continue
			}
		}
		if !c.same(x, y) {
			return fmt.Errorf("results: cell %s, checkpoint %d: column %q is %v (host %q, attempt %q) and %v (host %q, "+
				"attempt %q); two computations of a cell must agree",
				x.Cell, x.Checkpoint, c.Name, c.value(x), x.Host, x.Attempt, c.value(y), y.Host, y.Attempt)
		}
	}
	return nil
}

// A rowIndex finds rows by (cell, checkpoint): an open hash table of 1 + the place of
// a row in a slice that only grows, 0 where empty. A map of keys would take several
// times the memory.
type rowIndex struct {
	seed  maphash.Seed
	slots []uint32 // a power of two, at least a third empty
}

func newRowIndex(n int) *rowIndex {
	size := 8
	for 2*size < 3*n {
		size *= 2
	}
	return &rowIndex{seed: maphash.MakeSeed(), slots: make([]uint32, size)}
}

// slot returns the slot of the row of rows with r's cell and checkpoint, or the empty
// slot where such a row belongs.
func (x *rowIndex) slot(rows []Row, r *Row) *uint32 {
	mask := uint64(len(x.slots) - 1)
	h := maphash.String(x.seed, r.Cell) + uint64(r.Checkpoint)*0x9E3779B97F4A7C15
	for ; ; h++ {
		s := &x.slots[h&mask]
		if *s == 0 {
			return s
		}
		if o := &rows[*s-1]; o.Checkpoint == r.Checkpoint && o.Cell == r.Cell {
			return s
		}
	}
}
