package tablekinds

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"graphda/io/results"
	"graphda/io/table"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/metrics"
	"graphda/jobs/paper"
	"graphda/jobs/plan"
	"graphda/jobs/reports/reportstest"
	"graphda/jobs/selection"
	"graphda/learners"
)

// fits fails if a line is wider than a terminal.
func fits(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); n > table.Width {
			t.Errorf("a line is %d columns wide, more than %d:\n%s", n, table.Width, line)
		}
	}
}

// golden compares a table with files in testdata. A file's extension gives the format.
func golden(t *testing.T, made *table.Table, names ...string) {
	t.Helper()
	for _, name := range names {
		format := map[string]string{".txt": "text", ".md": "markdown", ".tex": "latex", ".csv": "csv"}[filepath.Ext(name)]
		text := reportstest.Written(t, made, format)
		reportstest.Golden(t, name, text)
		if format == "text" {
			fits(t, text)
		}
	}
}

func publishedTable(t *testing.T) *paper.Table {
	t.Helper()
	made, ok := paper.Published("graph01")
	if !ok {
		t.Fatal("graph01 is not published")
	}
	return made
}

func TestCompareGolden(t *testing.T) {
	plan, rows := reportstest.Invented(t, 20)
	c := compared(t, reportstest.Summary(t, plan, rows), options, publishedTable(t))
	golden(t, c.table(), "compare.txt", "compare.csv")
}

