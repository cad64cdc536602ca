package stp

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/dataframe"
	"graphda/io/seal/sealtest"
)

const plain = `33D32945 STP File, STP Format Version 1.0

SECTION Comments
Name "small"
Creator "nobody"
END

SECTION Graph
Nodes 5
Edges 4
E 1 2 3
E 2 3 4
E 3 4 0
E 1 3 10
END

SECTION Terminals
Terminals 2
TP 1 7
TP 4 2
END

EOF
`

// headless is plain without its first section.
var headless = plain[:42] + plain[strings.Index(plain, "SECTION Graph"):]

func mustRead(t *testing.T, content string) *Instance {
	t.Helper()
	return sealtest.Must1(read(strings.NewReader(content), "folder/made-up.stp"))
}

func TestRead(t *testing.T) {
	in := mustRead(t, plain)
	if in.Name != "small" || in.Root != -1 || in.Parallel != 0 || in.Weights != nil || in.Shift != 0 {
		t.Errorf("%+v", in)
	}
	if want := []float64{7, 0, 0, 2, 0}; !slices.Equal(in.Prizes, want) {
		t.Errorf("prizes %v, want %v", in.Prizes, want)
	}
	if want := []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 0, V: 2}}; !slices.Equal(in.Graph.Edges(), want) {
		t.Errorf("edges %v, want %v", in.Graph.Edges(), want)
	}
	if want := []float64{3, 4, 0, 10}; !slices.Equal(in.Graph.Costs(), want) {
		t.Errorf("costs %v, want %v", in.Graph.Costs(), want)
	}
	if in.Graph.NumNodes() != 5 {
		t.Errorf("%d nodes", in.Graph.NumNodes())
	}
}

// TestReadVariants writes the plain file in other ways that mean the same.
func TestReadVariants(t *testing.T) {
	want := mustRead(t, plain)
	windows := "\x93small\x94" // the quotes of code page 1252, which are no UTF-8
	variants := map[string]string{
		"upper case":      strings.ToUpper(strings.Replace(plain, `Name "small"`, "", 1)),
		"lower case":      strings.ToLower(plain),
		"carriage return": strings.ReplaceAll(plain, "\n", "\r\n"),
		"tabs":            strings.ReplaceAll(strings.ReplaceAll(plain, "E ", "E\t"), "TP ", "\t TP \t"),
		"typographic":     strings.ReplaceAll(plain, `"small"`, "“small”"),
		"code page":       strings.Replace(plain, `"small"`, windows, 1),
		"other header":    strings.Replace(plain, " STP File, STP Format Version 1.0", " STP \x93File\x94", 1),
		"byte order mark": "\ufeff" + plain,
		"no comments":     headless,
		"decimals":        strings.ReplaceAll(strings.ReplaceAll(plain, "E 1 2 3\n", "E 1 2 3.000\n"), "TP 1 7", "TP 1 .7e1"),
		"comment lines":   strings.ReplaceAll(plain, "E 1 3", "# the dear one\nE 1 3"),
		"singular":        strings.ReplaceAll(plain, "SECTION Terminals", "Section Terminal"),
		"other sections":  strings.ReplaceAll(plain, "SECTION Terminals", "Section Coordinates\nDD 1 80 910\nEND\nSECTION Terminals"),
		"no end of file":  strings.TrimSuffix(plain, "EOF\n"),
		"more after it":   plain + "anything",
		"no counts":       strings.NewReplacer("Edges 4\n", "", "Terminals 2\n", "").Replace(strings.ReplaceAll(plain, "SECTION Terminals", "SECTION  Terminals")),
	}
	for name, content := range variants {
		t.Run(name, func(t *testing.T) {
			got := mustRead(t, content)
			if !slices.Equal(got.Prizes, want.Prizes) || !slices.Equal(got.Graph.Edges(), want.Graph.Edges()) ||
				!slices.Equal(got.Graph.Costs(), want.Graph.Costs()) || got.Root != want.Root {
				t.Errorf("%+v, want %+v", got, want)
			}
			wantName := "small"
			if name == "no comments" || name == "upper case" {
				wantName = "made-up"
			}
			if got.Name != wantName {
				t.Errorf("name %q, want %q", got.Name, wantName)
			}
		})
	}
}

