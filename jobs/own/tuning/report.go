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
	"graphda/jobs/own/importing"
	"graphda/jobs/own/learning"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/page"
	"graphda/learners"
)

// Printed returns the answer for the terminal.
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

// Verdict says in one line whether there is a signal, and how well the model predicts.
func (a *Answer) Verdict() string {
	text := strings.Replace(a.Found.line(a.Subgraph.Selected()), "Found:", "Found"+importing.Unless(a.Alike)+":", 1)
	if a.Constant {
		text += fmt.Sprintf("; the model predicts %s for every sample", table.Significant(a.Model.Weights[0].Intercept))
	}
	return text
}

// notes returns notes about the choice and the model. A note may be "".
func (a *Answer) notes() []string {
	text := fmt.Sprintf("%v was chosen from %s on %s of %s.\n", a.Chosen.Setting, message.Count(len(a.Tried), "setting"),
		message.Count(len(a.Trials), "split"), a.Dataset)
	if n := a.dropped(); n > 0 {
		text += fmt.Sprintf("%s dropped out early. ", message.Count(n, "setting"))
	}
	if len(a.AsGood) > 1 && a.Found.Decided() {
		text += fmt.Sprintf("It is the most stable of %d settings within one standard error (%.3f) of the best %s. ",
			len(a.AsGood), a.AsGood[0].Error, a.score())
	}
	text += fmt.Sprintf("The model was fitted to %s.", a.FitOn)
	if a.Chosen.Root > 0 {
		text += fmt.Sprintf(" It had to select %s.", message.Text(a.Model.Features[a.Chosen.Root-1]))
	}
	events := explaining.Events(a.Found.Units, a.Found.Unit, a.Found.Class, a.Model)
	if !strings.Contains(events, "\n") { // a single line has no warning about too few events
		text, events = strings.TrimSpace(text+" "+events), ""
	}
	var never, joined string
	if a.Never != "" {
		never = fmt.Sprintf("No test sample of any split is predicted to be %q.\nThese features never find this class.",
			a.Never)
	}
	if a.Chosen.Method.Needs&learners.NeedsGraph != 0 {
		joined = fmt.Sprintf("GraphDA connects the features it selects by %s of the network; this is no finding.",
			message.Count(a.Chosen.Trees(), "tree"))
	}
	return []string{text, a.Alike, never, strings.TrimSpace(a.Adjusted), strings.TrimSpace(a.Weighed), events, joined,
		a.Network.Note(a.score(), a.Found.Yes())}
}

func (a *Answer) dropped() (n int) {
	for i := range a.Tried {
		if a.Tried[i].Failed == "" && a.Tried[i].Splits < len(a.Trials) {
			n++
		}
	}
	return n
}

func (a *Answer) score() string { return learning.OutcomeOf(a.Loss).Measure }

// expected returns the table of expected measures, but omits the given kinds of weights.
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
	guess := "Guessing, the training mean for every sample, has R² 0."
	switch learning.OutcomeOf(a.Loss) {
	case learning.Times:
		guess = explaining.CIndexNote + " Guessing has 0.5."
	case learning.Classes:
		guess = fmt.Sprintf("Guessing has AUC and balanced accuracy 0.5. With these shares of the classes, it has accuracy "+
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
		t.Notes = append(t.Notes, "Covariates: a model of the covariates alone, fitted to the same samples. Gain: ridge "+
			"minus the covariates alone, by split. If its interval contains 0, the features are not shown to add anything.")
	}
	if a.Found.Decided() && !a.Independent {
		t.Notes = append(t.Notes, "The splits share their samples, and the intervals are corrected for this (Nadeau and "+
			"Bengio 2003). The interval of an AUC or a C-index is at least as wide as for random scores. "+
			"Its upper end allows for what the model gains by learning from all samples.")
	}
	t.Notes = append(t.Notes, fmt.Sprintf("In each split, the test samples took no part: the setting was chosen by the "+
		"split's own validation samples and learned from %.0f %% of all samples. The model learned from all samples. If "+
		"the signal is clear, these means are a little too low for the model. A weak signal is found if chance helps, and "+
		"new samples then show less.", 100*a.Learned))
	if a.Found.Decided() {
		t.Subtitle += ", with 95 % intervals"
		t.Notes = append(t.Notes, fmt.Sprintf("Something is found if the whole interval of ridge's %s is above %s. Without "+
			"a signal, this happens in about 2.5 %% of datasets.", a.Found.Measure, table.Shortest(a.Found.Guess)))
	}
	return t
}

