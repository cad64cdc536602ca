package tuning

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/seal"
	"graphda/io/table"
	"graphda/jobs/metrics"
	"graphda/jobs/own/explaining"
	"graphda/jobs/own/learning"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/page"
	"graphda/learners"
)

// Printed returns the answer as it is printed: what to expect of the model, the features, and what was tried.
func (a *Answer) Printed() *table.Answer {
	printed := &table.Answer{Verdict: a.Verdict(),
		Tables: []*table.Table{a.expected(model.W, model.Wbar), a.features(), a.methods()}}
	printed.Add(a.notes()...)
	if t := a.Network.Table(a.score(), a.Found.Yes()); t != nil {
		printed.Tables = append(printed.Tables, t)
	}
	if found := a.Found.Yes(); a.Found.Decided() {
		printed.Found = &found
	}
	return printed
}

// Verdict says in a line whether anything was found, and how well the model predicts.
func (a *Answer) Verdict() string {
	text := a.Found.line(a.Subgraph.Selected())
	if a.Constant {
		text += fmt.Sprintf("; the model predicts %s for every sample", table.Significant(a.Model.Weights[0].Intercept))
	}
	return text
}

// notes returns what was chosen, and what else a reader of the answer must know. Some notes may be "".
func (a *Answer) notes() []string {
	text := fmt.Sprintf("%v was chosen from %s on %s of %s.\n", a.Chosen.Setting, message.Count(len(a.Tried), "setting"),
		message.Count(len(a.Trials), "split"), a.Dataset)
	if n := a.dropped(); n > 0 {
		text += fmt.Sprintf("%s dropped out early. ", message.Count(n, "setting"))
	}
	if len(a.AsGood) > 1 && a.Found.Decided() {
		text += fmt.Sprintf("It is the most stable of %d that are within one standard error (%.3f) of the best %s. ",
			len(a.AsGood), a.AsGood[0].Error, a.score())
	}
	text += fmt.Sprintf("The model was fitted to %s.", a.FitOn)
	if a.Chosen.Root > 0 {
		text += fmt.Sprintf(" It had to select %s.", message.Text(a.Model.Features[a.Chosen.Root-1]))
	}
	events := explaining.Events(a.Found.Units, a.Found.Unit, a.Found.Class, a.Model)
	if !strings.Contains(events, "\n") { // there are enough events, so events is one line
		text, events = strings.TrimSpace(text+" "+events), ""
	}
	var never, joined string
	if a.Never != "" {
		never = fmt.Sprintf("No test sample of any split is predicted to be %q.\nBy these features that class is "+
			"never found.", a.Never)
	}
	if a.Chosen.Method.Needs&learners.NeedsGraph != 0 {
		joined = fmt.Sprintf("GraphDA joins what it selects by %s of the network: connected features are no finding.",
			message.Count(a.Chosen.Trees(), "tree"))
	}
	return []string{text, a.Alike, never, strings.TrimSpace(a.Adjusted), strings.TrimSpace(a.Weighed), events, joined,
		a.Network.Note(a.score(), a.Found.Yes())}
}

// dropped returns the number of settings that the race dropped: they were not learned on all splits, and did not fail.
func (a *Answer) dropped() (n int) {
	for i := range a.Tried {
		if a.Tried[i].Failed == "" && a.Tried[i].Splits < len(a.Trials) {
			n++
		}
	}
	return n
}

// score returns the name of the measure by which settings are chosen.
func (a *Answer) score() string { return learning.OutcomeOf(a.Loss).Measure }

