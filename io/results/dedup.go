package results

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
)

// Dedup keeps one row for each (cell, checkpoint), at the place of the first: one that did
// not fail, if there is one, and of those one of a cell that was not stopped, or the latest. Of
// several it is the same in whatever order they come: that of the kind of
// processor whose name is the least, of those the one that was finished first. Two rows of one (cell,
// checkpoint) must agree in what they are of, and two good ones in every measure: to the
// bit, or, if two kinds of processor have computed them, to 1e-9 in proportion. Only cost and provenance
// may differ (see Role). A difference is an error that names cell, checkpoint, column, both
// values and where they are from: results of two programs or two data sets have been mixed, and no
// choice between them would be right.
//
// The result reuses the memory of rows, which must not be used afterwards, also after
// an error. Time is linear; memory is 6 to 12 bytes a row, and 4 more where some are repeated.
func Dedup(rows []Row) ([]Row, error) {
	if len(rows) == 0 {
		return rows, nil
	}
	index := newRowIndex(len(rows))
	var stands []uint32 // by row: the place of the slot that has the one that stands for it; nil: all are distinct
	for i := range rows {
		r := &rows[i]
		if len(r.Params) != len(rows[0].Params) {
			return nil, fmt.Errorf("results: cell %s, checkpoint %d: %d parameters, want %d as in the first row",
				r.Cell, r.Checkpoint, len(r.Params), len(rows[0].Params))
		}
		at := index.at(rows, r)
		slot := &index.slots[at]
		if *slot != 0 && stands == nil {
			stands = make([]uint32, len(rows))
			for k := range i {
				stands[k] = uint32(index.at(rows, &rows[k]))
			}
		}
		if *slot == 0 || r.standsBefore(&rows[*slot-1]) {
			*slot = uint32(i + 1)
		}
		if stands != nil {
			stands[i] = uint32(at)
		}
	}
	if stands == nil {
		return rows, nil
	}
	if err := allAgree(rows, stands, index.slots); err != nil {
		return nil, err
	}
	return compact(rows, stands, index.slots), nil
}

// standsBefore tells whether of two rows of one (cell, checkpoint) this one is to stand.
func (r *Row) standsBefore(o *Row) bool {
	if ours, theirs := r.worth(), o.worth(); ours != theirs {
		return ours > theirs
	}
	return cmp.Or(strings.Compare(r.CPU, o.CPU), r.Finished.Compare(o.Finished), r.Started.Compare(o.Started),
		strings.Compare(r.Attempt, o.Attempt),
		strings.Compare(r.Host, o.Host), cmp.Compare(r.Seconds, o.Seconds), strings.Compare(r.Error, o.Error)) < 0
}

// allAgree compares every row with the one that stands for it.
func allAgree(rows []Row, stands, slots []uint32) error {
	cols := columnsOf(namelessLayout(len(rows[0].Params)))
	for i := range rows {
		standing := &rows[slots[stands[i]]-1]
		if standing == &rows[i] {
			continue
		}
		if err := agree(cols, standing, &rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// compact puts the rows that stand to the places of the first of their kind. Whatever it overwrites is of a
// (cell, checkpoint) that has its row already.
func compact(rows []Row, stands, slots []uint32) []Row {
	kept := rows[:0]
	for i := range rows {
		slot := &slots[stands[i]]
		if *slot == 0 {
			continue // not the first
		}
		standing := rows[*slot-1]
		*slot = 0
		kept = append(kept, standing)
	}
	clear(rows[len(kept):])
	return kept
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
		same := c.same
		switch c.role {
		case RoleCost, RoleProvenance:
			continue
		case RoleMetric:
			if x.worth() != y.worth() || x.Failed() {
				continue
			}
			if x.CPU != y.CPU {
				same = c.near
			}
		}
		if !same(x, y) {
			return fmt.Errorf("results: cell %s, checkpoint %d: column %q is %v (%s) and %v (%s); two computations of a "+
				"cell must agree%s", x.Cell, x.Checkpoint, c.Name, c.value(x), x.from(), c.value(y), y.from(), howFar(x, y))
		}
	}
	return nil
}

// from says where a row was computed.
func (r *Row) from() string {
	text := fmt.Sprintf("host %q, attempt %q", r.Host, r.Attempt)
	if r.CPU != "" {
		text += ", on " + r.CPU
	}
	return text
}

// howFar says how far two rows may differ, if not at all.
func howFar(x, y *Row) string {
	if x.CPU == y.CPU {
		return ""
	}
	return fmt.Sprintf(" to %v, on different processors", tolerance)
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

// slot returns a slot as at finds it.
func (x *rowIndex) slot(rows []Row, r *Row) *uint32 { return &x.slots[x.at(rows, r)] }

// at returns the place of the slot of the row of rows with r's cell and checkpoint, or the empty
// slot where such a row belongs.
func (x *rowIndex) at(rows []Row, r *Row) int {
	mask := uint64(len(x.slots) - 1)
	h := maphash.String(x.seed, r.Cell) + uint64(r.Checkpoint)*0x9E3779B97F4A7C15
	for ; ; h++ {
		s := x.slots[h&mask]
		if s == 0 {
			return int(h & mask)
		}
		if o := &rows[s-1]; o.Checkpoint == r.Checkpoint && o.Cell == r.Cell {
			return int(h & mask)
		}
	}
}
