package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"graphda/io/message"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/metrics"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tablekinds"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
	"graphda/learners"
)

// Extras say which tables to print in addition to the answer.
type Extras struct {
	Verbose   bool // print whole tables with notes, comparisons with published tables, claims and diagnostics
	Settings  bool
	Tests     bool
	Intervals bool
	Width     int // width of the terminal in characters; 0 means no limit

	Page string // path of the page; "" if no page is written
}

func (e Extras) wants(role source.Role) bool {
	return map[source.Role]bool{source.Main: e.Verbose, source.Compared: e.Verbose, source.Settings: e.Settings,
		source.Tests: e.Tests, source.Intervals: e.Intervals}[role]
}

// Print prints the answer, a short table and a line about the paper's claims, in at most shortLines lines.
// With Verbose, or in a format for programs, it prints whole tables instead. At the end it prints the tables
// that extras asks for.
func (b *Book) Print(w io.Writer, format string, extras Extras) error {
	short, diagnostics := !extras.Verbose && format == table.Formats()[0], extras.Verbose
	extras.Verbose = !short
	var shown []*table.Table
	if short {
		if err := b.short(w, extras); err != nil {
			return err
		}
	} else if b.claims.Enough() {
		shown = append(shown, b.claims.Table())
	}
	for i := range b.Printed {
		p := &b.Printed[i]
		for _, t := range p.Tables {
			if extras.wants(t.Role) {
				shown = append(shown, beside(p, t))
			}
		}
	}
	if d := b.diagnostics(); d != nil && diagnostics {
		shown = append(shown, d)
	}
	if short && len(shown) > 0 {
		fmt.Fprintln(w)
	}
	for _, t := range shown {
		t.Page = extras.Page
	}
	return table.Print(w, format, extras.Width, shown...)
}

// beside returns the table t of the report p, without notes of the report's main table.
func beside(p *source.Printed, t source.Named) *table.Table {
	if t.Role == source.Main {
		return t.Table
	}
	other := *t.Table
	said := func(note string) bool { return slices.Contains(p.Main().Notes, note) }
	other.Notes = slices.DeleteFunc(slices.Clone(t.Notes), said)
	return &other
}

// shortLines is the largest number of lines that Print writes without Verbose.
const shortLines = 25

// shortColumns are the columns of a short table. The first of these columns in a table decides which rows are shown.
var shortColumns = []struct{ key, head string }{
	{"f1", "F1"}, {tablekinds.TestMSE, "Test MSE"}, {"test_accuracy", "Accuracy"}, {"mistakes", "Mistakes"},
	{metrics.NonzeroPercent, "Features %"},
}

// short prints the answer and the most important columns of each table. If there are too many lines, it prints only the
// best methods of each table, and if necessary only the first tables.
func (b *Book) short(w io.Writer, extras Extras) error {
	var tables []source.Named
	others := 0
	for i := range b.Printed {
		main := b.Printed[i].Main()
		switch {
		case main == nil:
		case main.At(metrics.NonzeroPercent) >= 0:
			tables = append(tables, b.Printed[i].Tables[0])
		default:
			others++
		}
	}
	answer, claims := b.answer(), b.claims.Line()
	if len(tables) == 0 {
		for _, line := range []string{answer, claims} {
			if line != "" {
				fmt.Fprintln(w, line)
			}
		}
		if others > 0 {
			fmt.Fprintf(w, "%s not shown: --verbose\n", message.Count(others, "table"))
		}
		return nil
	}
	for n := len(tables); ; n-- {
		for lines := shortLines; lines > 0; lines-- {
			var text strings.Builder
			t, left := joined(tables[:n], lines)
			t.Title, t.Subtitle, t.Page = answer, b.means(tables), extras.Page
			if claims != "" {
				t.Notes = append(t.Notes, claims)
			}
			if hidden := notShown(left, others+len(tables)-n, n); hidden != "" {
				t.Notes = append(t.Notes, hidden)
			}
			if err := table.Print(&text, "text", extras.Width, t); err != nil {
				return err
			}
			if strings.Count(text.String(), "\n") <= shortLines || n == 1 && lines == 1 {
				_, err := io.WriteString(w, text.String())
				return err
			}
		}
	}
}

// notShown says how many methods and other tables are not shown. `of` is the number of tables that are shown.
func notShown(methods, others, of int) string {
	var what []string
	if methods > 0 {
		what = append(what, message.Count(methods, "more method"))
		if of > 1 {
			what[0] += " of each table"
		}
	}
	if others > 0 {
		what = append(what, message.Count(others, "more table"))
	}
	if what == nil {
		return ""
	}
	return "… " + strings.Join(what, ", ") + ": --verbose"
}

