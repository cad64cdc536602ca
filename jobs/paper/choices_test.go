package paper

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A quick form can choose what the full one chooses most often: of what ties, at least one.
func TestQuickHasTheChoicesOfFull(t *testing.T) {
	file, err := os.Open("testdata/choices.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	records, err := reader.ReadAll()
	if err != nil || len(records) < 150 {
		t.Fatalf("%d choices, %v", len(records), err)
	}
	forms := map[string][]string{"benchmark": {"benchmark"}, "kegg": {"kegg"}, "mnist": {"mnist", "figure8"}}
	quick := map[string][]yaml.Node{}
	for _, name := range slices.Concat(forms["benchmark"], forms["kegg"], forms["mnist"]) {
		quick[name] = parse(t, name).Quick.Methods
	}
	found := map[string]bool{} // by what was chosen for
	for _, r := range records[1:] {
		method, setting := r[4], r[8]
		for _, name := range forms[r[0]] {
			key := name + ": " + strings.Join(r[1:6], " ")
			found[key] = found[key] || slices.ContainsFunc(quick[name], func(m yaml.Node) bool {
				return has(t, m, method, setting)
			})
		}
	}
	for key, there := range found {
		if !there {
			t.Errorf("%s: nothing that the full grid chooses most often is in the quick form", key)
		}
	}
}

// has tells whether an item of the methods has a setting, "gamma=100 s=26".
func has(t *testing.T, m yaml.Node, method, setting string) bool {
	name, params, values := grid(t, m)
	if name != method {
		return false
	}
	for _, s := range strings.Fields(setting) {
		param, text, _ := strings.Cut(s, "=")
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.Index(params, param); i < 0 || !slices.Contains(values[i], v) {
			return false
		}
	}
	return true
}
