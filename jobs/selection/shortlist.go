package selection

import (
	"maps"
	"slices"

	"graphda/io/results"
)

// A Shortlist holds the rows that rules choose among the rows offered so far. There is a row for each rule, model,
// method, variant and checkpoint. Rows may come in any order.
type Shortlist struct {
	rules []Rule
	best  map[choice]candidate
}

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

// NewShortlist returns an empty Shortlist for some rules.
func NewShortlist(rules []Rule) *Shortlist {
	return &Shortlist{rules: rules, best: map[choice]candidate{}}
}

// Offer offers the row of a cell. The cell's place in the plan breaks ties. `variant` is a text with the settings that
// are not tuned. Offer tells whether a rule chooses the row, and which rows are no longer chosen.
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

// prefers tells whether a row is better than the best row so far. ok is false if there is no best row yet.
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

func (s *Shortlist) holds(key results.Key) bool {
	for _, b := range s.best {
		if b.row.Key() == key {
			return true
		}
	}
	return false
}

// Chosen returns the keys of all chosen rows, in any order.
func (s *Shortlist) Chosen() []results.Key {
	keys := map[results.Key]bool{}
	for _, b := range s.best {
		keys[b.row.Key()] = true
	}
	return slices.Collect(maps.Keys(keys))
}
