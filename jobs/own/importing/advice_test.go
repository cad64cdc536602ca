package importing

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"graphda/jobs/own/sampletable"
)

// adviceTables are 20 samples of four features as rows and as columns, with labels in both and in a file of their own.
func adviceTables(t *testing.T, id string) {
	t.Helper()
	t.Chdir(t.TempDir())
	rows, labels := "id,y,a,b,c,d\n", "id,group,days,died,grade,odd\n"
	columns := []string{"gene", "y", "a", "b", "c", "d"}
	for i := range 20 {
		name, values := fmt.Sprintf(id, 10+i), []int{i % 2, i, i * i % 7, 20 - i, i * i % 11}
		row := name
		columns[0] += "," + name
		for j, v := range values {
			row += fmt.Sprint(",", v)
			columns[j+1] += fmt.Sprint(",", v)
		}
		rows += row + "\n"
		labels += fmt.Sprintf("%s,%s,%d,%d,%d,NA\n", name, []string{"Her2", "LumA", "Basal"}[i%3], 100+i, i%2, i%3)
	}
	write(t, "rows.csv", rows)
	write(t, "alone.csv", strings.NewReplacer("id,y,", "id,", ",0,", ",", ",1,", ",").Replace(rows))
	write(t, "columns.csv", joined(columns))
	write(t, "labels.csv", labels)
	write(t, "edges.csv", "source,target\na,b\nb,c\nc,d\n")
}

