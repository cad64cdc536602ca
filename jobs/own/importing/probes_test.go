package importing

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"graphda/io/dataframe"
	"graphda/io/probes"
	"graphda/jobs/own/sampletable"
)

// A probeTable is a table of samples whose columns are probes. Some values are missing.
type probeTable struct {
	columns []string
	x       [][]float64 // by sample
	weights []float64
}

func newProbeTable(rng *rand.Rand, columns []string, gaps float64) *probeTable {
	p := &probeTable{columns: columns}
	for range 30 {
		x := make([]float64, len(columns))
		for j := range x {
			if x[j] = math.Round(1000*(7+rng.NormFloat64()*float64(1+j%3))) / 1000; rng.Float64() < gaps {
				x[j] = math.NaN()
			}
		}
		p.x, p.weights = append(p.x, x), append(p.weights, float64(1+rng.IntN(3)))
	}
	return p
}

// text writes the columns in an order, transposed if `turned` is set.
func (p *probeTable) text(order []int, turned, weighted bool) string {
	lines := [][]string{{"id"}}
	for i := range p.x {
		lines = append(lines, []string{fmt.Sprintf("S%02d", i)})
	}
	for _, j := range order {
		lines[0] = append(lines[0], p.columns[j])
		for i, x := range p.x {
			text := fmt.Sprint(x[j])
			if math.IsNaN(x[j]) {
				text = "NA"
			}
			lines[i+1] = append(lines[i+1], text)
		}
	}
	if weighted {
		lines[0] = append(lines[0], "weight")
		for i, w := range p.weights {
			lines[i+1] = append(lines[i+1], fmt.Sprint(w))
		}
	}
	if turned {
		old := lines
		lines = make([][]string, len(old[0]))
		for _, line := range old {
			for k, field := range line {
				lines[k] = append(lines[k], field)
			}
		}
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.Join(line, ",") + "\n")
	}
	return b.String()
}

// want computes one by one the columns that make a gene.
func (p *probeTable) want(how probes.Rule, columns []int, weighted bool) []int {
	if how == probes.MeanProbe {
		return columns
	}
	best, most := 0, -1.0
	for _, j := range columns {
		n, sum, squares := 0.0, 0.0, 0.0
		for i, x := range p.x {
			w := 1.0
			if weighted {
				w = p.weights[i]
			}
			if x[j] == x[j] {
				n, sum, squares = n+w, sum+w*x[j], squares+w*x[j]*x[j]
			}
		}
		if v := squares/n - sum/n*sum/n; v > most {
			best, most = j, v
		}
	}
	return []int{best}
}