// expected returns the table of what to expect of new samples, without the weights whose names are in without.
func (a *Answer) expected(without ...string) *table.Table {
	t := &table.Table{
		Name: expectedName, Title: "What to expect of new samples",
		Subtitle: "means over the test samples of " + message.Count(len(a.Trials), "split"),
	}
	columns := []table.Field[Expectation]{table.WordField("weights", "Weights",
		func(e *Expectation) string { return e.Weights })}
	for _, m := range measures {
		if m.outcome == learning.OutcomeOf(a.Loss) {
			columns = append(columns, table.Field[Expectation]{
				Column: table.Column{Key: m.key, Head: m.head, Estimate: a.Found.Decided()},
				Cell: func(e *Expectation) table.Cell {
					return a.estimate(*m.of(&e.Means), *m.of(&e.Std), *m.of(&e.Low), *m.of(&e.High))
				}})
		}
	}
	leave := func(e Expectation) bool { return slices.Contains(without, e.Weights) }
	table.Fill(t, slices.DeleteFunc(slices.Clone(a.Expected), leave), columns)
	guess := "Guessing has R² 0: the training mean for every sample."
	switch learning.OutcomeOf(a.Loss) {
	case learning.Times:
		guess = "C-index: the share of pairs of samples in which the one with the earlier event scores higher, of those " +
			"whose order is known (Harrell's C). Guessing has 0.5."
	case learning.Classes:
		guess = fmt.Sprintf("Guessing has AUC and balanced accuracy 0.5, and here, by the shares of the classes, accuracy "+
			"%.3f and log-loss %.3f.", max(a.Positives, 1-a.Positives), metrics.Entropy(a.Positives))
	}
	ridge := "fitted again on the selected features"
	if a.Unfitted {
		ridge = "w itself, the last iterate"
	} else if a.Constant {
		ridge += ", not yet shrunk to 0"
	}
	t.Notes = append(t.Notes, "Ridge: "+ridge+". "+guess)
	if a.Adjusted != "" {
		t.Notes = append(t.Notes, "Covariates: alone, fitted to the same samples, without features. Gain: by split, ridge "+
			"less these; if its interval has 0, it is not shown that the features add anything.")
	}
	if a.Found.Decided() && !a.Independent {
		area := "an AUC"
		if learning.OutcomeOf(a.Loss) == learning.Times {
			area = "a C-index"
		}
		t.Notes = append(t.Notes, "The splits share their samples; the intervals are corrected for it (Nadeau and Bengio "+
			"2003), and that of "+area+" is at least as wide as chance makes it vary.")
	}
	t.Notes = append(t.Notes, fmt.Sprintf("In each split the test samples took no part: the setting was chosen by the "+
		"split's own validation samples, and learned from %.0f %% of all samples. The model learned from all: where there "+
		"is a signal, these figures are a little too low for it.", 100*a.Learned))
	if a.Found.Decided() {
		t.Subtitle += ", with 95 % intervals"
		t.Notes = append(t.Notes, fmt.Sprintf("Something is found if the whole interval of ridge's %s is above %s. "+
			"Without a signal this happens nominally in 2.5 %% of datasets.", a.Found.Measure, table.Shortest(a.Found.Guess)))
	}
	return t
}

// estimate returns the cell with the mean of a measure and, if the finding is decided, its interval.
func (a *Answer) estimate(mean, std, low, high float64) table.Cell {
	number := &table.Number{Value: mean, Std: std, Low: low, High: high, N: len(a.Trials)}
	number.Print = table.Fixed(3)
	if a.Found.Decided() && !math.IsNaN(number.Low) {
		number.Print = func(v float64) string { return fmt.Sprintf("%.3f (%.3f to %.3f)", v, number.Low, number.High) }
	}
	return table.Cell{Number: number}
}

const expectedName, featuresName = "expected", "features"

// listedFeatures is how many features the page lists at most. Printed tables and files list all features.
const listedFeatures = 60