// estimate returns a measure's mean and, if there is a verdict, its interval.
func (a *Answer) estimate(mean, std, low, high float64) table.Cell {
	number := &table.Number{Value: mean, Std: std, Low: low, High: high, N: len(a.Trials)}
	number.Print = table.Fixed(3)
	if a.Found.Decided() && !math.IsNaN(number.Low) {
		number.Print = func(v float64) string { return fmt.Sprintf("%.3f (%.3f to %.3f)", v, number.Low, number.High) }
	}
	return table.Cell{Number: number}
}

const expectedName, featuresName = "expected", "features"

// listedFeatures is the largest number of features that the page lists. Printed tables and files list all features.
const listedFeatures = 60

func (a *Answer) features() *table.Table {
	t := &table.Table{Name: featuresName, Title: "Features", Subtitle: a.Subgraph.Effects()}
	columns := []table.Field[Feature]{
		table.WordField("feature", "Feature", func(f *Feature) string { return f.Name }),
		table.WordField("selected", "Selected", func(f *Feature) string { return explaining.Yes(f.Selected) }),
	}
	if a.Found.Decided() {
		t.Subtitle += ", and features that more than half of the splits select"
		columns = append(columns,
			table.NumberField("frequency", "Frequency", table.Fixed(2), func(f *Feature) float64 { return f.Frequency }))
		t.Notes = append(t.Notes, "Frequency: share of the splits in which the chosen setting selected the feature. It "+
			"shows how steady the choice is, and is no evidence: splits share samples, so even with random labels nearly all "+
			"splits select some features. gdrun confidence says which features stand out from chance.")
	}
	columns = append(columns,
		table.NumberField("mean_weight", "", table.Significant, func(f *Feature) float64 { return f.Mean }).Data(),
		table.NumberField("w", "", table.Significant, func(f *Feature) float64 { return f.W }).Data(),
		explaining.EffectField(a.Subgraph, func(f *Feature) float64 { return f.Ridge }),
		table.NumberField("ridge", "Weight", table.Significant, func(f *Feature) float64 { return f.Ridge }))
	t.Notes = append(t.Notes, a.Subgraph.EffectNote()+" Part: selected features that the network connects have the same "+
		"number; features without a weight may connect them.")
	if ratio := a.Subgraph.Ratio; (a.Loss == learners.Logistic{} || a.Model.Survival != nil) && a.Found.Decided() {
		field := table.NumberField(ratio.Key(), ratio.Head(), table.Significant, func(f *Feature) float64 { return f.Ratio })
		if a.Found.Yes() {
			t.Notes = append(t.Notes, ratio.Note())
		} else {
			field = field.Data()
		}
		columns = append(columns, field)
	}
	columns = append(columns, explaining.PartField(func(f *Feature) int { return f.Component }))
	if a.Model.State.Graph != nil {
		columns = append(columns, table.CountField("degree", "Degree", func(f *Feature) int { return f.Degree }))
		t.Notes = append(t.Notes, "Degree: number of the feature's edges in the network. A feature with very many edges "+
			"may be selected only because it connects others cheaply; gdrun import --cost degree makes such edges expensive.")
	}
	if len(a.Features) > 0 && a.Features[0].Known {
		columns = append(columns, table.WordField("true", "True", func(f *Feature) string { return explaining.Yes(f.True) }))
	}
	table.Fill(t, a.Features, columns)
	return t
}

// nearTies is the largest number of equally good settings in the table, besides the chosen setting.
const nearTies = 5

