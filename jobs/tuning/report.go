package tuning

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"graphda/io/model"
	"graphda/io/plain"
	"graphda/io/seal"
	"graphda/io/table"
	"graphda/jobs/explaining"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/page"
	"graphda/learners"
)

// Tables are the answer for people: what to expect of the model, the features, and what was tried.
func (a *Answer) Tables() []*table.Table {
	return []*table.Table{a.expected(), a.features(listedFeatures), a.methods()}
}

// Verdict says in a line whether anything was found, and if so how much.
func (a *Answer) Verdict() string {
	features, parts := 0, a.Subgraph.Parts
	for _, n := range a.Subgraph.Nodes {
		if !n.Connects {
			features++
		}
	}
	if a.Model.State.Graph == nil {
		parts = 0
	}
	return a.Found.line(features, parts)
}

// Lead says in a few sentences what was done and chosen.
func (a *Answer) Lead() string {
	text := fmt.Sprintf("%s on %s of %s: chosen is %v", plain.Count(len(a.Tried), "setting"),
		plain.Count(len(a.Trials), "split"), a.Dataset, a.Chosen.Setting)
	if len(a.AsGood) > 1 {
		text += fmt.Sprintf(", the most stable of %d that are within one standard error (%.3f) of the best %s",
			len(a.AsGood), a.AsGood[0].Error, a.score())
	}
	text += fmt.Sprintf(". The model was fitted to %s.", a.FitOn)
	if a.Chosen.Root > 0 {
		text += fmt.Sprintf(" It had to select %s.", a.Model.Features[a.Chosen.Root-1])
	}
	if a.Never != "" {
		text += fmt.Sprintf("\nNo test sample of any split is predicted to be %q: by these features that class is "+
			"never found.",
			a.Never)
	}
	return text
}

// score is the name of what settings are chosen by.
func (a *Answer) score() string {
	if a.Loss.Classifies() {
		return "AUC"
	}
	return "R²"
}

// weightsText says what weights of a name are.
var weightsText = map[string]string{
	model.Ridge: "ridge: fitted again on the selected features",
	model.W:     "w: last iterate",
	model.Wbar:  "w̄: running average",
}

