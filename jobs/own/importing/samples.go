package importing

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"graphda/io/plain"
	"graphda/io/samples"
	"graphda/io/tabular"
	"graphda/jobs/usage"
)

// splitColumn is the column that tells which samples are for what.
const splitColumn = "split"

// Data are the samples in memory.
type data struct {
	names    []string        // of the features
	ids      []string        // by sample
	named    bool            // the file has the ids
	patients []string        // by sample; nil if each is of a patient of its own
	x        [][]float64     // by sample; NaN where a value is missing
	y        []float64       // by sample
	split    []samples.Split // by sample; nil if the file does not say
	positive string          // what the classes are called; empty in regression
	negative string
	read     string // what the file was understood to hold
}

// A layout is where a samples table has what.
type layout struct {
	label, split int  // −1 if they are in another file, or nowhere
	id           int  // −1 if samples are numbered
	patient      int  // −1 if the labels' file has it, or nobody asks
	index        bool // the first column is an index, and another one has the ids
	features     []int
	names        []string
	unnamed      []int // columns without a name, which must be empty
}

// A field is a text and where it stands.
type field struct {
	text   string
	row    tabular.Row
	column string
}

func fieldOf(t *tabular.Table, i int) field {
	row, column := t.Place(i)
	return field{t.Text(i), row, column}
}

// A reader reads samples, and collects what is wrong with them.
type reader struct {
	*layout
	request  *Request
	table    *tabular.Table
	data     *data
	ids      *ids
	labels   []field         // by sample
	splits   []field         // by sample, as far as samples have one
	patients []field         // by sample, empty if nobody asks
	joined   *labelFile      // nil if the samples' own file has the labels
	faults   []columnFault   // by feature
	gaps     []field         // by sample: its first missing value, if it lacks one
	dropped  map[string]bool // rows that were left out by name
	problems tabular.Problems
}

// A columnFault is what is wrong with the values of a column: the first, and how many there are.
type columnFault struct {
	first error
	count int
}

// readData reads the samples of a request.
func readData(ctx context.Context, r *Request, notes *notes) (*data, error) {
	o := r.Text
	o.Force, o.Wanted = r.Force, func(name string) bool { return !slices.Contains(r.Drop, name) }
	o.Unended = func(err error) error { notes.add("%v", err); return nil }
	t, err := tabular.Open(r.Samples, o)
	if err != nil {
		return nil, asked(err)
	}
	defer t.Close()
	in := &reader{request: r, table: t, data: &data{}, dropped: map[string]bool{}}
	if r.Labels != "" {
		if in.joined, err = r.readLabels(); err != nil {
			return nil, err
		}
	}
	if in.layout, err = r.layout(t, &in.problems); err != nil {
		return nil, err
	}
	in.data.names, in.faults = in.names, make([]columnFault, len(in.names))
	if err := in.rows(ctx); err != nil {
		return nil, err
	}
	if err := in.finish(notes); err != nil {
		return nil, err
	}
	in.data.read = in.describe()
	return in.data, nil
}

// layout finds the columns.
func (r *Request) layout(t *tabular.Table, problems *tabular.Problems) (*layout, error) {
	head := t.Columns()
	l := &layout{split: -1, label: -1}
	var err error
	if l.id, err = r.idColumn(t); err != nil {
		return nil, err
	}
	if !slices.Contains(r.Drop, r.Label) {
		if l.label, err = t.Find(r.Label); err != nil {
			return nil, err
		}
	}
	if err := r.checkLabelColumn(t, l.label); err != nil {
		return nil, err
	}
	if l.patient, err = r.patientColumn(t); err != nil {
		return nil, err
	}
	if err := r.checkDrop(t, nil); err != nil {
		return nil, err
	}
	seen, twice := map[string]bool{}, map[string]bool{}
	for i, name := range head {
		switch {
		case i == l.label || i == l.id || i == l.patient || slices.Contains(r.Drop, name):
			continue
		case i == 0 && isIndex(name): // beside ids
			l.index = true
			continue
		case name == "":
			l.unnamed = append(l.unnamed, i)
			continue
		case !utf8.ValidString(name):
			problems.Add(r.Samples, t.Wrong(i, "has a name that is not UTF-8"))
			continue
		case seen[name]:
			if !twice[name] {
				problems.Add(r.Samples, t.Wrong(i, "stands twice in the file"))
			}
			twice[name] = true
			continue
		}
		seen[name] = true
		if name == splitColumn {
			l.split = i
			continue
		}
		l.features, l.names = append(l.features, i), append(l.names, name)
	}
	if err := problems.Err(); err != nil && len(l.names) == 0 {
		return nil, err
	}
	if len(l.names) == 0 {
		return nil, t.Wrong(-1, "has no column for a feature, only %s%s", tabular.Some(head), r.hint(head))
	}
	return l, r.checkSplit(l.split >= 0, r.Samples)
}

