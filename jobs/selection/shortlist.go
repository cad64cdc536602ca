package selection

import (
	"maps"
	"slices"

	"graphda/io/results"
)

// A Shortlist finds, as rows come in any order, the rows that rules would choose of them: one
// for each rule, model, method, variant and checkpoint.
type Shortlist struct {
	rules []Rule
	best  map[choice]candidate
}

// A choice is a decision between rows.
type choice struct {
	rule       int
	model      Model
	method     string
	variant    string
	checkpoint int
}

type candidate struct {
	row   results.Row
	place int
}

// NewShortlist returns an empty shortlist.
func NewShortlist(rules []Rule) *Shortlist {
	return &Shortlist{rules: rules, best: map[choice]candidate{}}
}

// Offer enters the row of a cell, whose place in the plan decides between equals, and whose
// variant is that of its settings which are not tuned. It tells whether the row is chosen for
// now, and which rows are chosen no longer.
func (s *Shortlist) Offer(row *results.Row, place int, variant string) (chosen bool, dropped []results.Key) {
	for i, rule := range s.rules {
		for _, model := range Models {
			c := choice{i, model, row.Method, variant, row.Checkpoint}
			best, ok := s.best[c]
			if !rule.prefers(row, place, &best, ok, model) {
				continue
			}
			s.best[c] = candidate{*row, place}
			chosen = true
			if key := best.row.Key(); ok && !s.holds(key) {
				dropped = append(dropped, key)
			}
		}
	}
	return chosen, dropped
}

// prefers tells whether a row takes the place of the best so far, if there is one.
func (r *Rule) prefers(row *results.Row, place int, best *candidate, ok bool, model Model) bool {
	switch {
	case !ok:
		return r.usable(row, model)
	case place > best.place:
		return r.better(row, &best.row, model)
	default:
		return r.usable(row, model) && !r.better(&best.row, row, model)
	}
}

// holds tells whether a row is some rule's choice.
func (s *Shortlist) holds(key results.Key) bool {
	for _, b := range s.best {
		if b.row.Key() == key {
			return true
		}
	}
	return false
}

// Chosen returns the keys of the rows that some rule has chosen, once each, in any order.
func (s *Shortlist) Chosen() []results.Key {
	keys := map[results.Key]bool{}
	for _, b := range s.best {
		keys[b.row.Key()] = true
	}
	return slices.Collect(maps.Keys(keys))
}
