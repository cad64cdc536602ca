package sampletable

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"unicode/utf8"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/samples"
	"graphda/jobs/own/coding"
	"graphda/jobs/userinput"
)

// covariates returns the user's covariates, then the columns of weights and strata.
func (r *Table) covariates() (all []samples.Covariate) {
	for _, name := range coding.Listed(r.Covariates, r.head) {
		all = append(all, samples.Covariate{Name: name})
	}
	for _, name := range coding.Listed(r.Batches, r.head) {
		all = append(all, samples.Covariate{Name: name, Batch: true})
	}
	if r.Weight != "" {
		all = append(all, samples.Covariate{Name: r.Weight, Weight: true})
	}
	if r.Strata != "" {
		all = append(all, samples.Covariate{Name: r.Strata, Strata: true})
	}
	return all
}

// open reads the column names of both files. It refuses a covariate that has another role too.
func (r *Table) open(t *dataframe.Table) error {
	r.head = t.Columns()
	if labels, err := dataframe.Open(r.Labels, dataframe.Options{Force: r.Force}); err == nil { // fails without a path
		r.head = slices.Concat(r.head, labels.Columns())
		labels.Close()
	}
	path, theirs := cmp.Or(r.Labels, r.Samples), r.head
	if r.Labels != "" {
		theirs = r.head[len(t.Columns()):]
	}
	switch {
	case r.Task == Survival && r.Label == "":
		return userinput.Errorf(`time = "": want the column of times; the columns of %s are %s`, path,
			dataframe.Columns(theirs))
	case r.Task == Survival && r.Event == "":
		return userinput.Errorf(`event = "": want the column that says whether there was an event%s`, r.twoValued(path))
	}
	var errs refusals
	for i, c := range r.covariates() {
		flag, taken := c.Flag(), []string{r.Label, r.ID, r.Patient, SplitColumn}
		errs.add(c.Name == "" || slices.Contains(taken, c.Name), "%s = %q is also the label, the id, the patient or the "+
			"split; want a different column", flag, c.Name)
		errs.add(c.Name == r.Event && r.Task == Survival, "%s = %q is also the event; want a different column",
			flag, c.Name)
		errs.add(slices.Contains(r.Drop, c.Name), "drop = %q is also --%s; name the column in only one of them", c.Name,
			flag)
		errs.add(slices.ContainsFunc(r.covariates()[:i], func(other samples.Covariate) bool { return other.Name == c.Name }),
			"%s = %q is named twice", flag, c.Name)
	}
	if errs != nil {
		return &userinput.Error{Err: errors.Join(errs...)}
	}
	return nil
}

func (r *Table) twoValued(path string) string {
	o := dataframe.Options{}
	if path == r.Samples {
		o = r.Text
	}
	o.Force = r.Force
	return coding.TwoValued(path, o)
}

// outcomes lists columns that may be labels of two classes, for files with many columns.
func (r *Table) outcomes(path string, head []string) string {
	if len(head) <= 12 || r.Task != Classification {
		return ""
	}
	return r.twoValued(path)
}

func (r *Table) nowhere() []int {
	return slices.Repeat([]int{-1}, roles+len(r.covariates()))
}

// samplesOfLevel is the smallest mean number of samples per level of a categorical covariate.
const samplesOfLevel = 5

// readCovariates reads the covariates. A covariate with only numbers is numeric, unless it is a batch or a stratum.
func (in *reader) readCovariates() error {
	r, d := in.asked, in.data
	if d.Covariates = r.covariates(); d.Covariates == nil {
		return nil
	}
	d.Told = make([][]string, len(in.told))
	for k := range d.Covariates {
		c, role := &d.Covariates[k], roles+k
		if err := in.checkFile(role, c.Flag(), c.Name); err != nil {
			return err
		}
		path, missing, first := in.path(role), 0, in.told[0][role]
		var problems dataframe.Problems
		numbers, odd := coding.Numbers(in.words(role))
		if c.Number = numbers && !c.Batch && !c.Strata; odd >= 0 && !c.Batch && !c.Strata && !c.Weight && !r.Force {
			f := in.told[odd][role]
			return f.wrong(path, "is %q, but most values are numbers; leave a missing value empty, or add --force if all "+
				"numbers are words", f.text)
		}
		levels := map[string]bool{}
		for i, told := range in.told {
			f := told[role]
			if f.text = c.Value(f.text); f.text == "" {
				missing++
			} else if !utf8.ValidString(f.text) {
				return f.wrong(path, "is %q, which is not UTF-8", f.text)
			}
			if err := c.Check(f.text); (c.Weight || c.Strata) && err != nil {
				problems.Add(path, f.wrong(path, "%w", err))
			}
			levels[f.text], d.Told[i] = true, append(d.Told[i], f.text)
		}
		if err := problems.Err(); err != nil {
			return err
		}
		first.row, first.column = 0, c.Name
		switch n := len(levels); {
		case c.Weight:
			continue
		case n < 2:
			return first.wrong(path, "has the same value for all samples, so there is nothing to adjust for; leave out --%s",
				c.Flag())
		case !c.Number && samplesOfLevel*n > len(in.told) && !r.Force:
			return first.wrong(path, "has %s different words for %s; want at least %d samples of each word on average; "+
				"--force adjusts for it anyway", message.Number(n), message.Count(len(in.told), "sample"), samplesOfLevel)
		case missing > 0:
			in.notes.Add("%s no %q in %s: the model treats them as a group and also adjusts for this group",
				message.Have(missing, "sample"), c.Name, path)
		}
	}
	return nil
}

// weights returns the index of the covariate with weights, or −1, and the samples' weights, or nil.
func (in *reader) weights() (k int, weights []float64) {
	k = slices.IndexFunc(in.asked.covariates(), func(c samples.Covariate) bool { return c.Weight })
	for i := 0; k >= 0 && i < len(in.told); i++ {
		w, err := dataframe.Number(in.told[i][roles+k].text)
		if err != nil {
			w = math.NaN() // readCovariates has refused the text
		}
		weights = append(weights, w)
	}
	return k, weights
}

// leaveWeightless drops samples of weight 0, which must not affect any mean, count, draw or step. It refuses weights
// that differ so much that the small weights would count as 0. It divides very large or very small weights by the
// largest weight.
func (in *reader) leaveWeightless() error {
	k, weights := in.weights()
	n := len(in.told)
	if weights == nil {
		return nil
	}
	top, low := 0, -1 // samples with the largest and with the smallest positive weight
	for i, w := range weights {
		if w > weights[top] {
			top = i
		}
		if w > 0 && (low < 0 || w < weights[low]) {
			low = i
		}
	}
	most := weights[top]
	if low >= 0 && weights[low] < most*1e-100 {
		f, large := in.told[low][roles+k], in.told[top][roles+k]
		return f.wrong(in.path(roles+k), "is %s, which is negligible beside %s in %v; want weights of similar size, or 0 to "+
			"leave a sample out", f.text, large.text, large.row)
	}
	if most > 1e100 || most > 0 && most < 1e-100 { // the square of a weight would be infinite or 0
		for i, w := range weights {
			in.told[i][roles+k].text = dataframe.FormatNumber(w / most)
		}
	}
	in.keep(func(i int) bool { return weights[i] != 0 })
	if left := len(in.told); left == 0 {
		err := errors.New("is 0 for all samples, want a weight above 0")
		return &dataframe.Error{Path: in.path(roles + k), Column: in.asked.Weight, Err: err}
	} else if left < n {
		in.notes.Add("left out %s of weight 0", message.Count(n-left, "sample"))
	}
	return nil
}