func (a *Answer) features() *table.Table {
	t := &table.Table{Name: featuresName, Title: "Features", Subtitle: a.Subgraph.Effects()}
	columns := []table.Field[Feature]{
		table.WordField("feature", "Feature", func(f *Feature) string { return f.Name }),
		table.WordField("selected", "Selected", func(f *Feature) string { return explaining.Yes(f.Selected) }),
	}
	if a.Found.Decided() {
		t.Subtitle += ", and those selected in more than half of the splits"
		columns = append(columns,
			table.NumberField("frequency", "Frequency", table.Fixed(2), func(f *Feature) float64 { return f.Frequency }))
		t.Notes = append(t.Notes, "Frequency: share of the splits in which the chosen setting selected the feature, which "+
			"says how steady the choice is. It is no evidence: splits share samples, and of random labels too some features "+
			"are selected in nearly all of them. gdrun confidence tells which features stand out from chance.")
	}
	columns = append(columns,
		table.NumberField("mean_weight", "", table.Significant, func(f *Feature) float64 { return f.Mean }).Data(),
		table.NumberField("w", "", table.Significant, func(f *Feature) float64 { return f.W }).Data(),
		explaining.EffectField(a.Subgraph, func(f *Feature) float64 { return f.Ridge }),
		table.NumberField("ridge", "Weight", table.Significant, func(f *Feature) float64 { return f.Ridge }))
	t.Notes = append(t.Notes, a.Subgraph.EffectNote()+" Part: selected features that the network "+
		"connects, perhaps through one that has no weight, have the same number.")
	if ratio := a.Subgraph.Ratio; a.Loss != (learners.LeastSquares{}) && a.Found.Decided() {
		t.Notes = append(t.Notes, ratio.Note())
		columns = append(columns,
			table.NumberField(ratio.Key(), ratio.Head(), table.Significant, func(f *Feature) float64 { return f.Ratio }))
	}
	columns = append(columns, explaining.PartField(func(f *Feature) int { return f.Component }))
	if a.Model.State.Graph != nil {
		columns = append(columns, table.CountField("degree", "Degree", func(f *Feature) int { return f.Degree }))
		t.Notes = append(t.Notes, "Degree: edges of the network at the feature. One with very many joins others cheaply, "+
			"and may be selected for that alone; gdrun import --cost degree makes its edges dear.")
	}
	if len(a.Features) > 0 && a.Features[0].Known {
		columns = append(columns, table.WordField("true", "True", func(f *Feature) string { return explaining.Yes(f.True) }))
	}
	table.Fill(t, a.Features, columns)
	return t
}

// nearTies is how many settings as good as the best setting are listed at most.
const nearTies = 5

// methods returns the table of what was tried: the best setting of each method, and the chosen setting.
func (a *Answer) methods() *table.Table {
	t := &table.Table{
		Name: "settings", Title: "What was tried",
		Subtitle: fmt.Sprintf("the best setting of each method; score: %s, mean over %s", a.score(),
			message.Count(len(a.Trials), "split")),
		Notes: []string{"Score: mean of validation and test samples. Those shown are the highest of many, and so too high."},
	}
	tried, asGood := map[*learners.Method]int{}, map[*learners.Method]int{}
	for i := range a.Tried {
		tried[a.Tried[i].Method]++
	}
	for _, s := range a.AsGood {
		asGood[s.Method]++
	}
	columns := []table.Field[Tried]{
		table.WordField("setting", "Setting", func(s *Tried) string { return s.Setting.String() }),
		table.CountField("tried", "Tried", func(s *Tried) int { return tried[s.Method] }),
		table.CountField("splits", "Splits", func(s *Tried) int { return s.Splits }),
		table.NumberField("score", "Score", table.Fixed(3), func(s *Tried) float64 { return s.Score }),
		table.NumberField("error", "Std. error", table.Fixed(3), func(s *Tried) float64 { return s.Error }),
		table.NumberField("valid", "", table.Fixed(3), func(s *Tried) float64 { return s.Valid }).Data(),
		table.NumberField("test", "", table.Fixed(3), func(s *Tried) float64 { return s.Test }).Data(),
		table.NumberField("features", "Features", table.Fixed(1), func(s *Tried) float64 { return s.Size }),
		table.NumberField("stability", "Stability", table.Fixed(2), func(s *Tried) float64 { return s.Stability }),
		table.CountField("as_good", "As good", func(s *Tried) int { return asGood[s.Method] }),
		table.WordField("chosen", "", func(s *Tried) string {
			if s.Setting == a.Chosen.Setting {
				return "chosen"
			}
			return ""
		}),
	}
	if a.dropped() == 0 {
		columns[2] = columns[2].Data()
	} else {
		t.Notes[0] += fmt.Sprintf(" Splits: those that the setting was learned on, of which its figures are. From %d "+
			"splits on it was dropped if it was clearly worse than the best, or selected too many features.", soonest)
	}
	near := nearTies
	if !a.Found.Decided() {
		near = 0
		columns = slices.DeleteFunc(columns, func(c table.Field[Tried]) bool {
			return slices.Contains([]string{"error", "stability", "as_good"}, c.Key)
		})
	} else {
		t.Subtitle = strings.Replace(t.Subtitle, ";", ", and the first of those as good;", 1)
		t.Notes[0] += " Stability: 1 if every split selects the same features, 0 for selections by chance of what the " +
			"setting can reach. As good: " +
			"settings of the method within one standard error of the best score of all."
		if !a.Independent {
			t.Notes = append(t.Notes, "The splits share their samples: the standard error is corrected for it.")
		}
	}
	t.Notes = append(t.Notes, a.Notes...)
	table.Fill(t, a.best(near), columns)
	return t
}