// joined joins the most important columns of several tables into one table. From each table it takes the rows of the
// best methods, at most `lines`. `left` is the largest number of rows that it drops from a table.
func joined(tables []source.Named, lines int) (t *table.Table, left int) {
	t = &table.Table{Title: tables[0].Title, Best: "the best of its column"}
	if strings.Contains(tables[0].Best, tablekinds.NotWorse) {
		t.Best += tablekinds.NotWorse
	}
	t.Columns = []table.Column{{Key: "table", Head: "Table", Words: true, DataOnly: len(tables) == 1},
		{Key: "method", Head: "Method", Words: true}}
	for _, c := range shortColumns {
		if slices.ContainsFunc(tables, func(of source.Named) bool { return of.At(c.key) >= 0 }) {
			t.Columns = append(t.Columns, table.Column{Key: c.key, Head: c.head})
		}
	}
	var oracles []string
	for _, of := range tables {
		shown := bestRows(of, t.Columns[2].Key, lines)
		left = max(left, len(of.Rows)-len(shown))
		for k, i := range shown {
			row := make([]table.Cell, len(t.Columns))
			if k == 0 {
				row[0].Word = of.Name
			}
			for c := range t.Columns[1:] {
				if at := of.At(t.Columns[1+c].Key); at >= 0 {
					row[1+c] = of.Rows[i][at]
				}
			}
			t.Rows = append(t.Rows, row)
			if name := row[1].Text(); isOracle(of, i) && !slices.Contains(oracles, name) {
				oracles = append(oracles, name)
			}
		}
	}
	for _, name := range oracles {
		t.Notes = append(t.Notes, name+" knows the truth and does not compete.")
	}
	return t, left
}

// bestRows returns the indices of the rows with the best values in a column, at most `lines`, in the table's order.
// Methods that know the truth rank last.
func bestRows(of source.Named, key string, lines int) []int {
	at := of.At(key)
	if at < 0 {
		lines = len(of.Rows)
	}
	return source.Best(len(of.Rows), lines, func(i int) float64 {
		if at < 0 {
			return 0
		}
		n := of.Rows[i][at].Number
		if n == nil || math.IsNaN(n.Value) || isOracle(of, i) {
			return math.Inf(-1)
		}
		return n.Value * float64(metrics.MeasureOf(key).Better)
	})
}

// isOracle tells whether the method in the given row knows the truth.
func isOracle(of source.Named, row int) bool {
	m, err := learners.Lookup(of.Rows[row][of.At("method")].ID)
	return err == nil && source.Oracle(m)
}

// means says how many trials the means have, and which rule chose the settings.
func (b *Book) means(tables []source.Named) string {
	fewest, most, planned := math.MaxInt, 0, b.trials()
	for _, t := range tables {
		for _, row := range t.Rows {
			n := int(row[t.At("trials")].Number.Value)
			fewest, most = min(fewest, n), max(most, n)
		}
	}
	text := message.Count(most, "trial")
	switch {
	case fewest < most:
		text = fmt.Sprintf("%d to %d of %s", fewest, most, message.Count(planned, "trial"))
	case most < planned:
		text = fmt.Sprintf("%d of %s", most, message.Count(planned, "trial"))
	}
	if most < stats.EnoughTrials {
		text += ", too few for tests"
	}
	title := b.src.Title(&experiment.Report{})
	return fmt.Sprintf("%s: means over %s; each method has the setting with %s", title, text, b.rule.Means())
}

// answerSentences is the largest number of measures in the answer.
const answerSentences = 2

// answer says which methods are best, in a sentence for each measure. Another sentence counts the values that agree
// with published values.
func (b *Book) answer() string {
	var topics []topic
	for i := range b.Printed {
		topics = b.ask(topics, &b.Printed[i].Report)
	}
	var sentences []string
	for _, q := range topics {
		if s := b.best(&q); s != "" && len(sentences) < answerSentences {
			sentences = append(sentences, s)
		}
	}
	var all source.Agreement
	for i := range b.Printed {
		a := b.Printed[i].Agreement
		all.Agree, all.Unclear, all.Differ = all.Agree+a.Agree, all.Unclear+a.Unclear, all.Differ+a.Differ
	}
	if s := all.String(); s != "" {
		sentences = append(sentences, s)
	}
	return strings.Join(sentences, " ")
}

