package sampletable

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/probes"
	"graphda/io/samples"
	"graphda/jobs/own/coding"
	"graphda/jobs/userinput"
)

// Data holds the samples of a table in memory.
type Data struct {
	Names      []string
	Probes     probes.Columns // by feature: the merged columns; nil if no columns are merged
	IDs        []string       // by sample
	Named      bool           // whether the ids come from the file; otherwise they are row numbers
	Patients   []string       // by sample; nil if each sample is a patient
	Told       [][]string     // by sample: covariates, with "" for a missing value; nil without covariates
	Covariates []samples.Covariate
	X          [][]float64     // by sample; NaN where a value is missing
	Y          []float64       // by sample: label or number; for task Survival, in the form of samples.Survival
	Times      bool            // Y holds event times
	Split      []samples.Split // by sample; nil if the files have no splits
	Row        []int           // by sample: row in the file; nil if the samples are in the file's order
	Positive   string          // name of the class +1 or of an event; "" for numbers
	Negative   string          // name of the class −1 or of a censored time; "" for numbers
	Read       string          // what Read has read, in a sentence
}

// A reader reads samples and collects errors about them.
type reader struct {
	*layout
	asked    *Table
	table    *dataframe.Table
	data     *Data
	told     [][]field       // by sample, then role
	joined   *labelFile      // the file of labels; nil if the samples' file has the labels
	faults   []columnFault   // by feature
	gaps     []field         // by sample: its first missing value, if any
	dropped  map[string]bool // names of the rows that --drop removed from a transposed table
	problems dataframe.Problems
	notes    *Notes
}

// A columnFault holds the first wrong value of a column, and counts the wrong values.
type columnFault struct {
	first error
	count int
}

// Read reads the samples. If no file assigns splits, it sorts the samples by ids or, without ids, by values.
func (r *Table) Read(ctx context.Context, notes *Notes) (*Data, error) {
	o := r.Text
	o.Force, o.Words = r.Force, []string{r.Patient}
	o.Unended = func(err error) error { notes.Add("%v", err); return nil }
	t, err := dataframe.Open(r.Samples, o)
	if err != nil {
		return nil, Asked(err)
	}
	defer t.Close()
	in := &reader{asked: r, table: t, data: &Data{}, dropped: map[string]bool{}, notes: notes}
	if err = r.open(t); err == nil && r.Labels != "" {
		in.joined, err = r.readLabels()
	}
	if err != nil {
		return nil, err
	}
	if in.layout, err = r.layout(t, &in.problems); err != nil {
		return nil, err
	}
	in.data.Names, in.faults = in.names, make([]columnFault, len(in.names))
	if err := in.rows(ctx); err != nil {
		return nil, err
	}
	if err := in.finish(); err != nil {
		return nil, err
	}
	in.data.Read = in.describe()
	return in.data, nil
}

func (in *reader) rows(ctx context.Context) error {
	t := in.table
	for first := true; t.Next(); first = false {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if first && in.features[0] == 0 && len(in.features) > 1 && in.ids.guess(t) {
			in.features, in.names, in.faults = in.features[1:], in.names[1:], in.faults[1:]
			in.index, in.data.Names = append(in.index, t.Columns()[0]), in.names
		}
		if first && in.joined != nil && len(in.ids.columns) == 0 {
			return noIDs(in.asked.Samples, in.asked.Labels)
		}
		if in.asked.Text.Transpose && slices.Contains(in.asked.Drop, t.Text(0)) {
			in.dropped[t.Text(0)] = true
			continue
		}
		in.ids.add(t)
		in.addValues()
		in.told = append(in.told, fields(t, in.layout.told))
	}
	if err := t.Err(); err != nil {
		return err
	}
	if len(in.data.X) == 0 {
		return t.Wrong(-1, "has no rows, want one for each sample")
	}
	return in.asked.checkDrop(t, in.dropped)
}

func (in *reader) addValues() {
	t := in.table
	x, gap := make([]float64, len(in.features)), field{}
	for j, i := range in.features {
		var err error
		if x[j], err = t.Feature(i); err == nil {
			continue
		}
		if text := t.Text(i); dataframe.IsMissing(text) {
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
			in.problems.Add(in.asked.Samples, t.Wrong(-1, "column %d has no name; want a name in the first row", i+1))
			in.unnamed = slices.DeleteFunc(in.unnamed, func(k int) bool { return k == i })
			break
		}
	}
	in.data.X, in.gaps = append(in.data.X, x), append(in.gaps, gap)
}