func TestReadRoot(t *testing.T) {
	for _, key := range []string{"RootP", "rootp", "Root"} {
		in := mustRead(t, strings.Replace(plain, "Terminals 2\n", "Terminals 2\n"+key+" 3\n", 1))
		if in.Root != 2 {
			t.Errorf("%s: root %d, want 2", key, in.Root)
		}
	}
	if in := mustRead(t, strings.Replace(plain, "Terminals 2\n", "Terminals 3\nRootP 3\n", 1)); in.Root != 2 {
		t.Error("a root among the terminals is refused")
	}
}

func TestReadParallel(t *testing.T) {
	content := strings.Replace(plain, "Edges 4\n", "Edges 7\n", 1)
	content = strings.Replace(content, "E 3 4 0\n", "E 2 1 2\nE 3 4 0\nE 4 3 0\nE 2 3 5\n", 1)
	in := mustRead(t, content)
	if in.Parallel != 3 {
		t.Errorf("%d parallel edges, want 3", in.Parallel)
	}
	if want := []graph.Edge{{U: 1, V: 2}, {U: 1, V: 0}, {U: 2, V: 3}, {U: 0, V: 2}}; !slices.Equal(in.Graph.Edges(), want) {
		t.Errorf("edges %v, want %v", in.Graph.Edges(), want)
	}
	if want := []float64{4, 2, 0, 10}; !slices.Equal(in.Graph.Costs(), want) {
		t.Errorf("costs %v, want %v", in.Graph.Costs(), want)
	}
}

const weights = `33d32945 STP File, STP Format Version 1.0
Section Graph
Nodes 4
Edges 3
E 1 2
E 2 3
E 3 4
End
Section Terminals
Terminals 3
T 1 2.5
T 2 -1.5
T 4 -0.25
End
EOF
`

func TestReadWeights(t *testing.T) {
	in := mustRead(t, weights)
	if want := []float64{4, 0, 1.5, 1.25}; !slices.Equal(in.Prizes, want) || in.Shift != -1.5 {
		t.Errorf("prizes %v, shift %v, want %v, -1.5", in.Prizes, in.Shift, want)
	}
	if want := []float64{2.5, -1.5, 0, -0.25}; !slices.Equal(in.Weights, want) {
		t.Errorf("weights %v, want %v", in.Weights, want)
	}
	if want := []float64{1.5, 1.5, 1.5}; !slices.Equal(in.Graph.Costs(), want) {
		t.Errorf("costs %v, want %v", in.Graph.Costs(), want)
	}
	// the tree of the first two nodes weighs 1
	if w := in.Prizes[0] + in.Prizes[1] + in.Shift - in.Graph.Costs()[0]; w != 1 {
		t.Errorf("weight %v, want 1", w)
	}
	in = mustRead(t, strings.ReplaceAll(weights, "-", ""))
	if in.Shift != 0 || math.Signbit(in.Graph.Costs()[0]) || in.Prizes[1] != 1.5 {
		t.Errorf("positive weights: %+v", in)
	}
}