// Several probes of a gene become one feature in every form of table. New samples with the same probes, in any order,
// have the same features, bit for bit.
func TestProbes(t *testing.T) {
	t.Chdir(t.TempDir())
	labels := "id,y\n"
	for i := range 30 {
		labels += fmt.Sprintf("S%02d,%d\n", i, i%2)
	}
	write(t, "labels.csv", labels)
	write(t, "edges.csv", "source,target\nA,B\nB,C\nC,D\n")
	columns := []string{"p1", "p2", "p3", "p4", "p5", "p6", "p7"}
	aliases := "alias,name\nA,p1\nA,p2\nB,p3\nB,p4\nB,p5\nC,p6\n"
	genes := map[string][]int{"A": {0, 1}, "B": {2, 3, 4}, "C": {5}, "p7": {6}}
	for name, c := range map[string]struct {
		aliases  string
		columns  []string
		genes    map[string][]int
		turned   bool
		weighted bool
		gaps     float64
	}{
		"plain":       {aliases, columns, genes, false, false, 0},
		"gaps":        {aliases, columns, genes, false, false, 0.2},
		"turned":      {aliases, columns, genes, true, false, 0.2},
		"weighted":    {aliases, columns, genes, false, true, 0.1},
		"probe, gene": {"p1,A\np2,A\np3,B\np4,B\np5,B\np6,C\n", columns, genes, false, false, 0},
		"synonyms":    {aliases + "A0,p1\nA0,p2\n", columns, genes, false, false, 0},
		"a probe of two genes": {aliases + "D,p6\n", columns,
			map[string][]int{"A": {0, 1}, "B": {2, 3, 4}, "p6": {5}, "p7": {6}}, false, false, 0},
		"a node of the same name": {"alias,name\nA,p1\nB,p3\nB,p4\nB,p5\nC,p6\n", []string{"p1", "A", "p3", "p4", "p5", "p6", "p7"},
			genes, false, false, 0},
		"one name":         {"", []string{"A", "A", "B", "B", "B", "C", "p7"}, genes, false, false, 0.1},
		"one name, turned": {"", []string{"A", "A", "B", "B", "B", "C", "p7"}, genes, true, false, 0.1},
	} {
		for _, how := range probes.AllRules {
			p := newProbeTable(rand.New(rand.NewPCG(5, 5)), c.columns, c.gaps)
			inOrder := []int{0, 1, 2, 3, 4, 5, 6}
			write(t, "samples.csv", p.text(inOrder, c.turned, c.weighted))
			write(t, "aliases.csv", c.aliases)
			r := request()
			r.Positive, r.Label, r.Labels, r.Drop, r.Probes, r.Missing = "", "y", "labels.csv", nil, how, sampletable.MissingMean
			if r.Text = (dataframe.Options{Transpose: c.turned}); c.aliases != "" {
				r.Edges.Aliases = "aliases.csv"
			}
			if c.weighted {
				r.Weight = "weight"
			}
			result := run(t, r)
			trial := load(t, r.Out, 0)
			f := trial.Features
			if len(f.Names) != len(c.genes) {
				t.Errorf("%s, %s: features %q", name, how, f.Names)
				continue
			}
			if notes := strings.Join(result.Notes, "\n"); !strings.Contains(notes, fmt.Sprintf("made %d features from 7 columns of samples.csv", len(c.genes))) {
				t.Errorf("%s: %s", name, notes)
			}
			want := make([][]float64, len(p.x)) // NaN where no probe has a value
			for i, x := range p.x {
				for _, gene := range f.Names {
					var values []float64
					for _, j := range p.want(how, c.genes[gene], c.weighted) {
						values = append(values, x[j])
					}
					want[i] = append(want[i], probes.Mean(values))
				}
			}
			b := trial.Train
			for k := range b.Rows() {
				var i int
				fmt.Sscanf(b.IDs[k], "S%d", &i)
				for j, v := range b.Row(k) {
					if w := want[i][j]; w == w && v != w {
						t.Errorf("%s, %s: sample %d has %s = %v, want %v", name, how, i, f.Names[j], v, w)
					}
				}
			}
			// The same probes in another order, where another probe now varies most.
			order := []int{6, 4, 2, 3, 1, 0, 5}
			if c.aliases == "" { // only the order distinguishes columns of one name
				order = []int{6, 5, 2, 3, 4, 0, 1}
			}
			write(t, "new.csv", p.text(order, c.turned, false))
			u := &sampletable.Unlabelled{Path: "new.csv", Text: r.Text, Features: f.Names, Probes: f.Probes, Gaps: true}
			i := 0
			_, absent, err := u.Read(context.Background(), new(sampletable.Notes), func(x []float64, _ []string) error {
				if !slices.EqualFunc(x, want[i], func(a, b float64) bool { return a == b || a != a && b != b }) {
					t.Errorf("%s, %s: new sample %d is %v, want %v", name, how, i, x, want[i])
				}
				i++
				return nil
			})
			if err != nil || absent != nil || i != len(p.x) {
				t.Errorf("%s, %s: %d samples, absent %q, %v", name, how, i, absent, err)
			}
		}
	}
}