// A topic is a question: which methods are best in a measure at a checkpoint?
type topic struct {
	measure    string
	checkpoint int
	datasets   []string
}

// ask adds the datasets of the report r to the topic of r's measure and checkpoint, unless r shows only some methods.
func (b *Book) ask(asked []topic, r *experiment.Report) []topic {
	measure := r.Measure
	for _, name := range []string{"f1", tablekinds.TestMSE, "test_accuracy"} {
		if measure == "" && b.src.Measures(r, name) {
			measure = name
		}
	}
	if measure == "" || len(r.Methods) > 0 {
		return asked
	}
	at := b.src.Checkpoint(r)
	k := slices.IndexFunc(asked, func(q topic) bool { return q.measure == measure && q.checkpoint == at })
	if k < 0 {
		k = len(asked)
		asked = append(asked, topic{measure: measure, checkpoint: at})
	}
	for _, d := range b.src.Datasets(r) {
		if !slices.Contains(asked[k].datasets, d.Name) {
			asked[k].datasets = append(asked[k].datasets, d.Name)
		}
	}
	return asked
}

// best returns the sentence that answers q, or "" if no dataset has results of two methods.
func (b *Book) best(q *topic) string {
	e := tablekinds.Of(selection.W, q.measure)
	var best [][]string // for each dataset
	alone := ""
	for _, d := range q.datasets {
		methods, value, among := b.bestOn(q, e, d)
		if among < 2 || len(methods) == 0 {
			continue
		}
		best = append(best, methods)
		alone = fmt.Sprintf("%s the best %s of %s, %s, after %d samples.", shared(methods), e.Label(),
			message.Count(among, "method"), e.Print(value), q.checkpoint)
	}
	if len(best) < 2 {
		return alone
	}
	return fmt.Sprintf("The best %s after %d samples: %s.", e.Label(), q.checkpoint, standings(best))
}

// standings says on how many datasets each method alone is best, and how many datasets have ties.
func standings(best [][]string) string {
	wins, winners, tied, ties := map[string]int{}, []string(nil), []string(nil), 0
	for _, methods := range best {
		if len(methods) == 1 {
			if wins[methods[0]]++; wins[methods[0]] == 1 {
				winners = append(winners, methods[0])
			}
			continue
		}
		ties++
		for _, m := range methods {
			if !slices.Contains(tied, m) {
				tied = append(tied, m)
			}
		}
	}
	slices.SortStableFunc(winners, func(a, b string) int { return wins[b] - wins[a] })
	var texts []string
	for _, m := range winners {
		texts = append(texts, fmt.Sprintf("%s on %d", m, wins[m]))
	}
	if ties > 0 {
		texts = append(texts, fmt.Sprintf("a tie on %d", ties))
	}
	texts[0] += fmt.Sprintf(" of %d datasets", len(best))
	if ties > 0 {
		texts[len(texts)-1] += fmt.Sprintf(" (%s)", strings.Join(tied, ", "))
	}
	return strings.Join(texts, ", ")
}

// bestOn returns the methods with the best printed mean on a dataset, the mean, and the number of methods with a mean.
// It ignores methods that know the truth.
func (b *Book) bestOn(q *topic, e tablekinds.Entry, dataset string) (methods []string, best float64, among int) {
	best = math.NaN()
	for _, s := range b.src.Series(&experiment.Report{}) {
		g := s.Group(b.src.Summary, dataset, q.checkpoint)
		if source.Oracle(s.Method) || g == nil || e.Stat(g).N == 0 {
			continue
		}
		among++
		switch v := tablekinds.MeanOf(tablekinds.Defined(e.Merits(tablekinds.Line{Group: g}))); {
		case math.IsNaN(v):
		case e.Print(v) == e.Print(best):
			methods = append(methods, s.Legend())
		case math.IsNaN(best) || float64(e.Better)*(v-best) > 0:
			best, methods = v, []string{s.Legend()}
		}
	}
	return methods, best, among
}

// shared returns the beginning of a sentence about the given methods.
func shared(methods []string) string {
	switch n := len(methods); {
	case n == 1:
		return methods[0] + " has"
	case n > 3:
		return fmt.Sprintf("%s and %d others share", strings.Join(methods[:2], ", "), n-2)
	default:
		return strings.Join(methods[:n-1], ", ") + " and " + methods[n-1] + " share"
	}
}