// Messages advise what helps, and never what would join wrong labels, or the flag that is the mistake.
func TestAdvice(t *testing.T) {
	labelled := func(r *Request) {
		r.Samples, r.Labels, r.Label, r.Drop = "rows.csv", "labels.csv", "died", []string{"y"}
	}
	times := func(time, event string) func(*Request) {
		return func(r *Request) {
			labelled(r)
			r.Task, r.Label, r.Event = sampletable.Survival, time, event
		}
	}
	for name, c := range map[string]struct {
		change func(*Request)
		want   string
		not    string
	}{
		"transposed by mistake, labels apart": {func(r *Request) { labelled(r); r.Text.Transpose, r.Drop = true, nil }, "Its ids are names of rows of that file: leave out --transpose", ": --transpose"},
		"transposed by mistake":               {func(r *Request) { r.Text.Transpose = true }, "the file itself has this column: leave out --transpose", "genes"},
		"not transposed, labels apart": {func(r *Request) { labelled(r); r.Samples, r.Drop = "columns.csv", nil },
			"Its ids are names of columns of that file: add --transpose", "leave out"},
		"not transposed": {func(r *Request) { r.Samples = "columns.csv" }, "if rows are genes and columns are samples, add --transpose", "leave out"},
		"transposed by mistake, a value that is no number": {func(r *Request) {
			write(t, "rows.csv", "id,a,b,c,y\nP1,1,x,3,0\nP2,1,2,3,1\n")
			r.Label, r.Text.Transpose = "P1", true
		}, "the samples' columns have names of nodes: leave out --transpose", "are features"},
		"swapped":         {times("died", "days"), `time = "died" has only the values 0, 1, and event = "days" has 100, 101`, "positive"},
		"swapped, advice": {times("died", "days"), `if the columns were swapped, use --time days --event died`, "positive"},
		"not swapped":     {times("days", "grade"), `column "grade" of labels.csv has the values 0, 1, 2; --positive says which`, "swapped"},
		"no event":        {times("days", ""), `event = "": want the column that says whether there was an event; columns of labels.csv with two values: died`, "samples"},
		"no time":         {times("", "died"), `time = "": want the column of times; the columns of labels.csv are id, group, days, died, grade, odd`, "two values"},
		"no such event":   {times("days", "dead"), "the columns of labels.csv are id, group, days, died, grade, odd", "swapped"},
		"another class":   {func(r *Request) { labelled(r); r.Label, r.Positive, r.Rest = "group", "HER2", true }, `has "Her2", "LumA", "Basal" (did you mean "Her2"?)`, ""},
		"in capitals":     {func(r *Request) { labelled(r); r.Label, r.Positive, r.Rest = "group", "LUMA", true }, `(did you mean "LumA"?)`, ""},
		"no class at all": {func(r *Request) { labelled(r); r.Label, r.Positive, r.Rest = "group", "zebra", true }, `has "Her2", "LumA", "Basal"`, "did you mean"},
		"another cohort": {func(r *Request) {
			labelled(r)
			write(t, "labels.csv", strings.ReplaceAll(read(t, "labels.csv"), "NKI_", "VDX_"))
		},
			`Perhaps they belong to other samples, such as another cohort, because only a part of each name agrees ("NKI_10" and "VDX_10"`, "prefix"},
		"a prefix": {func(r *Request) {
			labelled(r)
			write(t, "labels.csv", strings.ReplaceAll(read(t, "labels.csv"), "NKI_", ""))
		},
			`they differ in a prefix that ends with a sign such as : ("NKI_10" and "10"`, "other samples"},
		"other ids altogether": {func(r *Request) {
			labelled(r)
			write(t, "labels.csv", strings.ReplaceAll(read(t, "labels.csv"), "NKI_", "700"))
		}, "has labels for 0 of the 20 samples", "systems"},
		"no ids": {func(r *Request) { labelled(r); r.Drop = nil; write(t, "rows.csv", "a,b,c\n1,2,3\n4,5,7\n") },
			"If there is none, put the labels into a column of the samples' file and leave out --labels", ""},
		"a label among many columns": {func(r *Request) {
			labelled(r)
			write(t, "labels.csv", "id,"+strings.Repeat("x,", 60)+"relapse\n"+manyColumns)
			r.Label = "relapsed"
		}, "and 50 more; columns of labels.csv with two values: relapse", ""},
		"a label among a dozen and a few": {func(r *Request) {
			labelled(r)
			write(t, "labels.csv", "id,"+strings.Repeat("x,", 18)+"relapse\nP,"+strings.Repeat("1,", 18)+"0\n")
			r.Label = "status"
		}, "x, x, relapse", "more"},
	} {
		t.Run(name, func(t *testing.T) {
			adviceTables(t, "NKI_%d")
			r := tableRequest()
			r.Samples, r.Edges.Path, r.Drop = "rows.csv", "edges.csv", nil
			c.change(&r)
			_, err := Import(context.Background(), r, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.not != "" && strings.Contains(err.Error(), c.not) {
				t.Errorf("%v, want %s without %q", err, c.want, c.not)
			}
		})
	}
}

var manyColumns = "P1," + strings.Repeat("1,", 60) + "no\nP2," + strings.Repeat("1,", 60) + "yes\n"

// Where most nodes are features, the others are of the same system, whatever they look like. Connectors are counted in
// the largest part and in all.
func TestNotesOfMatchedNetwork(t *testing.T) {
	adviceTables(t, "S%d")
	samples := strings.NewReplacer("id,y,a,b,c,d\n", "id,y,7,8,9,10\n").Replace(read(t, "rows.csv"))
	write(t, "rows.csv", samples)
	for _, test := range []struct{ edges, want, not string }{
		{"7,8\n8,9\n9,10\nhsa-miR-21,7\n", "hsa-miR-21", "systems"},
		{"7,8\n8,9\n9,10\nx7,7\n", "x7", "systems"},
	} {
		write(t, "edges.csv", "source,target\n"+test.edges)
		r := tableRequest()
		r.Samples, r.Edges.Path, r.Out = "rows.csv", "edges.csv", "data/m"
		notes := strings.Join(run(t, r).Notes, "\n")
		if !strings.Contains(notes, test.want) || strings.Contains(notes, test.not) {
			t.Errorf("%s, want %s without %s", notes, test.want, test.not)
		}
	}
	write(t, "edges.csv", "source,target\n7,x\nx,8\nx,9\n9,y\n10,z\nz,10\nw,10\nw,11\n")
	write(t, "rows.csv", strings.Replace(samples, "id,y,7,8,9,10\n", "id,11,7,8,9,10\n", 1))
	r := tableRequest()
	r.Samples, r.Label, r.Labels, r.Edges.Path, r.Out, r.Connectors = "rows.csv", "died", "labels.csv", "edges.csv", "data/c", true
	r.MinMatched = 0.1
	if got := run(t, r); got.Largest != 3 || got.Joining != 1 || got.Connectors != 2 {
		t.Errorf("%d features in the largest part, joined by %d of %d connectors", got.Largest, got.Joining, got.Connectors)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}