func (a *Answer) expected() *table.Table {
	t := &table.Table{
		Name: "expected", Title: "What to expect of new samples",
		Subtitle: fmt.Sprintf("means over the test samples of %s, with 95 %% intervals", plain.Count(len(a.Trials), "split")),
		Columns:  []table.Column{{Key: "weights", Head: "Weights", Words: true}},
	}
	heads := []struct {
		key, head string
		labels    bool
	}{
		{"accuracy", "Accuracy", true}, {"balanced_accuracy", "Balanced accuracy", true}, {"auc", "AUC", true},
		{"log_loss", "Log-loss", true}, {"r2", "R²", false},
	}
	for _, h := range heads {
		if h.labels == a.Loss.Classifies() {
			t.Columns = append(t.Columns, table.Column{Key: h.key, Head: h.head, Estimate: true})
		}
	}
	for i := range a.Expected {
		e := &a.Expected[i]
		row := []table.Cell{table.Label(weightsText[e.Weights], e.Weights)}
		for k, h := range heads {
			if h.labels == a.Loss.Classifies() {
				row = append(row, estimate(*e.Means.list()[k], *e.Std.list()[k], *e.Low.list()[k], *e.High.list()[k],
					len(a.Trials)))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	guess := "Guessing has R² 0: the training mean for every sample."
	if a.Loss.Classifies() {
		guess = fmt.Sprintf("Guessing has AUC and balanced accuracy 0.5, and here, by the shares of the classes, accuracy "+
			"%.3f and log-loss %.3f.", max(a.Positives, 1-a.Positives), entropy(a.Positives))
	}
	t.Notes = append(t.Notes, guess)
	if !a.Independent && len(a.Trials) > 1 {
		t.Notes = append(t.Notes, "The splits share their samples; the intervals are corrected for it (Nadeau and Bengio "+
			"2003), and that of an AUC is at least as wide as chance makes it vary.")
	}
	t.Notes = append(t.Notes, fmt.Sprintf("In each split the test samples took no part: the setting was chosen by the "+
		"split's own validation samples, and learned from %.0f %% of all samples. The model learned from all: where there "+
		"is a signal, these figures are a little too low for it.", 100*a.Learned))
	if a.Found.Decided() {
		t.Notes = append(t.Notes, fmt.Sprintf("Found: the whole interval of ridge's %s is above %s. Without a signal this "+
			"happens nominally in 2.5 %% of datasets.", a.Found.Measure, table.Shortest(a.Found.Guess)))
	}
	return t
}

// estimate is a mean with its interval.
func estimate(v, std, low, high float64, n int) table.Cell {
	number := &table.Number{Value: v, Std: std, Low: low, High: high, N: n}
	number.Print = func(v float64) string {
		text := table.Fixed(3)(v)
		if !math.IsNaN(low) {
			text += fmt.Sprintf(" (%.3f to %.3f)", low, high)
		}
		return text
	}
	return table.Cell{Number: number}
}

const featuresName = "features"

// listedFeatures is how many features a printed table has at most; files have all.
const listedFeatures = 60

func (a *Answer) features(most int) *table.Table {
	selected := 0
	for i := range a.Features {
		if a.Features[i].Selected {
			selected++
		}
	}
	t := &table.Table{
		Name: featuresName, Title: "Features",
		Subtitle: fmt.Sprintf("%d selected by the model, and those selected in more than half of the splits", selected),
		Columns: []table.Column{
			{Key: "feature", Head: "Feature", Words: true}, {Key: "selected", Head: "Selected", Words: true},
			{Key: "frequency", Head: "Frequency"}, {Key: "mean_weight", Head: "Mean w"}, {Key: "w", Head: "w"},
			{Key: "ridge", Head: "Ridge"}, {Key: "component", Head: "Part"},
		},
		Notes: []string{
			"Frequency: share of the splits in which the chosen setting selected the feature, which says how steady the " +
				"choice is. It is no evidence: splits share samples, and of random labels too some features are selected in " +
				"nearly all of them. gdrun confidence tells which features stand out from chance.",
			"Mean w: over the splits that select it. Its sign is that of the effect. Part: selected features that the " +
				"network connects, perhaps through one that has no weight, have the same number.",
		},
	}
	networked := a.Model.State.Graph != nil
	if networked {
		t.Columns = append(t.Columns, table.Column{Key: "degree", Head: "Degree"})
		t.Notes = append(t.Notes, "Degree: edges of the network at the feature. One with very many joins others cheaply, "+
			"and may be selected for that alone; gdrun import --cost degree makes its edges dear.")
	}
	known := len(a.Features) > 0 && a.Features[0].Known
	if known {
		t.Columns = append(t.Columns, table.Column{Key: "true", Head: "True", Words: true})
	}
	for i := range a.Features {
		if i == most {
			t.Notes = append(t.Notes, fmt.Sprintf("… %d more in %s.csv.", len(a.Features)-most, featuresName))
			break
		}
		f := &a.Features[i]
		row := []table.Cell{table.Word(f.Name), yes(f.Selected), table.Of(f.Frequency, table.Fixed(2)),
			table.Of(f.Mean, table.Significant), table.Of(f.W, table.Significant),
			table.Of(f.Ridge, table.Significant), {}}
		if f.Component > 0 {
			row[len(row)-1] = table.Count(f.Component)
		}
		if networked {
			row = append(row, table.Count(f.Degree))
		}
		if known {
			row = append(row, yes(f.True))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func yes(is bool) table.Cell {
	if is {
		return table.Word("yes")
	}
	return table.Word("")
}

// nearTies is how many settings as good as the best are listed at most, the best of them.
const nearTies = 5

// methods shows the best setting of each method, and the chosen one.
func (a *Answer) methods() *table.Table {
	t := &table.Table{
		Name: "settings", Title: "What was tried",
		Subtitle: fmt.Sprintf("the best setting of each method, and the first of those as good; score: %s, mean over %s",
			a.score(), plain.Count(len(a.Trials), "split")),
		Columns: []table.Column{
			{Key: "setting", Head: "Setting", Words: true}, {Key: "tried", Head: "Tried"}, {Key: "score", Head: "Score"},
			{Key: "error", Head: "Std. error"}, {Key: "test", Head: "Test"}, {Key: "features", Head: "Features"},
			{Key: "stability", Head: "Stability"}, {Key: "as_good", Head: "As good"}, {Key: "chosen", Head: "", Words: true},
		},
		Notes: append([]string{"Score: on the validation samples. Those shown are the highest of many, and so too high. " +
			"Stability: 1 if every split selects the same features, 0 for selections by chance. As good: settings of the " +
			"method within one standard error of the best score of all."}, a.Notes...),
	}
	if !a.Independent && len(a.Trials) > 1 {
		t.Notes = slices.Insert(t.Notes, 1, "The splits share their samples: the standard error is corrected for it, and "+
			"the samples of Test are validation samples of other splits.")
	}
	add := func(s *Tried) { t.Rows = append(t.Rows, a.row(s)) }
	var method *learners.Method
	for i := range a.Tried {
		if a.Tried[i].Method == method {
			continue
		}
		method = a.Tried[i].Method
		best := &a.Tried[i]
		for k := i; k < len(a.Tried) && a.Tried[k].Method == method; k++ {
			if a.Tried[k].Score > best.Score {
				best = &a.Tried[k]
			}
		}
		if best != a.Chosen && best.Failed == "" {
			add(best)
		}
		if a.Chosen.Method == method {
			add(a.Chosen)
		}
		for _, s := range a.AsGood[:min(len(a.AsGood), nearTies)] {
			if s.Method == method && s != best && s != a.Chosen {
				add(s)
			}
		}
	}
	return t
}

// row shows a setting, with how many of its method were tried and are as good.
func (a *Answer) row(s *Tried) []table.Cell {
	tried, asGood := 0, 0
	for i := range a.Tried {
		if a.Tried[i].Method == s.Method {
			tried++
		}
	}
	for _, good := range a.AsGood {
		if good.Method == s.Method {
			asGood++
		}
	}
	row := []table.Cell{table.Word(s.Setting.String()), table.Count(tried), table.Of(s.Score, table.Fixed(3)),
		table.Of(s.Error, table.Fixed(3)), table.Of(s.Test, table.Fixed(3)), table.Of(s.Size, table.Fixed(1)),
		table.Of(s.Stability, table.Fixed(2)), table.Count(asGood), {}}
	if s == a.Chosen {
		row[len(row)-1] = table.Word("chosen")
	}
	return row
}

// places lead from the table of features to the picture.
func (a *Answer) places(f *figures.Networks) (places []page.Place) {
	feature := map[string]int32{}
	for _, n := range a.Subgraph.Nodes {
		feature[n.Name] = n.Feature
	}
	for i := range min(len(a.Features), listedFeatures) {
		place := page.Place{}
		if j, ok := feature[a.Features[i].Name]; ok && explaining.Drawn(f, j) {
			place = page.Place{Figure: f.Name, ID: explaining.ID(j)}
		}
		places = append(places, place)
	}
	return places
}

// Page is the answer as one page.
func (a *Answer) Page() (*page.Page, error) {
	section := page.Section{ID: "answer", Title: "The answer"}
	picture := a.Subgraph.Figure()
	for _, t := range a.Tables() {
		made := page.Table{Table: t, Collapsed: t.Name == featuresName && !a.Found.Yes()}
		if t.Name == featuresName {
			made.Places = a.places(picture)
		}
		section.Tables = append(section.Tables, made)
	}
	figure, err := page.Draw(picture)
	if err != nil {
		return nil, err
	}
	section.Figures = []page.Figure{figure}
	p := &page.Page{
		Title: "A model of " + a.Dataset, Subtitle: "gdrun tune", Answer: a.Verdict(), Negative: !a.Found.Yes(),
		Lead: a.Lead(), Sections: []page.Section{section},
	}
	for _, key := range []string{"graphda", "dataset", "dataset_digest", "method", "f", "r", "q", "s", "passes",
		"ridge_penalty"} {
		if value := a.Model.Made[key]; value != "" {
			p.Facts = append(p.Facts, page.Fact{Name: strings.ReplaceAll(key, "_", " "), Value: value})
		}
	}
	return p, nil
}

// FileNames are those that Files may have.
var FileNames = []string{"report.html", "report.md", "selected.svg", "selected.csv", "expected.csv", "features.csv",
	"features.md", "settings.csv"}

// Files are the page, as HTML and Markdown with its picture, and the data of its tables and its picture.
func (a *Answer) Files() ([]seal.Named, error) {
	page, err := a.Page()
	if err != nil {
		return nil, err
	}
	picture := a.Subgraph.Figure()
	files := []seal.Named{
		{Name: "report.html", Fill: page.Write},
		{Name: "report.md", Fill: page.Markdown},
		{Name: picture.Name + ".svg", Fill: func(w io.Writer) error { return figures.Draw(w, picture, "svg") }},
		{Name: picture.Name + ".csv", Fill: picture.WriteCSV},
	}
	for _, t := range a.Tables() {
		if t.Name == featuresName {
			t = a.features(len(a.Features))
		}
		files = append(files, seal.Named{Name: t.Name + ".csv", Fill: t.Sealed("csv")})
		if t.Name == featuresName && !a.Found.Yes() { // the page links to it
			files = append(files, seal.Named{Name: t.Name + ".md", Fill: t.Sealed("markdown")})
		}
	}
	return files, nil
}
