package coding

import (
	"fmt"
	"slices"
	"strconv"
)

// An IDColumn is a column that may have the ids of a table's rows.
type IDColumn struct {
	Name  string
	Index bool
	Named bool     // set if pandas gave the index a name
	IDs   []string // by row
}

// counts tells whether the column is an index that numbers the rows from 0 or 1.
func (c *IDColumn) counts() bool {
	from := slices.Index([]string{"0", "1"}, c.IDs[0])
	for i, id := range c.IDs {
		if from < 0 || id != strconv.Itoa(from+i) {
			return false
		}
	}
	return c.Index
}

// MayCount tells whether the column is an unnamed index of whole numbers. The numbers may be ids, or row numbers of a
// table that was sorted or filtered.
func (c *IDColumn) MayCount() bool {
	return c.Index && !c.Named && !slices.ContainsFunc(c.IDs, func(id string) bool { return !whole(id) })
}

func whole(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

// Repeats reports whether two rows have the same id.
func (c *IDColumn) Repeats() bool {
	seen := map[string]bool{}
	for _, id := range c.IDs {
		seen[id] = true
	}
	return len(seen) < len(c.IDs)
}

// An idPair is a pair of columns, one of each table.
type idPair struct {
	at, other int
	matches   float64 // number of rows of the first table whose id is in the second
	words     bool    // set if a matching id is not a whole number
	same      bool    // set if the columns have the same name
	rows      []int   // by row of the first table: the matching row of the second table, or −1
	names     string
	rival     string // names of another pair that matches equally many rows, but other rows; "" if there is none
}

// A Join says by which columns two tables are joined.
type Join struct {
	At, Other int
	Unused    bool   // set if an index matches, but may only number the rows
	Names     string // names of the two columns
	Rival     string // names of two other columns that match as well, but other rows; "" if there are none
}

// JoinIDs chooses the pair of columns with the most matching rows. An index that numbers the rows is the last choice.
// An index for which MayCount is true never wins if both tables have other columns of ids. Otherwise it wins only if it
// matches more than twice as many rows as the best other pair, and this pair matches no words.
func JoinIDs(columns, others []*IDColumn) *Join {
	name := func(columns []*IDColumn) int {
		return slices.IndexFunc(columns, func(c *IDColumn) bool { return !c.MayCount() })
	}
	var ids, numbers idPair
	named, named2, j := name(columns), name(others), &Join{}
	for b, two := range others {
		row := map[string]int{}
		for i, id := range slices.Backward(two.IDs) {
			row[id] = i
		}
		for a, one := range columns {
			p := idPair{at: a, other: b, same: one.Name == two.Name, names: fmt.Sprintf("%q and %q", one.Name, two.Name)}
			for _, id := range one.IDs {
				i, known := row[id]
				if !known {
					i = -1
				} else if p.matches++; !whole(id) {
					p.words = true
				}
				p.rows = append(p.rows, i)
			}
			best := &ids
			if one.MayCount() || two.MayCount() {
				best = &numbers
			}
			if one.counts() || two.counts() {
				p.matches /= float64(len(one.IDs) + 1)
			}
			if named >= 0 && one.counts() || named2 >= 0 && two.counts() ||
				min(named, named2) >= 0 && one.MayCount() && two.MayCount() {
				j.Unused = j.Unused || p.matches >= 1
			} else {
				best.challenge(p)
			}
		}
	}
	if !ids.words && numbers.matches > 2*ids.matches {
		ids = numbers
	}
	if j.At, j.Other = max(named, 0), max(named2, 0); ids.matches > 0 {
		j.At, j.Other, j.Names, j.Rival = ids.at, ids.other, ids.names, ids.rival
	}
	return j
}

// challenge replaces best by p if p matches more rows, or equally many rows and its columns have the same name. If both
// match equally many rows, but other rows, they become rivals.
func (best *idPair) challenge(p idPair) {
	tie := p.matches == best.matches && p.matches > 0
	if level := tie && p.same == best.same; level && !slices.Equal(p.rows, best.rows) {
		p.rival, best.rival = best.names, p.names
	} else if level {
		p.rival = best.rival
	}
	if p.matches > best.matches || tie && p.same {
		*best = p
	}
}
