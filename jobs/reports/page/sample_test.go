package page

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"graphda/io/table"
	"graphda/jobs/paper"
	"graphda/jobs/reports/figures"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// written returns the page's bytes.
func written(tb testing.TB, p *Page) string {
	tb.Helper()
	var b bytes.Buffer
	must(tb, p.Write(&b))
	return b.String()
}

// sample is a page such as a run of the paper's first experiment gives: the published
// numbers stand for ours, moved a little in the comparison.
func sample(tb testing.TB) *Page {
	tb.Helper()
	published, ok := paper.Published("graph01")
	if !ok {
		tb.Fatal("graph01 is not published")
	}
	const recovery = "graph01-mu0.3, 400 training samples; means over 20 trials; hyperparameters by rule paper (benchmark)"
	p := &Page{
		Title:    "Classification on the benchmark graphs",
		Subtitle: "Experiment benchmark, four subgraphs of a 33 × 33 grid, ten methods",
		Facts: []Fact{
			{"Experiment", "benchmark"},
			{"Program", "gdrun v0.4.0-12-gef2957b"},
			{"Plan", "3f7c1a9e5b0d44e28f6c"},
			{"Datasets", "graph01-mu0.3, graph02-mu0.3, graph03-mu0.3, graph04-mu0.3"},
			{"Trials", "20 (5 of graphda and graphstoiht)"},
			{"Cells", "61,860 planned: 61,858 done, 1 failed, 1 missing"},
			{"Checkpoints", "100, 200, 300, 400, 600, 800, 1000"},
			{"Selection rule", "paper (benchmark): best validation accuracy, ties by fewer online mistakes"},
		},
		Warnings: []Warning{
			{Text: "1 of 61,860 results is missing: graphstoiht, eta=1, s=46, trial 13 of graph02-mu0.3."},
			{Text: "1 of 61,860 results failed: graphda, gamma=500, s=26, trial 4 of graph01-mu0.3: learners: w is not finite at sample 311."},
			{Text: "GraphDA: gamma=500, the largest of its grid, was chosen in 12 (w) and 14 (w̄) of 20 trials."},
		},
	}
	p.Sections = []Section{
		{
			ID: "graph01", Title: "Table 1: Graph01",
			Intro: "The smallest subgraph: 26 of 1,089 nodes. Half of the samples are positive.\n\n" +
				"Two readings of the paper's “AUC” are shown: the area under the ROC curve of hard labels, which the paper prints, and that of the scores.",
			Tables: []Table{
				{Table: recoveryTable(published, "table1", "Classification performance on Graph01", recovery)},
				{Table: comparisonTable(published, "table1-published", "The same beside Table 1 of the paper", recovery)},
				{Table: settingsTable("table1-settings"), Collapsed: true, Note: "How often each setting was chosen."},
			},
		},
		{
			ID: "mistakes", Title: "Figure 3: mistakes over samples",
			Intro: "Online mistakes divided by samples seen so far.",
			Figures: []Figure{
				curves("figure3", "Error rate of w", "Means over 20 trials; bars are one standard deviation.", 0.5),
				curves("figure3-wbar", "Error rate of w̄", "The running average errs more at first.", 0.7),
				curves("figure3-long", "Error rate of w, all samples", "", 0.3),
			},
		},
		{ID: "models", Title: "Figure 4: learned models", Intro: "Left out: no models were kept."},
		{
			ID: "graph02", Title: "Table 2: Graph02",
			Tables: []Table{{Table: recoveryTable(published, "table2", "Classification performance on Graph02", "means over 3 trials")}},
		},
	}
	return p
}

// figures of the sample's tables, by the columns of published tables.
var sampled = []struct{ name, head string }{
	{"precision", "Pre"}, {"recall", "Rec"}, {"f1", "F1"}, {"test_balanced_accuracy", "BalAcc"},
	{"test_accuracy", "Acc"}, {"mistakes", "Miss"}, {"nonzero_percent", "NR %"},
}

// eachNumber visits the published numbers of a line in the columns' order; number is nil
// where none is printed.
func eachNumber(l *paper.Line, visit func(name, head, model string, number, std *paper.Number)) {
	for _, f := range sampled {
		for _, model := range []string{"w", "w̄"} {
			numbers := l.W
			if model == "w̄" {
				numbers = l.Wbar
			}
			n, ok := numbers[f.name]
			if !ok {
				continue
			}
			var std *paper.Number
			if s, ok := numbers[f.name+"_std"]; ok {
				std = &s
			}
			visit(f.name, f.head, model, &n, std)
		}
	}
}