// best returns the best setting of each method, the chosen setting, and the first asGood settings of AsGood.
func (a *Answer) best(asGood int) (shown []Tried) {
	var method *learners.Method
	for i := range a.Tried {
		if a.Tried[i].Method == method {
			continue
		}
		method = a.Tried[i].Method
		best := best(a.Tried, method)
		if best != nil && best != a.Chosen {
			shown = append(shown, *best)
		}
		if a.Chosen.Method == method {
			shown = append(shown, *a.Chosen)
		}
		for _, s := range a.AsGood[:min(len(a.AsGood), asGood)] {
			if s.Method == method && s != best && s != a.Chosen {
				shown = append(shown, *s)
			}
		}
	}
	return shown
}

// places returns a link for each row of the table of features: to the feature's node in the picture with this name.
func (a *Answer) places(picture string) (places []page.Place) {
	feature := map[string]int32{}
	for _, n := range a.Subgraph.Nodes {
		feature[n.Name] = n.Feature
	}
	for i := range min(len(a.Features), listedFeatures) {
		place := page.Place{}
		if j, ok := feature[a.Features[i].Name]; ok {
			place = page.Place{Figure: picture, ID: explaining.ID(j)}
		}
		places = append(places, place)
	}
	return places
}

// Page returns the answer as one page.
func (a *Answer) Page() *page.Page {
	section := page.Section{ID: "answer", Title: "The answer"}
	drawn, printed := a.figures(), a.Printed()
	for _, t := range printed.Tables {
		made := page.Table{Table: t.First(listedFeatures, t.Name+".csv"), Collapsed: t.Name == featuresName && !a.Found.Yes()}
		if t.Name == featuresName {
			made.Places = a.places(drawn[len(drawn)-1].Describe().Name)
		}
		section.Tables = append(section.Tables, made)
	}
	for _, f := range drawn {
		section.Figures = append(section.Figures, page.Draw(f))
	}
	section.Figures[len(drawn)-1].Collapsed = !a.Found.Yes() // like the table of features
	p := &page.Page{
		Title: a.title(), Subtitle: "gdrun tune", Answer: printed.Verdict, Negative: !a.Found.Yes(),
		Lead: printed.Lead(), Sections: []page.Section{section, a.next()}, Made: page.Made("gdrun tune", a.Origin),
	}
	for _, key := range []string{"graphda", "dataset", "dataset_digest", "method", "f", "r", "q", "s", "components",
		"passes", "ridge_penalty"} {
		if value := a.Model.Made[key]; value != "" {
			p.Facts = append(p.Facts, page.Fact{Name: strings.ReplaceAll(key, "_", " "), Value: value})
		}
	}
	return p
}

