package importing

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/jobs/usage"
)

// The features are a, b "x", 1, größe and c.
func annotated(t *testing.T, features, groups string) (Request, *Result, error) {
	t.Helper()
	r := request()
	r.Out = filepath.Join(t.TempDir(), "mine")
	if features != "" {
		r.Features = "features.csv"
		write(t, r.Features, features)
	}
	if groups != "" {
		r.Groups = "groups.csv"
		write(t, r.Groups, groups)
	}
	result, err := Import(context.Background(), r, nil)
	return r, result, err
}

func TestFeatures(t *testing.T) {
	workplace(t)
	for _, c := range []struct {
		features, groups string
		want             string
		note             string
	}{
		{"name,truth\nc,2\na,-1\n", "", "[-1 0 0 2] [] []", `2 features have no row in features.csv and truth 0: b "x", 1, größe`},
		{"row,name,chromosome,col\n1,a,X,0\n2,c,Y,1\n3,größe,,2\n4,\"b \"\"x\"\", 1\",,3\n", "", "[] [] [1 4 3 2]", ""},
		{"name,truth\nc,2\nz,1\nz,1\n", "", "[0 0 0 2] [] []", "2 rows of features.csv left out, on what is no feature: z"},
		{"", "feature,group\nc,p53\nc,p53\nc,cycle\na,p53\nz,dna\n", "[] [[0 3] [3]] []", "1 row of groups.csv left out, on what is no feature: z"},
		{"", "pathway_id,gene\np53,c\ncycle,a\n", "[] [[3] [0]] []", ""},
		{"name,truth\nc,1\n", "feature,group\na,1\n", "[0 0 0 1] [[0]] []", ""},
	} {
		r, result, err := annotated(t, c.features, c.groups)
		if err != nil {
			t.Errorf("%q, %q: %v", c.features, c.groups, err)
			continue
		}
		f := load(t, r.Out, 0).Features
		if got := fmt.Sprint(f.Truth, f.Groups, f.Row); got != c.want {
			t.Errorf("%q, %q: %s, want %s", c.features, c.groups, got, c.want)
		}
		if !slices.ContainsFunc(result.Notes, func(note string) bool { return strings.Contains(note, c.note) }) {
			t.Errorf("%q, %q: notes %q do not say %q", c.features, c.groups, result.Notes, c.note)
		}
	}
}

func TestFeaturesRefuse(t *testing.T) {
	workplace(t)
	for _, c := range []struct{ features, groups, want string }{
		{"locus,truth\na,1\n", "", `features.csv: has no column "name"; its columns are locus, truth`},
		{"name,weight\na,1\n", "", "features.csv: has none of the columns truth, row, col, x and y beside name; its columns are name, weight"},
		{"name,truth\na,big\n", "", `features.csv: line 2, column "truth": is "big", want a finite decimal number`},
		{"name,truth\na,\n", "", `features.csv: line 2, column "truth": is "", want`},
		{"name,truth,truth\na,1,1\n", "", `features.csv: column "truth": stands twice`},
		{"name,truth\na,1\na,1\n", "", `features.csv: line 3, column "name": is "a" a second time`},
		{"name,truth,group\na,1,x\n", "", `features.csv: column "group": tells groups, which --groups reads`},
		{"name,row\na,1\n", "", "features.csv: has one of row and col, or of x and y, without the other"},
		{"name,row,col\na,1,1\n", "", `features.csv: column "row": is needed for every feature or none; there is no row for b "x", 1, größe, c`},
		{"name,truth\nA,1\n", "", "features.csv: has no row for any feature; features are named like a, "},
		{"name,truth\n", "", "features.csv: has no row for any feature"},
		{"", "gene,kind\na,1\n", `groups.csv: has no column "group"; its columns are gene, kind`},
		{"", "feature,group\na,\n", `groups.csv: line 2, column "group": is "", want a group`},
		{"", "feature,group\nA,1\n", `groups.csv: column "feature": names no feature; features are named like a, `},
	} {
		_, _, err := annotated(t, c.features, c.groups)
		var setting *usage.Error
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &setting) {
			t.Errorf("%q, %q: error %v, want %s", c.features, c.groups, err, c.want)
		}
	}
}