// checkLabelColumn refuses a label that is in no file, or in two.
func (r *Request) checkLabelColumn(t *tabular.Table, column int) error {
	switch {
	case r.Labels == "" && column < 0:
		return usage.Errorf("label = %q, which is no column of %s; its columns are %s%s", r.Label, r.Samples,
			tabular.Some(t.Columns()), r.hint(t.Columns()))
	case r.Labels != "" && column >= 0:
		return usage.Errorf("column %q is in %s and in %s, as label and as feature; --drop %[1]q leaves the feature out",
			r.Label, r.Labels, r.Samples)
	}
	return nil
}

// checkSplit refuses a split of two kinds.
func (r *Request) checkSplit(has bool, path string) error {
	if has && r.Split != nil {
		return usage.Errorf("split = %v is for samples without a column %q, which %s has; "+
			"--drop %[2]s leaves that column out", r.Split, splitColumn, path)
	}
	if has && r.Folds > 0 {
		return usage.Errorf("folds = %d is for samples without a column %q, which %s has; "+
			"--drop %[2]s leaves that column out", r.Folds, splitColumn, path)
	}
	if has && r.Trials > 1 {
		return usage.Errorf("trials = %d is for samples without a column %q, which %s has: all trials would be alike; "+
			"--drop %[2]s leaves that column out", r.Trials, splitColumn, path)
	}
	return nil
}

var geneColumn = regexp.MustCompile(`(?i)gene|symbol|ensembl|probe|entrez|feature|hugo`)

// hint says what the names of the columns look like if they are not those of samples.
func (r *Request) hint(head []string) string {
	switch {
	case len(head) == 1 && strings.ContainsAny(head[0], " :/|"):
		return fmt.Sprintf("; if %q is not one name, --sep tells what separates the fields", head[0])
	case !r.Text.Transpose && geneColumn.MatchString(head[0]):
		return "; if its rows are genes and its columns samples, --transpose"
	}
	return ""
}

// rows reads all rows.
func (in *reader) rows(ctx context.Context) error {
	t := in.table
	for first := true; t.Next(); first = false {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if first {
			guessed := in.guessIDs()
			in.ids = newIDs(t, in.id)
			in.ids.guessed, in.ids.patient = guessed, in.request.Patient != "" || in.request.Text.Transpose
			if in.joined != nil && in.id < 0 {
				return usage.Errorf("%s has no column of ids by which its samples could be joined with %s; --id names it",
					in.request.Samples, in.request.Labels)
			}
		}
		if in.id >= 0 && in.request.Text.Transpose && slices.Contains(in.request.Drop, t.Text(in.id)) {
			in.dropped[t.Text(in.id)] = true
			continue
		}
		if err := in.ids.add(); err != nil {
			in.problems.Add(in.request.Samples, err)
		}
		in.addValues()
		in.addLabel()
	}
	if err := t.Err(); err != nil {
		return err
	}
	if in.ids == nil || len(in.data.x) == 0 {
		return t.Wrong(-1, "has no rows, want one for each sample")
	}
	return in.request.checkDrop(t, in.dropped)
}

// checkDrop refuses a name that --drop tells and the file does not have. Of a table whose columns
// are samples in the file, dropped are those that were left out, nil if it is not yet read.
func (r *Request) checkDrop(t *tabular.Table, dropped map[string]bool) error {
	for _, name := range r.Drop {
		if !slices.Contains(t.Columns(), name) && !dropped[name] && (!r.Text.Transpose || dropped != nil) {
			return usage.Errorf("drop = %q, which is no column of %s; its columns are %s", name, r.Samples,
				tabular.Some(t.Columns()))
		}
	}
	return nil
}

// guessIDs takes a first column whose first value is a text for the ids, where none are known.
func (in *reader) guessIDs() bool {
	isFree := in.id < 0 && in.request.ID == "" && in.features[0] == 0 && len(in.features) > 1
	if !isFree || tabular.IsMissing(in.table.Text(0)) {
		return false
	}
	_, err := in.table.Number(0)
	if err != nil {
		in.id, in.features, in.names = 0, in.features[1:], in.names[1:]
		in.data.names, in.faults = in.names, in.faults[1:]
	}
	return err != nil
}