// title names the dataset, the classes with their sizes (or the event), and how many features were found.
func (a *Answer) title() string {
	m, text := a.Model, "A model of "+a.Dataset
	switch learning.OutcomeOf(a.Loss) {
	case learning.Classes:
		count := map[bool]int{}
		for _, y := range a.fitted {
			count[y > 0]++
		}
		text = fmt.Sprintf("%s: %s (%d) or %s (%d)", a.Dataset, m.Positive, count[true], m.Negative, count[false])
	case learning.Times:
		text = fmt.Sprintf("%s: %s until %s (%s)", a.Dataset, m.Survival.Time, m.Survival.Event,
			message.Count(a.Found.Units, "event"))
	}
	if a.Found.Yes() {
		text += ", " + message.Count(a.Subgraph.Selected(), "feature")
	}
	return text
}

// tested draws how well the refits of the splits predict the test samples. It returns nil if the model is no refit.
func (a *Answer) tested() *figures.Chart {
	if a.Unfitted || len(a.scores) == 0 {
		return nil
	}
	const of = "Test samples of all splits together, which took no part in learning and choosing. "
	chart := &figures.Chart{Info: figures.Info{Name: "tested"}}
	switch learning.OutcomeOf(a.Loss) {
	case learning.Classes:
		chart.Title, chart.Caption = "ROC curve", of+"False alarms and finds at every threshold of the score."
		chart.Panels = []figures.Panel{explaining.ROC(a.scores, a.labels)}
	case learning.Times:
		chart.Title, chart.Caption = "Survival by thirds of the score", of+"Share without an event over time, of the "+
			"lowest, the middle and the highest scores."
		chart.Panels = []figures.Panel{explaining.Survival(a.scores, a.labels, a.Model.Survival.Time)}
		chart.Panels[0].Counts = nil // a sample is in several splits
	default:
		chart.Title, chart.Caption = "Labels over predictions", of+"Means of tenths of the samples."
		chart.Panels = []figures.Panel{explaining.Tenths(a.scores, a.labels, "prediction", "label",
			func(z, y float64) (float64, float64) { return z, y })}
	}
	return chart
}

func (a *Answer) next() page.Section {
	text := "gdrun confidence DATASET tells which features stand out from chance. It may keep many more than the model " +
		"has, because a model needs only a few of many features that tell the same.\n\n" +
		"gdrun evaluate --model model.parquet --samples COHORT measures the model on a second cohort.\n\n" +
		"gdrun predict --model model.parquet --samples NEW predicts new samples."
	if !a.Found.Yes() {
		text = "Nothing here is evidence. More samples help most. Fewer features help too, if you choose them without " +
			"looking at the labels."
	}
	return page.Section{ID: "next", Title: "Next steps", Intro: text}
}

// FileNames lists the names that Files may use.
var FileNames = []string{"report.html", "report.md", "selected.svg", "selected.csv", "tested.svg", "tested.csv",
	"expected.csv", "features.csv", "features.md", "settings.csv", "network.csv"}

// figures returns the chart of predicted test samples (see tested), if there is one, and the picture of the selected
// features.
func (a *Answer) figures() (all []figures.Figure) {
	if chart := a.tested(); chart != nil {
		all = append(all, chart)
	}
	return append(all, a.Subgraph.Figure())
}

// Files returns the page as HTML and as Markdown, its figures, and the data of its tables and figures.
func (a *Answer) Files() []seal.Named {
	page := a.Page()
	files := []seal.Named{
		{Name: "report.html", Fill: page.Write},
		{Name: "report.md", Fill: page.Markdown},
	}
	for _, f := range a.figures() {
		name := f.Describe().Name
		files = append(files,
			seal.Named{Name: name + ".svg", Fill: func(w io.Writer) error { return figures.Draw(w, f, "svg") }},
			seal.Named{Name: name + ".csv", Fill: func(w io.Writer) error { return figures.WriteCSV(w, f) }})
	}
	printed := a.Printed()
	for _, t := range printed.Tables {
		if t.Name == expectedName {
			t = a.expected()
		}
		files = append(files, seal.Named{Name: t.Name + ".csv", Fill: printed.CSV(t)})
		if t.Name == featuresName && !a.Found.Yes() { // the page links to it
			files = append(files, seal.Named{Name: t.Name + ".md", Fill: t.As("markdown")})
		}
	}
	return files
}
