package main

import (
	"encoding/csv"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/jobs"
	"graphda/jobs/paper"
)

func TestExperiments(t *testing.T) {
	catalog, err := jobs.Catalog()
	must(t, err)

	var names []string
	for _, line := range strings.Split(ok(t, "experiments").stdout, "\n") {
		if line != "" && line[0] != ' ' {
			names = append(names, strings.Fields(line)[0])
		}
	}
	if !slices.Equal(names, paper.Names()) {
		t.Errorf("text lists %v, want %v", names, paper.Names())
	}
	if o := ok(t, "experiments", "--format", "names"); o.stdout != strings.Join(paper.Names(), "\n")+"\n" {
		t.Errorf("names are %q", o.stdout)
	}

	var entries []jobs.CatalogEntry
	must(t, json.Unmarshal([]byte(ok(t, "experiments", "--format", "json").stdout), &entries))
	if !reflect.DeepEqual(entries, catalog) {
		t.Errorf("json holds\n%+v\nwant\n%+v", entries, catalog)
	}

	rows, err := csv.NewReader(strings.NewReader(ok(t, "experiments", "--format", "csv").stdout)).ReadAll()
	must(t, err)
	var want [][]string
	for _, e := range catalog {
		for _, scale := range []string{"full", "quick"} {
			want = append(want, []string{e.Name, scale, strconv.Itoa(e.Scales[scale].Cells)})
		}
	}
	for i, row := range rows[1:] {
		if i >= len(want) || row[0] != want[i][0] || row[2] != want[i][1] || row[5] != want[i][2] {
			t.Errorf("row %d is %q", i, row)
		}
	}
	if len(rows) != 1+len(want) || !slices.Equal(rows[0], strings.Split("experiment,title,scale,datasets,trials,cells,reports,raw", ",")) {
		t.Errorf("%d rows below %q, want %d", len(rows)-1, rows[0], len(want))
	}
	refused(t, command.Usage, []string{"experiments", "--format", "xml"}, `"xml"`, "json, csv")
	refused(t, command.Usage, []string{"experiments", "table1"}, `"table1"`)
}

// What the list says of one experiment.
func TestExperimentsInFull(t *testing.T) {
	_, text, _ := strings.Cut("\n"+ok(t, "experiments").stdout, "\nfigure8 ")
	entry, _, _ := strings.Cut(text, "\nfigure9 ")
	for _, want := range []string{
		"full   471,240 cells: 9 datasets of 20 trials", "quick  1,224 cells: 9 datasets of 2 trials",
		"gives  figure8 (checkpoints); also from runs of mnist", "gives  figure8-models (models)", "needs  the files of mnist (--raw)",
	} {
		if !strings.Contains(entry, want) {
			t.Errorf("figure8 does not say %q:\n%s", want, entry)
		}
	}
}
