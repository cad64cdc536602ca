package importing

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The features are a, b "x", 1, größe and c.
func TestFeatures(t *testing.T) {
	workplace(t)
	for _, c := range []struct {
		features, groups string
		want             string
		note             string
	}{
		{"name,truth\nc,2\na,-1\n", "", "[-1 0 0 2] [] []", `2 features have no row in features.csv, which means truth 0: b "x", 1, größe`},
		{"row,name,chromosome,col\n1,a,X,0\n2,c,Y,1\n3,größe,,2\n4,\"b \"\"x\"\", 1\",,3\n", "", "[] [] [1 4 3 2]", "ignored columns of features.csv: chromosome"},
		{",Gene,truth\n0,c,TRUE\n1,a,False\n", "", "[0 0 0 1] [] []", "2 features have no row"},
		{"", "Gene,Gene_Set,score\nc,p53,1\n", "[] [[3]] []", ""},
		{"name,truth\nc,2\nz,1\nz,1\n", "", "[0 0 0 2] [] []", "left out 2 rows of features.csv, whose names are not among the features: z"},
		{"", "feature,group\nc,p53\nc,p53\nc,cycle\na,p53\nz,dna\n", "[] [[0 3] [3]] []", "left out 1 row of groups.csv, whose names are not among the features: z"},
		{"", "pathway_id,gene\np53,c\ncycle,a\n", "[] [[3] [0]] []", ""},
		{"name,truth\nc,1\n", "feature,group\na,1\n", "[0 0 0 1] [[0]] []", ""},
	} {
		r := request()
		r.Out = filepath.Join(t.TempDir(), "mine")
		if c.features != "" {
			r.Features = "features.csv"
			write(t, r.Features, c.features)
		}
		if c.groups != "" {
			r.Groups = "groups.csv"
			write(t, r.Groups, c.groups)
		}
		result := run(t, r)
		f := load(t, r.Out, 0).Features
		if got := fmt.Sprint(f.Truth, f.Groups, f.Row); got != c.want {
			t.Errorf("%q, %q: %s, want %s", c.features, c.groups, got, c.want)
		}
		if !slices.ContainsFunc(result.Notes, func(note string) bool { return strings.Contains(note, c.note) }) {
			t.Errorf("%q, %q: notes %q do not say %q", c.features, c.groups, result.Notes, c.note)
		}
	}
}
