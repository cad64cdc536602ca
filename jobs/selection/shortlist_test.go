package selection

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"graphda/io/results"
)

// brute returns the (cell, checkpoint) pairs that the rules choose among rows, each with
// the place of its cell in the plan.
func brute(rules []Rule, rows []results.Row, place map[string]int) map[results.Key]bool {
	type group struct {
		method     string
		checkpoint int
	}
	groups := map[group][]*results.Row{}
	for i := range rows {
		g := group{rows[i].Method, rows[i].Checkpoint}
		groups[g] = append(groups[g], &rows[i])
	}
	chosen := map[results.Key]bool{}
	for _, members := range groups {
		slices.SortFunc(members, func(a, b *results.Row) int { return place[a.Cell] - place[b.Cell] })
		for _, rule := range rules {
			for _, m := range Models {
				if i := rule.Best(members, m); i >= 0 {
					chosen[members[i].Key()] = true
				}
			}
		}
	}
	return chosen
}

// randomRows returns rows of several methods and checkpoints with many ties, some failed,
// some without a defined criterion.
func randomRows(rng *rand.Rand) (rows []results.Row, place map[string]int) {
	place = map[string]int{}
	figure := func() float64 {
		if rng.IntN(12) == 0 {
			return math.NaN()
		}
		return float64(rng.IntN(4)) / 4
	}
	for cell := range 1 + rng.IntN(25) {
		id := fmt.Sprintf("cell-%d", cell)
		place[id] = cell
		method := []string{"adam", "graphda"}[rng.IntN(2)]
		failedFrom := rng.IntN(12)
		for k, checkpoint := range []int{10, 20, 30} {
			r := results.Row{Cell: id, Method: method, Checkpoint: checkpoint}
			for _, m := range []*results.Metrics{&r.W, &r.Wbar} {
				*m = results.NoMetrics()
				m.ValidAccuracy, m.ValidMSE, m.Mistakes, m.F1 = figure(), figure(), float64(rng.IntN(3)), figure()
			}
			if k >= failedFrom {
				r.W, r.Wbar, r.Error = results.NoMetrics(), results.NoMetrics(), "failed"
			}
			rows = append(rows, r)
		}
	}
	return rows, place
}

func TestShortlistAgainstBruteForce(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		loss := []string{"logistic", "least_squares"}[rng.IntN(2)]
		names := Names()
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		var rules []Rule
		reading := readings[rng.IntN(len(readings))].name
		for _, name := range names[:1+rng.IntN(len(names))] {
			rules = append(rules, mustParse(name, reading, loss))
		}
		rows, place := randomRows(rng)
		want := brute(rules, rows, place)

		list, held := NewShortlist(rules), map[results.Key]bool{}
		for _, i := range rng.Perm(len(rows)) {
			chosen, dropped := list.Offer(&rows[i], place[rows[i].Cell], "")
			if chosen {
				held[rows[i].Key()] = true
			}
			for _, key := range dropped {
				delete(held, key)
			}
		}
		got := map[results.Key]bool{}
		for _, key := range list.Chosen() {
			if got[key] {
				t.Errorf("seed %d: %v is chosen twice", seed, key)
			}
			got[key] = true
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, rules %v: chosen %v, want %v", seed, rules, got, want)
		}
		if !reflect.DeepEqual(held, want) {
			t.Errorf("seed %d: held are %v, want %v", seed, held, want)
		}
	}
}