// identify finds the samples' ids, and joins the samples with the labels' file.
func (in *reader) identify() error {
	d := in.data
	if in.joined != nil {
		if err := in.ids.join(in.joined.ids); err != nil {
			return err
		}
	}
	in.ids.check(&in.problems, in.notes)
	d.IDs, d.Named = in.ids.list(), in.ids.named()
	if err := in.problems.Err(); err != nil || in.joined == nil {
		return nil // checkValues reports these problems, together with wrong values
	}
	return in.joined.tell(in.ids, in.told, in.layout.told, in.names, in.notes)
}

func (in *reader) finish() error {
	d := in.data
	for _, step := range []func() error{in.identify, in.checkValues, in.leaveWeightless, in.checkSwapped,
		in.resolveUnlabelled, in.mergeProbes, in.resolveMissing, in.readPatients, in.readCovariates,
		in.readSplits, in.readClasses} {
		if err := step(); err != nil {
			return err
		}
	}
	if d.Split == nil {
		in.sort()
	}
	return nil
}

// checkValues reports all wrong rows and values in one error.
func (in *reader) checkValues() error {
	for j, f := range in.faults {
		if f.count > 0 {
			in.problems.Add(in.asked.Samples, coding.NoFeature(f.first, in.names[j], f.count, len(in.data.X),
				in.asked.Patient != "", len(in.ids.columns) > 0))
		}
	}
	return in.problems.Err()
}

// checkFile returns an error unless exactly one of the two files has the column of the role.
func (in *reader) checkFile(role int, flag, name string) error {
	r, own := in.asked, in.layout.told[role] >= 0
	switch theirs := in.joined != nil && in.joined.columns[role] >= 0; {
	case own && theirs:
		return userinput.Errorf("%s = %q is a column of both %s and %s; want it in only one of them", flag, name, r.Samples,
			r.Labels)
	case !own && !theirs:
		return userinput.Errorf("%s = %q is a column of neither %s nor %s; %w", flag, name, r.Samples, r.Labels,
			&dataframe.NoColumn{Name: name, Path: r.Labels, Columns: r.head[len(in.table.Columns()):]})
	}
	return nil
}

func (in *reader) readPatients() error {
	r, path := in.asked, in.path(thePatient)
	if r.Patient == "" {
		return nil
	}
	if err := in.checkFile(thePatient, "patient", r.Patient); err != nil {
		return err
	}
	var problems dataframe.Problems
	for _, told := range in.told {
		switch f := told[thePatient]; {
		case dataframe.IsMissing(f.text):
			problems.Add(path, f.wrong(path, "is %q, want the sample's patient", f.text))
		case !utf8.ValidString(f.text):
			problems.Add(path, f.wrong(path, "is %q, which is not UTF-8", f.text))
		}
		in.data.Patients = append(in.data.Patients, told[thePatient].text)
	}
	return problems.Err()
}

func (in *reader) readSplits() error {
	if in.layout.told[theSplit] < 0 && (in.joined == nil || in.joined.columns[theSplit] < 0) {
		return nil
	}
	path := in.path(theSplit)
	var problems dataframe.Problems
	first := map[string]int{} // by patient: index of the patient's first sample
	for i, told := range in.told {
		f, s := told[theSplit], samples.Train
		for s <= samples.Test && f.text != s.String() {
			s++
		}
		if s > samples.Test {
			problems.Add(path, f.wrong(path, "is %q, want train, valid or test", f.text))
		}
		in.data.Split = append(in.data.Split, s)
		if in.data.Patients == nil {
			continue
		}
		patient := in.data.Patients[i]
		if k, again := first[patient]; !again {
			first[patient] = i
		} else if in.data.Split[k] != s {
			problems.Add(path, f.wrong(path, "is %q for patient %q, but %q in %v; all samples of a patient must be in one split",
				f.text, patient, in.told[k][theSplit].text, in.told[k][theSplit].row))
		}
	}
	if err := problems.Err(); err != nil {
		return err
	}
	for s := samples.Train; s <= samples.Test; s++ {
		if !slices.Contains(in.data.Split, s) {
			err := fmt.Errorf("no row is %q; train, valid and test each need at least one row", s)
			return &dataframe.Error{Path: path, Column: SplitColumn, Err: err}
		}
	}
	return nil
}

