package reports

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"graphda/jobs/experiment"
	"graphda/jobs/merge"
)

// The page on experiment files has every key, every kind of report with what it must and may have,
// and every measure.
func TestExperimentsPage(t *testing.T) {
	data := must1(os.ReadFile("../../docs/experiments.md"))
	page := string(data)
	row := func(name string) []string {
		_, rest, found := strings.Cut(page, "\n| `"+name+"` |")
		if !found {
			t.Errorf("docs/experiments.md has no row of %s", name)
		}
		line, _, _ := strings.Cut(rest, "\n")
		return strings.Split(line, "|")
	}
	for _, of := range []reflect.Type{reflect.TypeFor[experiment.Experiment](), reflect.TypeFor[experiment.Report]()} {
		for i := range of.NumField() {
			key := of.Field(i).Tag.Get("yaml")
			if key != "-" && key != "kind" {
				row(key)
			}
		}
	}
	quoted := func(keys []string) string {
		if len(keys) == 0 {
			return ""
		}
		return "`" + strings.Join(keys, "`, `") + "`"
	}
	for _, k := range kinds {
		cells := row("kind: " + k.Name)
		if len(cells) < 3 || strings.TrimSpace(cells[1]) != quoted(k.Needs) || strings.TrimSpace(cells[2]) != quoted(k.Takes) {
			t.Errorf("the row of kind %s is %q, want %s and %s", k.Name, cells, quoted(k.Needs), quoted(k.Takes))
		}
	}
	for _, m := range merge.MeasureNames() {
		if !strings.Contains(page, "`"+m+"`") {
			t.Errorf("docs/experiments.md does not name measure %s", m)
		}
	}
}