// The chosen probe obeys the laws of weights, and does not depend on the order of rows. If a table lacks one probe of a
// feature, the feature is absent.
func TestProbesByWeights(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(9, 9))
	write(t, "edges.csv", "source,target\nA,B\n")
	write(t, "aliases.csv", "A p1\nA p2\nA p3\nB p4\n")
	take := func(rows [][]float64, weights []float64) []string {
		text := "id,y,p1,p2,p3,p4,w\n"
		for i, x := range rows {
			text += fmt.Sprintf("%d,%d,%g,%g,%g,%g,%g\n", i, i%2, x[0], x[1], x[2], x[3], weights[i])
		}
		write(t, "samples.csv", text)
		r := request()
		r.Positive, r.Label, r.Drop, r.Probes, r.Edges.Aliases, r.Weight = "", "y", nil, probes.MaxVariance, "aliases.csv", "w"
		run(t, r)
		return load(t, r.Out, 0).Features.Probes[0]
	}
	for range 10 {
		var rows, copied [][]float64
		var weights, tenfold, ones []float64
		for range 40 {
			x := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			w := rng.IntN(4)
			rows, weights, tenfold = append(rows, x), append(weights, float64(w)), append(tenfold, 10*float64(w))
			for range w {
				copied, ones = append(copied, x), append(ones, 1)
			}
		}
		want := take(rows, weights)
		slices.Reverse(rows)
		slices.Reverse(weights)
		for name, got := range map[string][]string{"tenfold": take(rows, weights), "copied": take(copied, ones)} {
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q is taken, want %q", name, got, want)
			}
		}
		slices.Reverse(rows)
		if got := take(rows, tenfold); !slices.Equal(got, want) {
			t.Errorf("with tenfold weights %q is taken, want %q", got, want)
		}
	}
	write(t, "new.csv", "id,p1,p4\na,1,2\n")
	u := &sampletable.Unlabelled{Path: "new.csv", Features: []string{"A", "B"}, Probes: probes.Columns{{"p1", "p2"}, {"p4"}}, Gaps: true}
	_, absent, err := u.Read(context.Background(), new(sampletable.Notes), func(x []float64, _ []string) error {
		if x[0] == x[0] || x[1] != 2 {
			t.Errorf("%v, want no value and 2", x)
		}
		return nil
	})
	if err != nil || !slices.Equal(absent, []string{"A"}) {
		t.Errorf("absent %q, %v", absent, err)
	}
}

// If only their order tells columns of one name apart, and not all of them are read, a note says so.
func TestColumnsOfOneName(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		probes     probes.Columns
		head, want string
	}{
		{probes.Columns{{"p"}, {"q"}}, "p,q", ""}, {probes.Columns{{"p.1"}, {"q"}}, "p,q,p", ": p"}, {probes.Columns{{"p"}, {"q"}}, "q,p,p", ": p"},
		{probes.Columns{{"p.1"}, {"q"}}, "p,q,p.1", ""}, {probes.Columns{{"p", "p.1"}, {"q"}}, "p,p,q", ""},
		{probes.Columns{{"p", "p.1"}, {"q"}}, "p,q,q,p,p", ": p, q"}, {probes.Columns{{"p"}, {"q"}}, "q,z,p,z", ""},
		{probes.Columns{{"p.2"}, {"q"}}, "q,p,z,p", ""},
	} {
		write(t, "new.csv", c.head+"\n"+strings.Repeat("1,", strings.Count(c.head, ","))+"1\n")
		u := &sampletable.Unlabelled{Path: "new.csv", Features: []string{"A", "B"}, Probes: c.probes, Gaps: true}
		var notes sampletable.Notes
		_, _, err := u.Read(t.Context(), &notes, func([]float64, []string) error { return nil })
		if text := strings.Join(notes, "\n"); err != nil || !strings.HasSuffix(text, c.want) || strings.Contains(text, "told apart") != (c.want != "") {
			t.Errorf("%q of %s: notes %q, %v", c.probes, c.head, text, err)
		}
	}
}
