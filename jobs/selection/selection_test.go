package selection

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"graphda/io/results"
	"graphda/jobs/jobstest"
)

var nan = math.NaN()

// row makes a row with the given measures of w. The measures of w̄ are not defined.
func row(accuracy, mse, mistakes, f1 float64) *results.Row {
	r := &results.Row{W: results.NoMetrics(), Wbar: results.NoMetrics()}
	r.W.ValidAccuracy, r.W.ValidMSE, r.W.Mistakes, r.W.F1 = accuracy, mse, mistakes, f1
	return r
}

func failed(r *results.Row) *results.Row {
	r.Error = "diverged"
	return r
}

func mustParse(name, reading, loss string) Rule { return jobstest.Must1(Parse(name, reading, loss)) }

func TestBest(t *testing.T) {
	for _, c := range []struct {
		name, rule, reading, loss string
		rows                      []*results.Row
		want                      int
	}{
		{"highest accuracy", Validation, "", "logistic",
			[]*results.Row{row(0.6, 9, 1, 1), row(0.8, 9, 9, 0), row(0.7, 0, 0, 1)}, 1},
		{"ties by fewer mistakes", Validation, "", "logistic",
			[]*results.Row{row(0.8, 1, 30, 1), row(0.8, 1, 20, 1), row(0.8, 1, 25, 1)}, 1},
		{"then by plan order", Validation, "", "logistic",
			[]*results.Row{row(0.7, 1, 1, 1), row(0.8, 1, 20, 0), row(0.8, 1, 20, 1)}, 1},
		{"known mistakes before unknown", Validation, "", "logistic",
			[]*results.Row{row(0.8, 1, nan, 1), row(0.8, 1, 20, 1), row(0.8, 1, nan, 1)}, 1},
		{"unknown mistakes tie", Validation, "", "logistic",
			[]*results.Row{row(0.8, 1, nan, 1), row(0.8, 1, nan, 1)}, 0},
		{"lowest mse", Validation, "", "least_squares",
			[]*results.Row{row(nan, 2, 1, 1), row(nan, 0.5, 9, 0), row(nan, 1, 0, 1)}, 1},
		{"mse ties by fewer mistakes", Validation, "", "least_squares",
			[]*results.Row{row(nan, 0.5, 9, 0), row(nan, 0.5, 8, 0)}, 1},
		{"infinite mse before none", Validation, "", "least_squares",
			[]*results.Row{row(nan, nan, 0, 1), row(nan, math.Inf(1), 9, 0)}, 1},
		{"the last of equals, whatever the mistakes", ValidationLast, "", "logistic",
			[]*results.Row{row(0.8, 1, 1, 1), row(0.8, 1, 20, 0), row(0.7, 1, 0, 1)}, 1},
		{"best f1, first of equals", OracleF1, "", "least_squares",
			[]*results.Row{row(1, 0, 0, 0.5), row(0, 9, 9, 0.9), row(1, 0, 0, 0.9)}, 1},
		{"paper on the benchmark", Paper, "benchmark", "logistic",
			[]*results.Row{row(0.8, 1, 30, 1), row(0.8, 1, 20, 1)}, 1},
		{"paper on mnist", Paper, "mnist", "least_squares",
			[]*results.Row{row(nan, 0, 0, 0.5), row(nan, 9, 9, 0.9)}, 1},
		{"paper on kegg", Paper, "kegg", "logistic",
			[]*results.Row{row(0.8, 1, 1, 1), row(0.8, 1, 20, 0)}, 1},
		{"failed and absent rows", Validation, "", "logistic",
			[]*results.Row{nil, failed(row(0.9, 1, 0, 1)), row(0.1, 1, 9, 0), nil}, 2},
		{"NaN never before a number", Validation, "", "logistic",
			[]*results.Row{row(nan, 0, 0, 1), row(0, 9, 9, 0), row(nan, 0, 0, 1)}, 1},
		{"nothing to rank by", OracleF1, "", "logistic",
			[]*results.Row{row(0.9, 1, 0, nan), row(0.8, 1, 0, nan)}, -1},
		{"nothing but failures", Validation, "", "logistic",
			[]*results.Row{failed(row(0.9, 1, 0, 1)), nil}, -1},
		{"no rows", Validation, "", "logistic", nil, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			rule := mustParse(c.rule, c.reading, c.loss)
			if got := rule.Best(c.rows, W); got != c.want {
				t.Errorf("chose row %d for w, want %d", got, c.want)
			}
			if got := rule.Best(c.rows, Wbar); got != -1 {
				t.Errorf("chose row %d for w̄, which has no measures", got)
			}
			for _, r := range c.rows {
				if r != nil {
					r.W, r.Wbar = r.Wbar, r.W
				}
			}
			if got := rule.Best(c.rows, Wbar); got != c.want {
				t.Errorf("chose row %d for w̄, want %d", got, c.want)
			}
		})
	}
}

