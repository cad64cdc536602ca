package explaining

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/tabular"
)

// Other columns of a table go with the selected features; a second row, a name that is taken and no name are refused.
func TestAnnotate(t *testing.T) {
	dir := t.TempDir()
	annotate := func(text string) (*Subgraph, int, error) {
		s := must1(Select(example(t, "l1-rda")))
		path := filepath.Join(dir, "annotation.csv")
		must(t, os.WriteFile(path, []byte(text), 0o666))
		without, err := s.Annotate(path, tabular.Options{})
		return s, without, err
	}
	s, without, err := annotate("\"full <name>\",gene,entrez\nalpha,a,07\nnone,zz,1\nno <d>,\"d<&\"\"\",8\n")
	if err != nil || without != 3 {
		t.Fatal(without, err)
	}
	var files [2]strings.Builder
	for _, f := range s.Files() {
		if k := slices.Index([]string{"nodes.tsv", "subgraph.graphml"}, f.Name); k >= 0 {
			must(t, f.Fill(&files[k]))
		}
	}
	for _, want := range []string{"odds_ratio\tfull <name>\tentrez\n", "\talpha\t07\n", "\tno <d>\t8\n"} {
		if !strings.Contains(files[0].String(), want) {
			t.Errorf("nodes.tsv lacks %q: %s", want, &files[0])
		}
	}
	for _, want := range []string{`<key id="full &lt;name&gt;" for="node" attr.name="full &lt;name&gt;" attr.type="string"/>`,
		`<data key="full &lt;name&gt;">no &lt;d&gt;</data>`, `<data key="entrez">07</data>`} {
		if !strings.Contains(files[1].String(), want) {
			t.Errorf("subgraph.graphml lacks %q: %s", want, &files[1])
		}
	}
	for text, want := range map[string]string{"gene,x\na,1\na,2\n": `line 3, column "gene": is "a" a second time`,
		"gene,weight\na,1\n": `column "weight": is a name that`, "x,y\n1,2\n": `has no column "feature"`} {
		if _, _, err := annotate(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
