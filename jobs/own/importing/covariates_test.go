package importing

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"graphda/io/samples"
)

// covariatesRequest writes 30 samples and returns the request. For example, P07 has age 30.5, sex f and site 1. The
// ages are in the samples' file, and the other covariates in the labels' file. Every tenth age is missing.
func covariatesRequest(t *testing.T) Request {
	t.Helper()
	t.Chdir(t.TempDir())
	table, labels := "id;age;a;b\n", "id,status,sex,site\n"
	for i := range 30 {
		age := fmt.Sprintf("%d,5", 23+i)
		if i%10 == 9 {
			age = "NA"
		}
		k := 7 * i % 30
		table += fmt.Sprintf("P%02d;%s;%d,25;%d\n", i, age, i, i*i)
		labels += fmt.Sprintf("P%02d,%d,%s,%d.0\n", k, k%2, []string{"f", "m"}[k/2%2], k/3%3)
	}
	write(t, "samples.csv", table)
	write(t, "labels.csv", labels)
	write(t, "edges.csv", "source,target\na,b\n")
	r := patientsRequest()
	r.Samples, r.Labels, r.Label, r.Patient = "samples.csv", "labels.csv", "status", ""
	r.Covariates, r.Batches = []string{"age", "sex"}, []string{"site"}
	return r
}

// Each sample keeps its covariates through joining, sorting and drawing. Covariates are not features. The splits are
// the same as without covariates, and datasets without covariates have no trace of them.
func TestCovariates(t *testing.T) {
	r := covariatesRequest(t)
	result := run(t, r)
	if !strings.Contains(result.Read[0], "30 samples of 2 features") || !strings.Contains(result.Read[0], "adjusted for age, sex and batch site") ||
		!slices.ContainsFunc(result.Notes, func(s string) bool { return strings.Contains(s, `3 samples have no "age" in samples.csv`) }) {
		t.Errorf("%q, %q", result.Read, result.Notes)
	}
	got := load(t, "data/mine", 2)
	want := []samples.Covariate{{Name: "age", Number: true}, {Name: "sex"}, {Name: "site", Batch: true}}
	if !slices.Equal(got.Covariates, want) || !slices.Equal(got.Features.Names, []string{"a", "b"}) {
		t.Errorf("%+v, features %q", got.Covariates, got.Features.Names)
	}
	for _, b := range []samples.Block{got.Train, got.Valid, got.Test} {
		for i, id := range b.IDs {
			var k int
			must1(fmt.Sscanf(id, "P%d", &k))
			age := fmt.Sprintf("%d.5", 23+k)
			if k%10 == 9 {
				age = ""
			}
			if own := []string{age, []string{"f", "m"}[k/2%2], fmt.Sprint(k / 3 % 3)}; !slices.Equal(b.Covariates[i], own) {
				t.Errorf("%s: %q, want %q", id, b.Covariates[i], own)
			}
		}
	}
	r.Covariates, r.Batches, r.Drop, r.Out = nil, nil, []string{"age"}, "other/mine"
	run(t, r)
	plain := load(t, "other/mine", 2)
	if !slices.Equal(plain.Train.IDs, got.Train.IDs) || !slices.Equal(plain.Train.X, got.Train.X) || plain.Train.Covariates != nil {
		t.Errorf("without covariates: %q, %q", plain.Train.IDs, plain.Train.Covariates)
	}
	told := maps.Clone(got.Metadata)
	delete(told, samples.CovariatesKey)
	if !maps.Equal(told, plain.Metadata) {
		t.Errorf("metadata %v, without covariates %v", got.Metadata, plain.Metadata)
	}
}

// Among words, none and true are levels, and a missing word is a level too. Among numbers, none is a missing value.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		texts [3]string
		want  string
	}{
		{[3]string{"None", "Daily", "NA"}, "words: None Daily "}, {[3]string{"TRUE", "False", "true"}, "words: true false true"},
		{[3]string{"none", "1", "2.0"}, "numbers:  1 2"}, {[3]string{"1.0", "2", "x"}, "words: 1 2 x"},
		{[3]string{"", "n/a", "b"}, "words:   b"},
	} {
		r := covariatesRequest(t)
		table := "id,age,a,b\n"
		for i := range 30 {
			table += fmt.Sprintf("P%02d,%s,%d,%d\n", i, c.texts[i/10], i, i*i)
		}
		write(t, "samples.csv", table)
		run(t, r)
		got := load(t, "data/mine", 2)
		levels := map[int]string{}
		for i, id := range got.Train.IDs {
			var k int
			must1(fmt.Sscanf(id, "P%d", &k))
			levels[k/10] = got.Train.Covariates[i][0]
		}
		kind := map[bool]string{true: "numbers", false: "words"}[got.Covariates[0].Number]
		if text := kind + ": " + levels[0] + " " + levels[1] + " " + levels[2]; text != c.want {
			t.Errorf("%q: %q, want %q", c.texts, text, c.want)
		}
	}
}

// A word in a column of numbers is refused with its place. It does not turn the numbers into levels.
func TestWordsAmongNumbers(t *testing.T) {
	for _, c := range []struct {
		age   func(i int) string
		batch bool
		force bool
		want  string // error; "" for none
	}{
		{func(i int) string { return []string{"unknown", "61", "62.5"}[min(i, 1)] }, false, false, ""},
		{func(i int) string { return fmt.Sprint(30 + i%6) }, false, false, ""},
		{func(i int) string { return []string{">89", fmt.Sprint(30 + i%6)}[min(i%29, 1)] }, false, false, `samples.csv: line 2, column "age": is ">89", but most values are numbers; leave a missing value empty`},
		{func(i int) string { return []string{fmt.Sprint(i % 8), "x y"}[i/26] }, false, false, `line 28, column "age": is "x y"`},
		{func(i int) string { return []string{fmt.Sprint(i % 8), "NA"}[i/26] }, false, false, ""},
		{func(i int) string { return []string{fmt.Sprint(i % 8), "x"}[i/26] }, false, true, ""},
		{func(i int) string { return []string{fmt.Sprint(i % 5), "x"}[i/26] }, true, false, ""},
		{func(i int) string { return []string{fmt.Sprint(1 + i%4), "4a"}[i/26] }, false, false, ""},
	} {
		r := covariatesRequest(t)
		table := "id,age,a,b\n"
		for i := range 30 {
			table += fmt.Sprintf("P%02d,%s,%d,%d\n", i, c.age(i), i, i*i)
		}
		write(t, "samples.csv", table)
		if r.Force = c.force; c.batch {
			r.Covariates, r.Batches = []string{"sex"}, []string{"age"}
		}
		_, err := Import(t.Context(), r, nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