func (f field) wrong(path, format string, args ...any) error {
	return &dataframe.Error{Path: path, Row: f.row, Column: f.column, Err: fmt.Errorf(format, args...)}
}

func (in *reader) path(role int) string {
	if in.layout.told[role] < 0 && in.joined != nil {
		return in.asked.Labels
	}
	return in.asked.Samples
}

// keep removes each sample i for which kept(i) is false.
func (in *reader) keep(kept func(i int) bool) {
	d, n := in.data, 0
	for i := range d.X {
		if kept(i) {
			d.X[n], d.IDs[n], in.told[n], in.gaps[n] = d.X[i], d.IDs[i], in.told[i], in.gaps[i]
			n++
		}
	}
	d.X, d.IDs, in.told, in.gaps = d.X[:n], d.IDs[:n], in.told[:n], in.gaps[:n]
}

// sort sorts the samples by ids or, without ids, by values. So random draws do not depend on the order of rows, the
// positive class, or the unit of times.
func (in *reader) sort() {
	d := in.data
	order := make([]int, len(d.X))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if d.Named {
			return cmp.Compare(d.IDs[a], d.IDs[b])
		}
		label, other := in.told[a][theLabel].text, in.told[b][theLabel].text
		return cmp.Or(slices.Compare(d.X[a], d.X[b]), cmp.Compare(math.Abs(d.Y[a]), math.Abs(d.Y[b])),
			cmp.Compare(label, other), cmp.Compare(in.told[a][thePatient].text, in.told[b][thePatient].text))
	})
	x, y, ids := make([][]float64, len(order)), make([]float64, len(order)), make([]string, len(order))
	patients, told := slices.Clone(d.Patients), slices.Clone(d.Told)
	for k, i := range order {
		x[k], y[k], ids[k] = d.X[i], d.Y[i], d.IDs[i]
		if patients != nil {
			patients[k] = d.Patients[i]
		}
		if told != nil {
			told[k] = d.Told[i]
		}
	}
	d.X, d.Y, d.IDs, d.Patients, d.Told, d.Row = x, y, ids, patients, told, order
}

func (in *reader) describe() string {
	r := in.asked
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s of %s", r.Samples, message.Count(len(in.data.X), "sample"),
		message.Count(len(in.data.Names), "feature"))
	if n := len(slices.Compact(slices.Sorted(slices.Values(in.data.Patients)))); n > 0 {
		fmt.Fprintf(&b, ", of %s by column %q", message.Count(n, "patient"), r.Patient)
	}
	if in.data.Named {
		fmt.Fprintf(&b, ", ids by %s", in.ids.column())
	} else {
		b.WriteString(", numbered in the order of the file")
	}
	if adjusting := samples.Adjusting(in.data.Covariates); len(adjusting) > 0 {
		fmt.Fprintf(&b, "; adjusted for %s", samples.NewDesign(adjusting, nil, nil).Names())
	}
	if r.Weight != "" {
		fmt.Fprintf(&b, "; weights by column %q", r.Weight)
	}
	if r.Strata != "" {
		fmt.Fprintf(&b, "; strata by column %q", r.Strata)
	}
	for k, name := range in.index {
		if in.data.Named && name == in.ids.columns[in.ids.at].Name {
			continue
		} else if k == 0 && name == in.table.Columns()[0] {
			b.WriteString("; the first column, an index, is left out")
		} else {
			fmt.Fprintf(&b, "; column %q, an index, is left out", name)
		}
	}
	what, where := "labels", ""
	if r.Task == Survival {
		what = fmt.Sprintf("events by column %q; times", r.Event)
	}
	if in.joined != nil {
		where = " of " + r.Labels
		if theirs := in.joined.ids; len(theirs.columns) > 1 {
			where += ", with ids by " + theirs.column()
		}
	}
	fmt.Fprintf(&b, "; %s by column %q%s", what, in.labelColumn(), where)
	return b.String()
}