// methods returns a table of the best setting of each method and the chosen setting.
func (a *Answer) methods() *table.Table {
	t := &table.Table{
		Name: "settings", Title: "What was tried",
		Subtitle: fmt.Sprintf("the best setting of each method; score: %s, mean over %s", a.score(),
			message.Count(len(a.Trials), "split")),
		Notes: []string{"Score: mean of validation and test samples. These are the highest of many scores, so they are " +
			"too high."},
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
		t.Notes[0] += fmt.Sprintf(" Splits: on how many splits the setting was learned; its numbers are means over these "+
			"splits. After %d splits, settings were dropped if they were clearly worse than the best or selected too many "+
			"features.", soonest)
	}
	near := nearTies
	if !a.Found.Decided() {
		near = 0
		columns = slices.DeleteFunc(columns, func(c table.Field[Tried]) bool {
			return slices.Contains([]string{"error", "stability", "as_good"}, c.Key)
		})
	} else {
		t.Subtitle = strings.Replace(t.Subtitle, ";", ", and the first settings that are as good as the best;", 1)
		t.Notes[0] += " Stability: 1 if every split selects the same features, 0 if each split selects at random among the " +
			"features that the setting can reach. As good: number of the method's settings within one standard error of the " +
			"best score."
		if !a.Independent {
			t.Notes = append(t.Notes, "The splits share their samples, and the standard error is corrected for this.")
		}
	}
	t.Notes = append(t.Notes, a.Notes...)
	table.Fill(t, a.best(near), columns)
	return t
}

// best returns the best setting of each method, the chosen setting, and the first asGood settings in a.AsGood.
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

// places returns, for each row of the table of features, a link to its node in the given picture.
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

// Page returns the answer as a page for browsers.
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
	section.Figures[len(drawn)-1].Collapsed = !a.Found.Yes() // the table of features is collapsed then, too
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

// tested draws the refits' predictions of the test samples. It returns nil if the model predicts with w.
func (a *Answer) tested() *figures.Chart {
	if a.Unfitted || len(a.scores) == 0 {
		return nil
	}
	const of = "The test samples of all splits together. They took no part in learning and choosing. "
	chart := &figures.Chart{Info: figures.Info{Name: "tested"}}
	switch learning.OutcomeOf(a.Loss) {
	case learning.Classes:
		chart.Title, chart.Caption = "ROC curve", of+explaining.ROCCaption
		chart.Panels = []figures.Panel{explaining.ROC(a.scores, a.labels)}
	case learning.Times:
		chart.Title, chart.Caption = "Survival by thirds of the score", of+explaining.ThirdsCaption
		chart.Panels = []figures.Panel{explaining.Survival(a.scores, a.labels, a.Model.Survival.Time)}
		chart.Panels[0].Counts = nil // would mislead, because a sample may be a test sample of several splits
	default:
		chart.Title, chart.Caption = "Labels over predictions", of+explaining.TenthsCaption
		chart.Panels = []figures.Panel{explaining.Tenths(a.scores, a.labels, "prediction", "label",
			func(z, y float64) (float64, float64) { return z, y })}
	}
	return chart
}

func (a *Answer) next() page.Section {
	text := "gdrun confidence DATASET says which features stand out from chance. It may keep many more features than " +
		"the model has, because a model needs only a few of many similar features.\n\ngdrun evaluate --model model.parquet " +
		"--samples COHORT measures the model on a second cohort.\n\ngdrun predict --model model.parquet --samples NEW " +
		"predicts new samples."
	if !a.Found.Yes() {
		text = "Nothing here is evidence. More samples help most. Fewer features help too, if you choose them without " +
			"looking at the labels."
	}
	return page.Section{ID: "next", Title: "Next steps", Intro: text}
}

// FileNames lists all names that the result of Files may have.
var FileNames = []string{"report.html", "report.md", "selected.svg", "selected.csv", "tested.svg", "tested.csv",
	"expected.csv", "features.csv", "features.md", "settings.csv", "network.csv"}

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
		if t.Name == featuresName && !a.Found.Yes() { // the page links to this file even without a finding
			files = append(files, seal.Named{Name: t.Name + ".md", Fill: t.As("markdown")})
		}
	}
	return files
}
