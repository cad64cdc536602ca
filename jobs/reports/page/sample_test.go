package page

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"graphda/io/table"
	"graphda/jobs/jobstest"
	"graphda/jobs/reports/figures"
)

var must = jobstest.Must

// written returns the page's bytes.
func written(tb testing.TB, p *Page) string {
	tb.Helper()
	var b bytes.Buffer
	must(tb, p.Write(&b))
	return b.String()
}

// sample is a page such as a run of the paper's first experiment gives.
func sample() *Page {
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
				{Table: numbers("table1", "Classification performance on Graph01", recovery, 1)},
				{Table: numbers("table1-published", "The same beside Table 1 of the paper", recovery, 3)},
				{Table: settings("table1-settings"), Collapsed: true},
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
			Tables: []Table{{Table: numbers("table2", "Classification performance on Graph02", "means over 3 trials", 1)}},
		},
	}
	return p
}

// numbers is a table of ten methods with invented numbers: recovery and what is measured of w and w̄, with so many lines a
// method.
func numbers(name, title, subtitle string, lines int) *table.Table {
	t := &table.Table{Name: name, Title: title, Subtitle: subtitle, PerGroup: lines, Columns: []table.Column{
		{Key: "dataset", Words: true, DataOnly: true}, {Key: "method", Head: "Method", Words: true},
	}, Notes: []string{
		"BalAcc: balanced accuracy, the mean of the two classes' accuracies. The paper prints it as AUC.",
		"Pre, Rec, F1: of the support of w, with the standard deviation over trials. Miss: training samples predicted wrongly before " +
			"learning from them. NR: nonzeros in percent of all features. w: last iterate, w̄: running average.",
		"GraphDA: projections of the chosen cell returned fewer than s or more than (1 + ω)s nodes in 10 of 20 trials (50 a trial).",
	}}
	if lines > 1 {
		t.Columns = append(t.Columns, table.Column{Key: "source", Words: true})
	}
	words := len(t.Columns)
	for _, head := range []string{"Pre", "Rec", "F1"} {
		t.Columns = append(t.Columns, table.Column{Key: head, Head: head})
	}
	for _, group := range []string{"BalAcc", "Acc", "Miss", "NR %"} {
		t.Columns = append(t.Columns, table.Column{Key: group, Group: group, Head: "w"}, table.Column{Key: group + "_wbar", Group: group, Head: "w̄"})
	}
	for i := range 10 * lines {
		row := []table.Cell{table.Word("graph01-mu0.3"), table.Word(fmt.Sprint("Method ", i/lines)), table.Word([]string{"ours", "paper", "diff"}[i%3])}[:words]
		for k := words; k < len(t.Columns); k++ {
			cell := table.Of(float64((7*i+3*k)%101-10)/100, table.Fixed(3))
			cell.Best, cell.Off = lines == 1 && i == 8, lines > 1 && (i+k)%9 == 0
			if k < words+3 {
				cell.Number.Std, cell.Number.PrintStd = 0.05, table.Fixed(2)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// settings is a table that is folded.
func settings(name string) *table.Table {
	t := tableOf([]string{"<Method", "<Model", "Trials", "<Setting"}, []string{"GraphDA", "w", "12", "gamma=500, s=26"},
		[]string{"GraphDA", "w̄", "7", "gamma=100, s=30"})
	t.Name, t.Title = name, "Hyperparameters chosen"
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