// addValues takes the features of the row.
func (in *reader) addValues() {
	t := in.table
	x, gap := make([]float64, len(in.features)), field{}
	for j, i := range in.features {
		var err error
		if x[j], err = t.Number(i); err == nil {
			continue
		}
		if text := t.Text(i); tabular.IsMissing(text) {
			if x[j] = math.NaN(); gap.column == "" {
				gap = fieldOf(t, i)
			}
			continue
		}
		f := &in.faults[j]
		if f.count++; f.first == nil {
			f.first = err
		}
	}
	for _, i := range in.unnamed {
		if t.Text(i) != "" {
			in.problems.Add(in.request.Samples, t.Wrong(-1, "column %d has no name", i+1))
			in.unnamed = slices.DeleteFunc(in.unnamed, func(k int) bool { return k == i })
			break
		}
	}
	in.data.x, in.gaps = append(in.data.x, x), append(in.gaps, gap)
}

// addLabel takes the label and the split of the row, or of its id.
func (in *reader) addLabel() {
	label, split, patient := field{}, field{}, field{}
	if in.joined != nil {
		label, split, patient = in.joined.find(in.ids.list[len(in.ids.list)-1])
	} else {
		label = fieldOf(in.table, in.label)
		label.text = in.request.canonical(in.table, in.label)
	}
	if in.split >= 0 {
		split = fieldOf(in.table, in.split)
	}
	if in.patient >= 0 {
		patient = fieldOf(in.table, in.patient)
	}
	in.labels, in.splits, in.patients = append(in.labels, label), append(in.splits, split), append(in.patients, patient)
}

// finish checks what was read, and makes the data of it.
func (in *reader) finish(notes *notes) error {
	d, r := in.data, in.request
	d.ids, d.named = in.ids.list, in.ids.column >= 0
	for j, f := range in.faults {
		switch {
		case f.count == 0:
			continue
		case f.count == 1:
			in.problems.Add(r.Samples, fmt.Errorf("%w; a column that is no feature is left out by --drop %q", f.first,
				in.names[j]))
		case f.count == len(d.x) && in.id < 0:
			in.problems.Add(r.Samples, fmt.Errorf("%w, as all of the column's values; --id %q if it names the samples, --drop "+
				"%[2]q if it is no feature", f.first, in.names[j]))
		default:
			in.problems.Add(r.Samples, fmt.Errorf("%w, and of the column's other values %s are none either; a column that is "+
				"no feature is left out by --drop %q", f.first, plain.Number(f.count-1), in.names[j]))
		}
	}
	if err := in.problems.Err(); err != nil {
		return err
	}
	if in.joined != nil {
		if err := in.checkJoined(notes); err != nil {
			return err
		}
	}
	if err := in.resolveUnlabelled(notes); err != nil {
		return err
	}
	if err := in.resolveMissing(notes); err != nil {
		return err
	}
	if err := in.readPatients(); err != nil {
		return err
	}
	if err := in.readSplits(); err != nil {
		return err
	}
	if err := in.readClasses(); err != nil {
		return err
	}
	if d.split == nil {
		in.sort()
	}
	in.note(notes)
	return nil
}

// readSplits takes the splits, if samples have them.
func (in *reader) readSplits() error {
	if in.split < 0 && (in.joined == nil || in.joined.split < 0) {
		return nil
	}
	path := in.labelPath()
	if in.split >= 0 {
		path = in.request.Samples
	}
	var problems tabular.Problems
	first := map[string]int{} // samples, by patient
	for i, f := range in.splits {
		s := samples.Train
		for s <= samples.Test && f.text != s.String() {
			s++
		}
		if s > samples.Test {
			problems.Add(path, f.wrong(path, "is %q, want train, valid or test", f.text))
		}
		in.data.split = append(in.data.split, s)
		if in.data.patients == nil {
			continue
		}
		patient := in.data.patients[i]
		if k, again := first[patient]; !again {
			first[patient] = i
		} else if in.data.split[k] != s {
			problems.Add(path, f.wrong(path, "is %q for patient %q, who is %q in %v; all samples of a patient are on one side",
				f.text, patient, in.splits[k].text, in.splits[k].row))
		}
	}
	if err := problems.Err(); err != nil {
		return err
	}
	for s := samples.Train; s <= samples.Test; s++ {
		if !slices.Contains(in.data.split, s) {
			err := fmt.Errorf("no row is %q; train, valid and test need one at least", s)
			return &tabular.Error{Path: path, Column: splitColumn, Err: err}
		}
	}
	return nil
}

