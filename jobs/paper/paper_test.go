package paper

import (
	"bytes"
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"graphda/jobs/jobstest"
)

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// gridCells lists the numbers of hyperparameter combinations per trial behind the published numbers, in the order
// of the paper's tables.
var gridCells = []struct {
	method string
	cells  int
}{
	{"adam", 8}, {"l1-rda", 1512}, {"adagrad", 224}, {"da-gl", 126}, {"da-sgl", 126}, {"stoiht", 340},
	{"graphstoiht", 136}, {"da-iht", 306}, {"graphda", 306}, {"best-subset", 9},
}

// A spec is the part of an experiment that these tests read.
type spec struct {
	Name        string
	Title       string
	Like        string
	Loss        string
	Datasets    []string
	Trials      []int
	Checkpoints []int
	Selection   []string
	Paper       string
	Methods     []yaml.Node
	Reports     []specReport
	Quick       struct {
		Datasets    []string
		Trials      []int
		Checkpoints []int
		Methods     []yaml.Node
	}
}

type specReport struct {
	Name, Kind, Title, Measure, Parameter, Published string
	Datasets, Methods, Models                        []string
	Trials                                           []int
	Checkpoint, Columns                              int
	Log                                              bool
}

func parse(t *testing.T, name string) spec {
	t.Helper()
	data := must1(Experiment(name))
	var s spec
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// grid returns a method, its parameters and their values from an entry of the methods.
func grid(t *testing.T, m yaml.Node) (method string, params []string, values [][]float64) {
	t.Helper()
	for i := 0; i < len(m.Content); i += 2 {
		key, value := m.Content[i].Value, m.Content[i+1]
		switch key {
		case "method":
			method = value.Value
		case "datasets", "search":
			continue
		default:
			v := []float64{0}
			var err error
			if value.Kind == yaml.SequenceNode {
				err = value.Decode(&v)
			} else {
				err = value.Decode(&v[0])
			}
			if err != nil {
				t.Fatalf("%s: %s: %v", method, key, err)
			}
			params, values = append(params, key), append(values, v)
		}
	}
	return method, params, values
}

func cells(values [][]float64) int {
	n := 1
	for _, v := range values {
		n *= len(v)
	}
	return n
}

func TestBenchmarkHasThePublishedGrids(t *testing.T) {
	s := parse(t, "benchmark")
	if s.Loss != "logistic" || s.Paper != "benchmark" || len(s.Datasets) != 4 ||
		!slices.Contains(s.Checkpoints, 400) || !slices.Equal(s.Selection, []string{"validation", "paper"}) {
		t.Errorf("%+v", s)
	}
	total := 0
	if len(s.Methods) != len(gridCells) {
		t.Fatalf("%d methods, want %d", len(s.Methods), len(gridCells))
	}
	for k, want := range gridCells {
		method, _, values := grid(t, s.Methods[k])
		if method != want.method || cells(values) != want.cells {
			t.Errorf("method %d is %s with %d cells, want %s with %d", k, method, cells(values), want.method, want.cells)
		}
		total += cells(values)
	}
	if total != 3093 {
		t.Errorf("%d cells a trial, want 3093", total)
	}
}

// Each of the paper's tables shows one graph of the benchmark after 400 samples.
func TestTables(t *testing.T) {
	for i, name := range []string{"table1", "table2", "table3", "table4"} {
		s := parse(t, name)
		if s.Like != "benchmark" || !slices.Equal(s.Datasets, []string{"graph0" + name[5:] + "-mu0.3"}) ||
			!slices.Equal(s.Checkpoints, []int{400}) || !strings.HasPrefix(s.Title, "Table "+name[5:]+":") {
			t.Errorf("%s: %+v", name, s)
		}
		reports := parse(t, "benchmark").Reports
		r := reports[slices.IndexFunc(reports, func(r specReport) bool { return r.Name == name })]
		if r.Kind != "classification" || r.Checkpoint != 400 || r.Published != PublishedNames()[i] || !slices.Equal(r.Datasets, s.Datasets) {
			t.Errorf("%s: report %+v", name, r)
		}
	}
}

// Some values are compared with the appendix. rho contains 0.00005, which the paper misprints.
func TestGridValues(t *testing.T) {
	s := parse(t, "benchmark")
	_, params, values := grid(t, s.Methods[1])
	if !slices.Equal(params, []string{"lambda", "gamma", "rho"}) {
		t.Errorf("l1-rda has parameters %v", params)
	}
	for i, want := range [][]float64{
		{0.0001, 0.0005, 0.001, 0.005, 0.01, 0.03, 0.05, 0.1, 0.3, 0.5, 1, 3, 5, 10},
		{1, 5, 10, 50, 100, 500, 1000, 5000, 10000},
		{0, 0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1},
	} {
		if !slices.Equal(values[i], want) {
			t.Errorf("l1-rda %s is %v, want %v", params[i], values[i], want)
		}
	}
	_, _, values = grid(t, s.Methods[8])
	if s := values[1]; len(s) != 34 || s[0] != 5 || s[5] != 26 || s[33] != 150 {
		t.Errorf("graphda s is %v", s)
	}
}

// The values of grids ascend, so plan order, which breaks ties, is the order of the values.
func TestGridsAscend(t *testing.T) {
	for _, name := range Names() {
		for _, m := range parse(t, name).Methods {
			method, params, values := grid(t, m)
			for i, v := range values {
				if len(v) == 0 || !slices.IsSorted(v) || len(slices.Compact(slices.Clone(v))) != len(v) {
					t.Errorf("%s: %s %s is %v", name, method, params[i], v)
				}
			}
		}
	}
}

// A quick form is a part of the full form, with few of its methods and values.
func TestQuickIsAPart(t *testing.T) {
	for _, name := range []string{"benchmark", "mnist", "kegg", "figure5"} {
		s := parse(t, name)
		type value struct {
			method, param string
			x             float64
		}
		full := map[value]bool{}
		for _, m := range s.Methods {
			method, params, values := grid(t, m)
			for i, v := range values {
				for _, x := range v {
					full[value{method, params[i], x}] = true
				}
			}
		}
		total := 0
		for _, m := range s.Quick.Methods {
			method, params, values := grid(t, m)
			for i, v := range values {
				for _, x := range v {
					if !full[value{method, params[i], x}] && params[i] != "search" {
						t.Errorf("%s: quick has %s %s=%v, the full form has not", name, method, params[i], x)
					}
				}
			}
			total += cells(values)
		}
		if total > 100 {
			t.Errorf("%s: the quick form has %d cells", name, total)
		}
		for _, k := range s.Quick.Checkpoints {
			if !slices.Contains(s.Checkpoints, k) {
				t.Errorf("%s: quick has checkpoint %d, the full form has not", name, k)
			}
		}
	}
}

func TestNames(t *testing.T) {
	if want := []string{
		"benchmark", "figure2", "figure3", "figure4", "figure5", "figure6", "figure7", "figure8", "figure9", "figure10", "figure11",
		"figure12", "kegg", "mnist", "regret", "table1", "table2", "table3", "table4",
	}; !slices.Equal(Names(), want) {
		t.Errorf("%v, want %v", Names(), want)
	}
	for _, name := range Names() {
		if s := parse(t, name); s.Name != name {
			t.Errorf("%s.yaml is named %s inside", name, s.Name)
		}
	}
	for _, name := range []string{"table9", "", "../experiments/table1", "table1.yaml"} {
		jobstest.WantError(t, jobstest.Err(Experiment(name)), "regret, table1")
	}
}

// These numbers were typed from the paper: rows of Table 1, and one row of each other table.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		table, method string
		w, wbar       string // w: Pre±std Rec±std F1±std AUC Acc Miss NR; wbar: AUC Acc Miss NR
	}{
		{"graph01", "adam", "0.024±0.00 1.000±0.00 0.047±0.00 0.618 0.619 166.35 100.0", "0.603 0.603 173.10 100.0"},
		{"graph01", "l1-rda", "0.267±0.11 0.863±0.09 0.389±0.13 0.693 0.694 155.30 11.58", "0.672 0.673 166.05 83.60"},
		{"graph01", "da-sgl", "0.523±0.40 0.854±0.14 0.506±0.35 0.699 0.699 151.00 25.54", "0.647 0.647 165.50 100.0"},
		{"graph01", "graphstoiht", "0.151±0.12 0.356±0.16 0.194±0.12 0.603 0.602 174.65 7.84", "0.570 0.570 181.40 22.06"},
		{"graph01", "graphda", "0.869±0.13 0.906±0.04 0.880±0.08 0.749 0.749 133.45 2.56", "0.739 0.739 136.20 32.12"},
		{"graph02", "adagrad", "0.342 0.888 0.470 0.771 0.771 125 14.43", "0.711 0.711 141 100.0"},
		{"graph03", "l1-rda", "0.340 0.940 0.488 0.870 0.869 88 26.15", "0.833 0.833 104 99.51"},
		{"graph04", "da-iht", "0.780 0.801 0.788 0.919 0.919 74 12.51", "0.898 0.899 82 72.72"},
	} {
		table, ok := Published(c.table)
		if !ok {
			t.Fatalf("%s is not published", c.table)
		}
		line, ok := table.Line(c.method)
		if !ok {
			t.Fatalf("%s of %s is not published", c.method, c.table)
		}
		measures := []string{"test_balanced_accuracy", "test_accuracy", "mistakes", "nonzero_percent"}
		if got := printed(line.W, append([]string{"precision", "recall", "f1"}, measures...)); got != c.w {
			t.Errorf("%s of %s: w is %s, want %s", c.method, c.table, got, c.w)
		}
		if got := printed(line.Wbar, measures); got != c.wbar {
			t.Errorf("%s of %s: w̄ is %s, want %s", c.method, c.table, got, c.wbar)
		}
	}
}