func TestReadRefuses(t *testing.T) {
	edit := func(old, new string) string {
		if !strings.Contains(plain, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(plain, old, new, 1)
	}
	tests := []struct {
		name, content string
		line          int
		want          string
	}{
		{"empty", "", 1, "without a graph"},
		{"another format", "graph {\n", 1, `want "33D32945"`},
		{"cut in the graph", plain[:strings.Index(plain, "E 3 4")], 12, `inside its section "Graph"`},
		{"cut before the terminals' end", plain[:strings.Index(plain, "TP 4")], 19, "want END"},
		{"no graph", edit("Graph", "Picture"), 19, "before the number of nodes"},
		{"text between sections", edit("SECTION Graph", "Sektion Graph"), 8, `"Sektion", want SECTION or EOF`},
		{"section without a name", edit("SECTION Graph", "SECTION"), 8, "without a name"},
		{"section in section", edit("END\n\nSECTION Graph", "SECTION Graph"), 6, "want END before it"},
		{"end of file in section", edit("END\n\nEOF", "EOF"), 21, "want END before it"},
		{"unknown word", edit("E 2 3 4", "F 2 3 4"), 12, `"F", want Nodes, Edges, E or END`},
		{"unknown word of terminals", edit("TP 4", "TQ 4"), 20, `"TQ", want Terminals`},
		{"arcs", edit("E 2 3 4", "A 2 3 4 4"), 12, "undirected"},
		{"number of arcs", edit("Edges 4", "Arcs 4"), 10, "undirected"},
		{"nodes", edit("Nodes 5", "Nodes five"), 9, `"five", want a whole number from 0`},
		{"negative nodes", edit("Nodes 5", "Nodes -5"), 9, `"-5", want`},
		{"nodes twice", edit("Edges 4", "Nodes 4"), 10, "again after line 9"},
		{"nodes without number", edit("Nodes 5", "Nodes"), 9, "want one number"},
		{"too many nodes for the file", edit("Nodes 5", "Nodes 1000000000"), 9, "1000000000 nodes, want at most"},
		{"an edge less", edit("E 2 3 4\n", ""), 10, "announces 4 edges, but the file has 3"},
		{"an edge more", edit("E 2 3 4\n", "E 2 3 4\nE 2 4 1\n"), 15, "is edge 5, but line 10 announces 4"},
		{"node 0", edit("E 2 3 4", "E 0 3 4"), 12, `node "0", want 1 to 5`},
		{"node too high", edit("E 2 3 4", "E 2 6 4"), 12, `node "6", want 1 to 5`},
		{"no number", edit("E 2 3 4", "E 2 three 4"), 12, `node "three", want`},
		{"self-loop", edit("E 2 3 4", "E 3 3 4"), 12, "joins node 3 to itself"},
		{"negative cost", edit("E 2 3 4", "E 2 3 -4"), 12, "cost -4, want at least 0"},
		{"cost NaN", edit("E 2 3 4", "E 2 3 nan"), 12, `cost "nan", want a finite decimal`},
		{"cost infinite", edit("E 2 3 4", "E 2 3 1e999"), 12, "want a finite decimal"},
		{"cost in hex", edit("E 2 3 4", "E 2 3 0x10"), 12, "want a finite decimal"},
		{"words missing", edit("E 2 3 4", "E 2"), 12, "has 1 words after E"},
		{"no cost", edit("E 2 3 4", "E 2 3"), 12, "without a cost"},
		{"words too many", edit("E 2 3 4", "E 2 3 4 5"), 12, "has 4 words after E"},
		{"negative prize", edit("TP 4 2", "TP 4 -2"), 20, "prize -2, want at least 0"},
		{"prize twice", edit("TP 4 2", "TP 1 2"), 20, "node 1, as line 19"},
		{"prize without number", edit("TP 4 2", "TP 4"), 20, "want a node and a number"},
		{"terminal without prize", edit("TP 4 2", "T 4"), 20, "Steiner tree problem without prizes"},
		{"prize and weight", edit("TP 4 2", "T 4 2"), 20, "only TP"},
		{"a terminal less", edit("Terminals 2", "Terminals 3"), 18, "announces 3 terminals, but the file has 2"},
		{"root outside", edit("TP 4 2", "TP 4 2\nRootP 9"), 21, `node "9"`},
		{"two roots", edit("TP 4 2", "RootP 4\nRootP 4\nTP 4 2"), 21, "second root"},
		{"root without node", edit("TP 4 2", "RootP\nTP 4 2"), 20, "want a node"},
		{"weights and costs", strings.Replace(weights, "E 2 3", "E 2 3 1", 1), 6, "with a cost"},
		{"long line", edit("E 2 3 4", "E 2 3 "+strings.Repeat(" ", maxLine)+"4"), 12, "is longer than"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := read(strings.NewReader(test.content), "made-up.stp")
			var syntax *dataframe.Error
			if !errors.As(err, &syntax) {
				t.Fatalf("error %v, want a tabular.Error", err)
			}
			if syntax.Path != "made-up.stp" || syntax.Row != dataframe.Line(test.line) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want line %d and %q", err, test.line, test.want)
			}
		})
	}
}

func TestReadFile(t *testing.T) {
	path := sealtest.File(t, "P1.stp", headless)
	in, err := ReadFile(path)
	if err != nil || in.Name != "P1" {
		t.Errorf("%+v, %v", in, err)
	}
	if _, err := ReadFile(path + ".gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