func recoveryTable(from *paper.Table, name, title, subtitle string) *table.Table {
	t := &table.Table{Name: name, Title: title, Subtitle: subtitle, Columns: []table.Column{
		{Key: "dataset", Words: true, DataOnly: true}, {Key: "method", Head: "Method", Words: true},
	}, Notes: []string{
		"BalAcc: balanced accuracy, the mean of the two classes' accuracies. The paper prints it as AUC.",
		"Pre, Rec, F1: of the support of w, with the standard deviation over trials. Miss: training samples predicted wrongly before " +
			"learning from them. NR: nonzeros in percent of all features. w: last iterate, w̄: running average.",
		"GraphDA: projections of the chosen cell returned fewer than s or more than (1 + ω)s nodes in 10 of 20 trials (50 a trial).",
	}}
	for i := range from.Lines {
		l := &from.Lines[i]
		row := []table.Cell{table.Word("graph01-mu0.3"), table.Word(l.Method)}
		eachNumber(l, func(name, head, model string, number, std *paper.Number) {
			if i == 0 {
				c := table.Column{Key: name + model, Head: head}
				if std == nil {
					c.Group, c.Head = head, model
				}
				t.Columns = append(t.Columns, c)
			}
			cell := cellOf(number.Value, number, std)
			cell.Best = l.Method == "graphda" && name != "recall"
			row = append(row, cell)
		})
		t.Rows = append(t.Rows, row)
	}
	oracle := []table.Cell{table.Word("graph01-mu0.3"), table.Word("best-subset")}
	for range len(t.Columns) - 2 {
		oracle = append(oracle, table.Of(math.NaN(), table.Shortest))
	}
	t.Rows = append(t.Rows, oracle)
	return t
}

// cellOf is a number with the digits of a published one, and its deviation if it has one.
func cellOf(v float64, like, std *paper.Number) table.Cell {
	cell := table.Of(v, table.Fixed(like.Digits))
	if std != nil {
		cell.Number.Std, cell.Number.PrintStd = std.Value, table.Fixed(std.Digits)
	}
	return cell
}

func comparisonTable(from *paper.Table, name, title, subtitle string) *table.Table {
	t := &table.Table{Name: name, Title: title, Subtitle: subtitle, Columns: []table.Column{
		{Key: "method", Head: "Method", Words: true}, {Key: "source", Words: true},
	}, PerGroup: 3, Notes: []string{"88 of 99 values agree: |ours − published| ≤ 2·(std over our trials) + half a unit of the last printed digit."}}
	for i := range from.Lines {
		l := &from.Lines[i]
		ours := []table.Cell{table.Word(l.Method), table.Word("ours")}
		theirs := []table.Cell{table.Label("", l.Method), table.Word("paper")}
		diff := []table.Cell{table.Label("", l.Method), table.Word("diff")}
		eachNumber(l, func(name, head, model string, number, std *paper.Number) {
			if i == 0 {
				t.Columns = append(t.Columns, table.Column{Key: name + model, Group: head, Head: model})
			}
			d := number.Value * float64((7*i+3*len(ours))%11-5) / 100
			ours = append(ours, cellOf(number.Value+d, number, std))
			theirs = append(theirs, cellOf(number.Value, number, std))
			deviation := table.Of(d, table.Signed(table.Fixed(number.Digits)))
			deviation.Off = (i+len(ours))%9 == 0
			diff = append(diff, deviation)
		})
		t.Rows = append(t.Rows, ours, theirs, diff)
	}
	return t
}

func settingsTable(name string) *table.Table {
	t := &table.Table{Name: name, Title: "Hyperparameters chosen", Columns: []table.Column{
		{Key: "method", Head: "Method", Words: true}, {Key: "model", Head: "Model", Words: true},
		{Key: "trials", Head: "Trials"}, {Key: "setting", Head: "Setting", Words: true},
	}}
	for i, setting := range []string{"gamma=500, s=26", "gamma=100, s=30", "gamma=50, s=26"} {
		for j, model := range []string{"w", "w̄"} {
			t.Rows = append(t.Rows, []table.Cell{
				table.Label("GraphDA", "graphda"), table.Word(model), table.Count(12 - 5*i + j), table.Word(setting),
			})
		}
	}
	return t
}

// curves draws invented learning curves.
func curves(name, title, caption string, slope float64) Figure {
	panel := figures.Panel{Title: "w", XLabel: "samples", YLabel: "mistakes / samples"}
	for i, method := range []string{"l1-rda", "da-iht", "graphda"} {
		line := figures.Line{Key: method, Label: strings.ToUpper(method)}
		for t := 100.0; t <= 1000; t += 100 {
			line.Points = append(line.Points, figures.Point{X: t, Y: 0.2 + slope*0.2*float64(3-i)*100/t})
		}
		panel.Lines = append(panel.Lines, line)
	}
	other := panel
	other.Title = "w̄"
	return Draw(&figures.Chart{Info: figures.Info{Name: name, Title: title, Caption: caption}, Panels: []figures.Panel{panel, other}})
}