// printed formats numbers as the paper does.
func printed(numbers map[string]Number, measures []string) string {
	var words []string
	for _, f := range measures {
		word := numbers[f].String()
		if std, ok := numbers[f+"_std"]; ok {
			word += "±" + std.String()
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestPublishedTables(t *testing.T) {
	if want := []string{"graph01", "graph02", "graph03", "graph04"}; !slices.Equal(PublishedNames(), want) {
		t.Fatalf("%v, want %v", PublishedNames(), want)
	}
	for i, name := range PublishedNames() {
		table, _ := Published(name)
		if table.Trials != 20 || table.Checkpoint != 400 || table.Caption != "Table "+string(rune('1'+i)) || len(table.Lines) != 9 {
			t.Errorf("%s: %s, %d trials, checkpoint %d, %d lines", name, table.Caption, table.Trials, table.Checkpoint, len(table.Lines))
		}
		for k, line := range table.Lines {
			if line.Method != gridCells[k].method {
				t.Errorf("%s: line %d is %s, want %s", name, k, line.Method, gridCells[k].method)
			}
			wantW := 7
			if name == "graph01" {
				wantW = 10 // also the deviations of precision, recall and F1
			}
			if len(line.W) != wantW || len(line.Wbar) != 4 {
				t.Errorf("%s of %s has %d and %d numbers, want %d and 4", line.Method, name, len(line.W), len(line.Wbar), wantW)
			}
		}
	}
	if _, ok := Published("graph05"); ok {
		t.Error("graph05 is published")
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]Number{`"106"`: {106, 0}, `"100.0"`: {100, 1}, `"0.740"`: {0.74, 3}} {
		var n Number
		if err := n.UnmarshalJSON([]byte(text)); err != nil || n != want || `"`+n.String()+`"` != text {
			t.Errorf("%s reads as %v (%v), prints as %s", text, n, err, n)
		}
	}
	if got := (Number{106, 0}).Unit(); got != 1 {
		t.Errorf("half a unit of 106 is %v", got)
	}
	if got := (Number{0.74, 3}).Unit(); got != 0.001 {
		t.Errorf("half a unit of 0.740 is %v", got)
	}
	for _, text := range []string{`"x"`, `3`} {
		if err := new(Number).UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s is taken as a number", text)
		}
	}
}

// A quick form contains the setting that the full form chooses most often. If several tie, it contains at least one.
func TestQuickHasTheChoicesOfFull(t *testing.T) {
	file := must1(os.Open("testdata/choices.csv"))
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	records, err := reader.ReadAll()
	if err != nil || len(records) < 150 {
		t.Fatalf("%d choices, %v", len(records), err)
	}
	forms := map[string][]string{"benchmark": {"benchmark"}, "kegg": {"kegg"}, "mnist": {"mnist", "figure8"}}
	quick := map[string][]yaml.Node{}
	for _, name := range slices.Concat(forms["benchmark"], forms["kegg"], forms["mnist"]) {
		quick[name] = parse(t, name).Quick.Methods
	}
	found := map[string]bool{} // by the purpose of the choice
	for _, r := range records[1:] {
		method, setting := r[4], r[8]
		for _, name := range forms[r[0]] {
			key := name + ": " + strings.Join(r[1:6], " ")
			found[key] = found[key] || slices.ContainsFunc(quick[name], func(m yaml.Node) bool {
				return has(t, m, method, setting)
			})
		}
	}
	for key, there := range found {
		if !there {
			t.Errorf("%s: nothing that the full grid chooses most often is in the quick form", key)
		}
	}
}

// has reports whether an entry of the methods has a setting such as "gamma=100 s=26".
func has(t *testing.T, m yaml.Node, method, setting string) bool {
	name, params, values := grid(t, m)
	if name != method {
		return false
	}
	for _, s := range strings.Fields(setting) {
		param, text, _ := strings.Cut(s, "=")
		v := must1(strconv.ParseFloat(text, 64))
		if i := slices.Index(params, param); i < 0 || !slices.Contains(values[i], v) {
			return false
		}
	}
	return true
}