// A report on an incomplete experiment has warnings for each line.
func TestWarningsGolden(t *testing.T) {
	plan, rows := reportstest.Invented(t, 3)
	for i := range rows {
		switch r := &rows[i]; {
		case r.Method == "da-gl" && r.Trial == 1:
			r.Error = "loss is not finite"
		case r.Method == "adam":
			r.W.TestAUC = math.NaN()
			if r.Trial == 0 {
				r.W.TestAUC = 0.7
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(r results.Row) bool { return r.Cell == "graphda-02-500" || r.Method == "stoiht" })
	made := classified(t, reportstest.Summary(t, plan, rows), options)
	golden(t, made, "warnings.txt")
}

func TestRegressionGolden(t *testing.T) {
	plan, rows := reportstest.Invented(t, 6)
	for i := range rows {
		r := &rows[i]
		scale := float64(len(r.Method)) / 1000
		r.W.TestMSE, r.Wbar.TestMSE = scale*float64(1+r.Trial), 2*scale
		r.W.ValidMSE, r.Wbar.ValidMSE = r.W.TestMSE, r.Wbar.TestMSE
	}
	for k := range 6 { // the mean of 0.030 to 0.035 is 0.0325
		trial := &plan.Datasets[0].Trials[k]
		trial.ZeroMSE, trial.MeanMSE = 0.04, []float64{0.03 + 0.001*float64(k)}
	}
	o := options
	o.Title = "Squared error"
	made := regressed(t, reportstest.SummaryBy(t, plan, rows, selection.Validation, "least_squares"), o)
	golden(t, made, "regression.txt", "regression.csv")
	for k, want := range map[int]string{2: "Always 0 0.04000±0.00000", 1: "Train mean 0.03250±0.00171"} { // √(35/12)/1000
		row := made.Rows[len(made.Rows)-k]
		at := made.At(TestMSE)
		if got := row[3].Word + " " + row[at].Text(); got != want || row[at].Best {
			t.Errorf("constant %q, want %q", got, want)
		}
	}
}

// z is computed by hand. For ±0.1 over 5 trials, the sample's s² is 0.0125, and the mean's variance is 0.0025. For
// the paper's ±0.04 over 20 trials, the mean's variance is 0.0016/19. Rounding to three digits adds 10⁻⁶/12.
func TestVerdicts(t *testing.T) {
	accuracy, miss := paper.Number{Value: 0.811, Digits: 3}, paper.Number{Value: 106, Digits: 0}
	std := &paper.Number{Value: 0.04, Digits: 2}
	nan := math.NaN()
	stat := func(mean, std float64, n int) merge.Stat { return merge.Stat{Mean: mean, Std: std, N: n} }
	for _, c := range []struct {
		name      string
		ours      merge.Stat
		published paper.Number
		std       *paper.Number
		overlap   float64
		z         float64
		want      verdict
		text      string
	}{
		{"both deviations", stat(0.911, 0.1, 5), accuracy, std, 0, 0.1 / math.Sqrt(0.0025+0.0016/19+1e-6/12), agrees, "+2.0"},
		{"ours for both", stat(0.711, 0.1, 5), accuracy, nil, 0, -0.1 / math.Sqrt(0.0025+0.0125/20+1e-6/12), agrees, "-1.8"},
		{"unclear", stat(0.936, 0.1, 5), accuracy, nil, 0, 0.125 / math.Sqrt(0.0025+0.0125/20+1e-6/12), unclear, "+2.2"},
		{"differs", stat(0.981, 0.1, 5), accuracy, nil, 0, 0.17 / math.Sqrt(0.0025+0.0125/20+1e-6/12), differs, "+3.0"},
		{"splits", stat(0.981, 0.1, 5), accuracy, std, 0.6, 0.17 / math.Sqrt(0.0125*0.8+0.0016/19+1e-6/12), agrees, "+1.7"},
		{"no spread, one rounded", stat(106.5, 0, 20), miss, nil, 0, 0.5 * math.Sqrt(12), agrees, "+1.7"},
		{"no spread, too far off", stat(107, 0, 20), miss, nil, 0, math.Sqrt(12), differs, "+3.5"},
		{"too few trials", stat(0.5, 0.1, 4), accuracy, std, 0, nan, unjudged, ""},
		{"splits of unknown sizes", stat(0.5, 0.1, 20), accuracy, std, nan, nan, unjudged, ""},
		{"no trial", stat(nan, nan, 0), accuracy, std, 0, nan, unjudged, ""},
	} {
		m := matched{Ours: c.ours, Published: c.published, PublishedStd: c.std}
		m.judge(20, c.overlap)
		if m.Verdict != c.want || math.Abs(m.Z-c.z) > 1e-12 || math.IsNaN(m.Z) != math.IsNaN(c.z) {
			t.Errorf("%s: %s with z = %v, want %s with %v", c.name, m.Verdict, m.Z, c.want, c.z)
		}
		if cells := m.cells(); cells[3].Text() != c.text || cells[2].Off != (c.want == differs) {
			t.Errorf("%s: printed as %q, marked %v, want %q", c.name, cells[3].Text(), cells[2].Off, c.text)
		}
	}
}

// A method with missing results keeps its line. A method that is not published, or not run, is named in a note.
func TestCompareIncomplete(t *testing.T) {
	p, rows := reportstest.Invented(t, 5)
	p.Cells = slices.DeleteFunc(p.Cells, func(c plan.Cell) bool { return c.Method.Name == "adam" })
	rows = slices.DeleteFunc(rows, func(r results.Row) bool { return r.Method == "stoiht" || r.Method == "adam" })
	s := reportstest.Summary(t, p, rows)
	c := compared(t, s, options, publishedTable(t))
	if len(c.Matches) != 88 || c.judged() != 77 {
		t.Errorf("%d of %d are judged, want 77 of 88", c.judged(), len(c.Matches))
	}
	if got := strings.Join(c.verdictNotes(), " "); !strings.Contains(got, "Of 77 values") ||
		strings.Count(got, "Without a verdict: 11 values; fewer than 5 trials") != 1 {
		t.Error(got)
	}
	jobstest.WantText(t, reportstest.Written(t, c.table(), "text"), "StoIHT      ours           –",
		"Best subset is not in the published table.", "Adam is published, but not part of this experiment.")
	o := options
	o.Methods = methods[9:]
	jobstest.WantError(t, jobstest.Err(compare(framed(t, s, o), publishedTable(t))), "graph01")
}

func TestUnknownDatasetNamesWhatIsPlanned(t *testing.T) {
	plan, rows := reportstest.Invented(t, 1)
	o := options
	o.Checkpoint = 300
	jobstest.WantError(t, jobstest.Err(frameOf(reportstest.Summary(t, plan, rows), o)), "graph01-mu0.3 at 400")
}

func TestBestIsMarkedAtPrintedPrecision(t *testing.T) {
	plan, rows := reportstest.Invented(t, 2)
	for i := range rows {
		r := &rows[i]
		r.W.Recall = 0.5
		switch r.Method {
		case "adam":
			r.W.Recall = 0.90004
		case "graphda":
			r.W.Recall = 0.90001
		case "best-subset":
			r.W.Recall = 1
		}
	}
	made := classified(t, reportstest.Summary(t, plan, rows), options)
	column := made.At("recall")
	for i, row := range made.Rows {
		want := methods[i].Name == "adam" || methods[i].Name == "graphda"
		if row[column].Best != want {
			t.Errorf("%s with recall %s is marked %v, want %v", methods[i].Name, row[column].Text(), row[column].Best, want)
		}
	}
}

// The expected share of |z| > 3 over 20 trials is 0.0074 if only our deviation is known, and 0.0047 if the paper's
// is known too. A normal z would give 0.0027.
func TestByChance(t *testing.T) {
	number := func(text string) (n paper.Number) {
		must(t, n.UnmarshalJSON([]byte(`"`+text+`"`)))
		return n
	}
	std := number("0.10")
	c := &comparison{}
	add := func(published *paper.Number) {
		m := matched{Ours: merge.Stat{Mean: .5, Std: .1, N: 20}, Published: number("0.500"), PublishedStd: published}
		m.judge(20, 0)
		c.Matches = append(c.Matches, m)
	}
	for range 1000 {
		add(nil)
	}
	if got := c.outside(differsFrom); math.Abs(got-7.36) > 0.01 { // 1000·2·P(t19 > 3)
		t.Errorf("by chance %v of 1,000 differ, want 7.36", got)
	}
	c.Matches = nil
	for range 1000 {
		add(&std)
	}
	if got := c.outside(differsFrom); math.Abs(got-4.74) > 0.01 { // 1000·2·P(t38 > 3)
		t.Errorf("by chance %v of 1,000 differ, want 4.74", got)
	}
}

var must = jobstest.Must

// methods has the paper's methods, in its order, and the oracle.
var methods = func() (shown []*learners.Method) {
	for _, name := range reportstest.Methods {
		m, _ := learners.Lookup(name)
		shown = append(shown, m)
	}
	return shown
}()

var options = Options{
	Name:       "table1",
	Title:      "Table 1: classification performance on Graph01",
	Dataset:    "graph01-mu0.3",
	Checkpoint: 400,
	Methods:    methods,
}

// framed finds the results of a table.
func framed(t *testing.T, s *merge.Summary, o Options) *frame {
	t.Helper()
	return jobstest.Must1(frameOf(s, o))
}

func classified(t *testing.T, s *merge.Summary, o Options) *table.Table {
	t.Helper()
	made, _ := Classification.table(framed(t, s, o))
	return made
}

func regressed(t *testing.T, s *merge.Summary, o Options) *table.Table {
	t.Helper()
	made, _ := Regression.table(framed(t, s, o))
	return made
}

func compared(t *testing.T, s *merge.Summary, o Options, published *paper.Table) *comparison {
	t.Helper()
	return jobstest.Must1(compare(framed(t, s, o), published))
}

func tested(t *testing.T, s *merge.Summary, o Options) *pairTests {
	t.Helper()
	return newTests(framed(t, s, o), Classification.tested...)
}

// marked returns the methods marked as best in a column.
func marked(t *table.Table, column string) (methods []string) {
	method := t.At("method")
	at := t.At(column)
	for _, row := range t.Rows {
		if row[at].Best {
			methods = append(methods, row[method].ID)
		}
	}
	return methods
}

// Computed by hand. In all of 8 trials DA-IHT is below GraphDA: p = 2/2⁸, and three times that is below 0.05.
// Adam's mean is below GraphDA's, but the positive ranks 2, 4, 5 and 7 are half of all ranks: p = 1. With 5 trials
// no p is below 2/2⁵.
func TestBestAndWhatIsNotWorse(t *testing.T) {
	differences := []float64{-0.01, 0.02, -0.03, 0.04, -0.05, 0.06, -0.07, 0.035}
	f1 := map[string][]float64{"best-subset": slices.Repeat([]float64{1}, 8)}
	for k, d := range differences {
		v := 0.5 + 0.1*float64(k%3)
		f1["graphda"] = append(f1["graphda"], v)
		f1["da-iht"] = append(f1["da-iht"], v-0.1-0.01*float64(k))
		f1["adam"] = append(f1["adam"], v+d)
	}
	made := classified(t, contest(t, f1), options)
	if got := marked(made, "f1"); !slices.Equal(got, []string{"adam", "graphda"}) {
		t.Errorf("marked are %v, want adam and graphda", got)
	}
	if !strings.Contains(made.Best, "or not significantly worse: Wilcoxon's test") {
		t.Error(made.Best)
	}
	for method := range f1 {
		f1[method] = f1[method][3:]
	}
	made = classified(t, contest(t, f1), options)
	if got := marked(made, "f1"); !slices.Equal(got, []string{"graphda"}) && !slices.Equal(got, []string{"adam"}) {
		t.Errorf("marked of 5 trials are %v, want the best alone", got)
	}
	if !strings.Contains(made.Best, "with so few trials no test between methods can have p < 0.05") {
		t.Error(made.Best)
	}
}

// A model without nonzeros is never best in nonzeros. Nor is a model with too few features if the true number is known.
func TestBestNonzeros(t *testing.T) {
	plan, rows := reportstest.Invented(t, 20)
	for i := range rows {
		r := &rows[i]
		n := map[string]float64{"adam": 0, "adagrad": 19, "l1-rda": 20, "da-iht": 28, "graphda": 26 + float64(r.Trial%2)}
		if v, ok := n[r.Method]; ok {
			r.W.Nonzeros = v
		}
		if r.Method == "adagrad" && r.Trial == 3 {
			r.W.Nonzeros = 0
		}
	}
	for _, c := range []struct {
		support int
		want    string
		legend  string
	}{
		{0, "l1-rda", "the best has the fewest, but not none"},
		{26, "graphda", "the best is nearest to the 2.39 of the truth, trial by trial"},
	} {
		for k := range 20 {
			plan.Datasets[0].Trials[k].Support = c.support
		}
		made := classified(t, reportstest.Summary(t, plan, slices.Clone(rows)), options)
		if got := marked(made, metrics.NonzeroPercent); !slices.Equal(got, []string{c.want}) {
			t.Errorf("support %d: marked are %v, want %s", c.support, got, c.want)
		}
		against := options // an empty model against only one other
		against.Methods = []*learners.Method{methods[0], methods[8]}
		alone := classified(t, reportstest.Summary(t, plan, slices.Clone(rows)), against)
		if got := marked(alone, metrics.NonzeroPercent); !slices.Equal(got, []string{"graphda"}) {
			t.Errorf("support %d: marked against an empty model are %v, want graphda", c.support, got)
		}
		if notes := strings.Join(made.Notes, " "); !strings.Contains(notes, c.legend) {
			t.Errorf("support %d: %q does not say %q", c.support, notes, c.legend)
		}
	}
}

// A column without any defined value is left out, together with its legend. One trial gives no intervals.
func TestUndefinedColumnsAreAbsent(t *testing.T) {
	made := classified(t, contest(t, map[string][]float64{"adam": {0.3, 0.4}, "graphda": {0.5, 0.6}}), options)
	notes := strings.Join(made.Notes, " ")
	if len(made.Printed()) != 2 || strings.Contains(notes, "Miss:") || !strings.Contains(notes, "F1:") {
		t.Errorf("%d columns, notes %q: want those of the method and F1", len(made.Printed()), notes)
	}
	if shown := intervals(classified(t, reportstest.SummaryOf(t, 1), options), 0); shown != nil {
		t.Errorf("intervals of one trial: %+v", shown)
	}
}

func TestTrialsOfOtherSizes(t *testing.T) {
	d := &plan.Dataset{Trials: []plan.TrialSummary{{Train: 1000, Features: 10, Support: 4}, {Trial: 1, Train: 900, Features: 10},
		{Trial: 2, Train: 1000, Features: 20, Support: 4}}} // a support of 0 is unknown
	want := []string{"the number of training samples is 1000 in trials 0, 2, 900 in trial 1",
		"the number of features is 10 in trials 0, 1, 20 in trial 2"}
	if got := unlike(d); !slices.Equal(got, want) {
		t.Errorf("differences %q, want %q", got, want)
	}
}