// wrong returns an error about a field of a file.
func (f field) wrong(path, format string, args ...any) error {
	return &tabular.Error{Path: path, Row: f.row, Column: f.column, Err: fmt.Errorf(format, args...)}
}

// labelPath returns the file that has the labels.
func (in *reader) labelPath() string {
	if in.joined != nil {
		return in.request.Labels
	}
	return in.request.Samples
}

// keep leaves out all samples for which it does not return true.
func (in *reader) keep(kept func(i int) bool) {
	d, n := in.data, 0
	for i := range d.x {
		if kept(i) {
			d.x[n], d.ids[n], in.labels[n], in.splits[n] = d.x[i], d.ids[i], in.labels[i], in.splits[i]
			in.gaps[n], in.patients[n] = in.gaps[i], in.patients[i]
			n++
		}
	}
	d.x, d.ids, in.labels, in.splits, in.gaps = d.x[:n], d.ids[:n], in.labels[:n], in.splits[:n], in.gaps[:n]
	in.patients = in.patients[:n]
}

// sort orders the samples by their ids, or by their values if the file has none, so that what is
// drawn does not depend on the order of rows.
func (in *reader) sort() {
	d := in.data
	order := make([]int, len(d.x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if in.ids.column >= 0 {
			return cmp.Compare(d.ids[a], d.ids[b])
		}
		return cmp.Or(slices.Compare(d.x[a], d.x[b]), cmp.Compare(d.y[a], d.y[b]), cmp.Compare(in.patients[a].text,
			in.patients[b].text))
	})
	x, y, ids := make([][]float64, len(order)), make([]float64, len(order)), make([]string, len(order))
	patients := slices.Clone(d.patients)
	for k, i := range order {
		x[k], y[k], ids[k] = d.x[i], d.y[i], d.ids[i]
		if patients != nil {
			patients[k] = d.patients[i]
		}
	}
	d.x, d.y, d.ids, d.patients = x, y, ids, patients
}

// dateName is how a spreadsheet writes the genes MARCH1, SEPT2 and DEC1.
var dateName = regexp.MustCompile(`(?i)^([0-9]{1,2}-(mar|sep|dec|oct|apr)|(mar|sep|dec|oct|apr)-[0-9]{1,2})$`)

// note tells what a user should know about the samples.
func (in *reader) note(notes *notes) {
	var dates, constant []string
	for j, name := range in.data.names {
		if dateName.MatchString(name) {
			dates = append(dates, name)
		}
		varies := func(x []float64) bool { return x[j] == x[j] && x[j] != in.data.x[0][j] }
		if !slices.ContainsFunc(in.data.x, varies) {
			constant = append(constant, name)
		}
	}
	if len(dates) > 0 {
		notes.add("%s named like dates, as a spreadsheet makes them of genes such as MARCH1: %s",
			plain.Are(len(dates), "feature"), tabular.Some(dates))
	}
	if len(constant) > 0 && !in.request.Standardise {
		notes.add("%s constant, which tells nothing: %s", plain.Are(len(constant), "feature"), tabular.Some(constant))
	}
}

// describe says what the file was understood to hold.
func (in *reader) describe() string {
	r := in.request
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s of %s", r.Samples, plain.Count(len(in.data.x), "sample"),
		plain.Count(len(in.data.names), "feature"))
	if n := len(slices.Compact(slices.Sorted(slices.Values(in.data.patients)))); n > 0 {
		fmt.Fprintf(&b, ", of %s by column %q", plain.Count(n, "patient"), r.Patient)
	}
	if in.ids.column >= 0 && in.table.Columns()[in.ids.column] != "" {
		fmt.Fprintf(&b, ", ids by column %q", in.table.Columns()[in.ids.column])
	} else if in.ids.column >= 0 {
		b.WriteString(", ids by the names of its rows")
	} else {
		b.WriteString(", numbered as they stand there")
	}
	if in.index {
		b.WriteString("; the first column, an index, is left out")
	}
	switch {
	case in.joined != nil:
		fmt.Fprintf(&b, "; labels by column %q of %s", in.joined.column, r.Labels)
	default:
		fmt.Fprintf(&b, "; labels by column %q", r.Label)
	}
	return b.String()
}