// Rows with the chosen row's score tie with it, even if the rule breaks the tie by mistakes.
func TestTies(t *testing.T) {
	rows := []*results.Row{
		row(0.8, 1, 30, 1), row(0.8, 1, 20, 0), nil, row(0.7, 1, 1, 1), failed(row(0.8, 1, 0, 1)), row(0.8, 1, 25, 0), row(nan, 1, 0, 1),
	}
	for name, want := range map[string][2]int{Validation: {1, 2}, ValidationLast: {5, 2}, OracleF1: {0, 2}} {
		rule := mustParse(name, "", "logistic")
		best := rule.Best(rows, W)
		if ties := len(rule.Ties(rows, best, W)); best != want[0] || ties != want[1] {
			t.Errorf("%s: row %d with %d ties, want row %d with %d", name, best, ties, want[0], want[1])
		}
		if ties := len(rule.Ties(rows, rule.Best(rows, Wbar), Wbar)); ties != 0 {
			t.Errorf("%s: %d ties where nothing was chosen", name, ties)
		}
	}
}

// Describe says what Best does, see TestBest.
func TestDescribe(t *testing.T) {
	for _, c := range []struct{ name, reading, loss, want string }{
		{Validation, "", "logistic", "w and w̄ each use the setting with the best accuracy on the validation split. Ties go to the setting with the fewest training mistakes."},
		{Validation, "", "least_squares", "w and w̄ each use the setting with the smallest squared error on the validation split."},
		{ValidationLast, "", "logistic", "w and w̄ each use the setting with the best accuracy on the validation split. Ties go to the last setting in plan order."},
		{OracleF1, "", "least_squares", "w and w̄ each use the setting with the best F1 against the true support. A user of the method does not know the true support."},
		{Paper, "benchmark", "logistic", "w and w̄ each use the setting with the best accuracy on the validation split. But mistakes and nonzeros of w̄ come from the setting for w, as in the published tables. This gives the published numbers."},
		{Paper, "mnist", "least_squares", "w and w̄ each use the setting with the best F1 against the true support. A user of the method does not know the true support. This gives the published numbers."},
		{Paper, "kegg", "logistic", "w and w̄ each use the setting with the best accuracy on the validation split. Ties go to the last setting in plan order. This gives the published numbers."},
	} {
		if got := mustParse(c.name, c.reading, c.loss).Describe(); got != c.want {
			t.Errorf("%s %s under %s: %q", c.name, c.reading, c.loss, got)
		}
	}
}

func TestCellOf(t *testing.T) {
	benchmark := mustParse(Paper, "benchmark", "logistic")
	validation := mustParse(Validation, "benchmark", "logistic")
	for metric, want := range map[string]Model{
		"test_accuracy": Wbar, "test_balanced_accuracy": Wbar, "test_auc": Wbar, "valid_accuracy": Wbar,
		"mistakes": W, "nonzeros": W, "nonzero_percent": W, "precision": W, "recall": W, "f1": W,
	} {
		if got := benchmark.CellOf(Wbar, metric); got != want {
			t.Errorf("paper (benchmark) reads %s of w̄ from the cell of %v, want %v", metric, got, want)
		}
		if got := benchmark.CellOf(W, metric); got != W {
			t.Errorf("paper (benchmark) reads %s of w from the cell of %v", metric, got)
		}
		if got := validation.CellOf(Wbar, metric); got != Wbar {
			t.Errorf("validation reads %s of w̄ from the cell of %v", metric, got)
		}
	}
}

func TestRulesHaveTheirNames(t *testing.T) {
	for _, name := range Names() {
		for _, reading := range readings {
			reading := reading.name
			for _, loss := range []string{"logistic", "least_squares"} {
				r := mustParse(name, reading, loss)
				if r.Name() != name {
					t.Errorf("%s is called %s", name, r.Name())
				}
				if want := name == Paper; strings.Contains(r.String(), reading) != want {
					t.Errorf("rule %s prints as %q", name, r)
				}
			}
		}
	}
}

func TestModel(t *testing.T) {
	r := &results.Row{}
	if W.Of(r) != &r.W || Wbar.Of(r) != &r.Wbar {
		t.Error("a model's measures are not its own")
	}
	if W.Suffix() != "" || Wbar.Suffix() != results.WbarSuffix || W.String() != "w" || Wbar.String() != "w̄" {
		t.Error("a model's names are not its own")
	}
}

// brute returns the (cell, checkpoint) pairs that the rules choose among rows. place has the index of each cell in
// the plan.
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

// randomRows returns rows of several methods and checkpoints. Many tie, some failed, and some have no defined
// criterion.
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
