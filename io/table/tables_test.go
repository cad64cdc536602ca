package table

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rivo/uniseg"

	"graphda/io/seal/sealtest"
)

func written(t *testing.T, table *Table, format string) string {
	t.Helper()
	var b bytes.Buffer
	must(t, table.Write(&b, format))
	return b.String()
}

// estimate returns a cell with a mean and all its uncertainty.
func estimate(mean, std float64) Cell {
	return Cell{Number: &Number{
		Value: mean, Std: std, Low: mean - std, High: mean + 2*std, N: 20, Print: Significant, PrintStd: SpreadOf(mean),
	}}
}

// sample returns a table with all kinds of cells.
func sample() *Table {
	nan := math.NaN()
	undefined := Cell{Number: &Number{Value: nan, Std: nan, Low: nan, High: nan, Print: Significant, PrintStd: SpreadOf(nan)}}
	best := estimate(0.125, 0.03125)
	best.Best = true
	off := Of(-0.0321, Signed(Fixed(3)))
	off.Off = true
	published := Cell{Number: &Number{Value: 0.8, Print: Fixed(2), Data: Fixed(2)}}
	return &Table{
		Name: "t", Title: "A title", Subtitle: "of it", Notes: []string{"one", "two"},
		Columns: []Column{
			{Key: "method", Head: "Method", Words: true},
			{Key: "trials", DataOnly: true},
			{Key: "mse", Head: "MSE", Estimate: true},
			{Key: "diff", Group: "F1", Head: "diff"},
			{Key: "paper", Group: "F1", Head: "paper"},
			{Key: "remark", Head: "Remark", Words: true},
		},
		Rows: [][]Cell{
			{Label("ℓ1-RDA", "l1-rda"), Count(1000000), estimate(12345678.9, 1.5e5), Word("best"), published, Word("a, b")},
			{Label("GraphDA", "graphda"), Count(0), best, off, {}, Word("bad \xff")},
			{Word("w̄"), Count(7), undefined, Of(math.Inf(1), Fixed(1)), Of(1e-9, Signed(Fixed(3))), {}},
		},
	}
}

// TestFormats checks how each format writes the cells, number for number.
func TestFormats(t *testing.T) {
	for format, lines := range map[string][]string{
		"csv": {
			"method,trials,mse,mse_std,mse_ci_low,mse_ci_high,diff,paper,remark",
			`l1-rda,1000000,1.23456789e+07,150000,1.21956789e+07,1.26456789e+07,,0.80,"a, b"`,
			"graphda,0,0.125,0.03125,0.09375,0.1875,-0.0321,,bad \xff",
			"w̄,7,,,,,+Inf,1e-09,",
		},
		"text":     {"ℓ1-RDA  1.235e+07±1.5e+05    best   0.80 a, b", "GraphDA     0.1250±0.0312* -0.032!", "w̄                       –    +Inf  0.000"},
		"markdown": {"| ℓ1-RDA | 1.235e+07±1.5e+05 | best | 0.80 | a, b |", "| GraphDA | **0.1250±0.0312** | -0.032 † |"},
	} {
		got := written(t, sample(), format)
		for _, want := range lines {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no line %q in\n%s", format, want, got)
			}
		}
	}
}

func TestPrinting(t *testing.T) {
	signed := Signed(Fixed(3))
	for _, c := range []struct{ got, want string }{
		{Significant(0.0123456), "0.01235"}, {Significant(1.5), "1.500"}, {Significant(12345), "12345"}, {Significant(0), "0"},
		{Significant(1.5e-7), "1.500e-07"}, {Significant(2e9), "2.000e+09"}, {Significant(math.Inf(1)), "+Inf"},
		{SpreadOf(0.0123)(0.5), "0.50000"}, {SpreadOf(12345)(0.5), "0"}, {SpreadOf(1e-9)(0.5), "5.0e-01"},
		{signed(0.0004), "0.000"}, {signed(-0.0004), "0.000"}, {signed(0.01), "+0.010"}, {signed(-1), "-1.000"},
		{Shortest(0.1), "0.1"}, {Fixed(2)(1e15), "1000000000000000.00"}, {Fixed(2)(-1e308), "-1.000e+308"},
		{Fixed(3)(math.Inf(1)), "+Inf"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestTextAlignsByDisplayWidth(t *testing.T) {
	table := Table{
		Columns: []Column{{Head: "Name", Words: true}, {Head: "w̄"}, {Head: "x"}},
		Rows: [][]Cell{
			{Word("ℓ1-RDA"), {Word: "1.0", Best: true}, Word("10")},
			{Word("図形"), Word("10.0"), Word("9")},
		},
	}
	const want = "\n" +
		"Name      w̄   x\n" +
		"───────────────\n" +
		"ℓ1-RDA  1.0* 10\n" +
		"図形   10.0   9\n" +
		"───────────────\n" +
		"* the best of its column\n"
	if got := written(t, &table, "text"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMarkdownEscapes(t *testing.T) {
	table := Table{Columns: []Column{{Head: "a|b", Words: true}}, Rows: [][]Cell{{Word("x_y*z|")}, {{Word: "v", Best: true, Off: true}}}}
	got := written(t, &table, "markdown")
	for _, want := range []string{`| a\|b |`, `| x\_y\*z\| |`, `| **v** † |`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestUnknownFormatNamesTheKnown(t *testing.T) {
	if err := new(Table).Write(new(bytes.Buffer), "html"); err == nil || !strings.Contains(err.Error(), "text, markdown, latex, csv") {
		t.Errorf("%v, want an error that lists the formats", err)
	}
}

// TestPrintedNamesHaveNoControlCharacters checks that printed formats escape control characters in names. Data
// files keep them.
func TestPrintedNamesHaveNoControlCharacters(t *testing.T) {
	const wild = "a\x1b[2J\nb\u009b"
	table := &Table{
		Title: wild, Subtitle: wild, Notes: []string{wild},
		Columns: []Column{{Key: "k", Head: wild, Words: true}, {Key: "g", Group: wild, Head: wild}},
		Rows:    [][]Cell{{Word(wild), Word(wild)}},
	}
	for _, format := range Formats() {
		var b strings.Builder
		must(t, table.Write(&b, format))
		if kept := map[string]string{"csv": wild, "json": `"k": "a\u001b[2J\nb` + "\u009b\""}[format]; kept != "" {
			if !strings.Contains(b.String(), kept) {
				t.Errorf("%s: %q does not hold %q", format, b.String(), kept)
			}
			continue
		}
		if at := strings.IndexFunc(b.String(), func(r rune) bool { return unicode.IsControl(r) && r != '\n' }); at >= 0 {
			t.Errorf("%s prints %q", format, b.String())
		}
		if lines := strings.Split(b.String(), "\n"); slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "b") }) {
			t.Errorf("%s breaks a line within a name:\n%s", format, b.String())
		}
	}
	if table.Title != wild || table.Rows[0][0].Word != wild {
		t.Error("printing changed the table")
	}
}

// TestFit checks that text fits into a terminal. First words are wrapped; then columns of numbers are left out
// from the right, and a note names them.
func TestFit(t *testing.T) {
	wide := sample()
	wide.Columns = append(wide.Columns, Column{Key: "claim", Head: "Claim", Words: true}, Column{Key: "n", Head: "Last"})
	for i := range wide.Rows {
		wide.Rows[i] = append(wide.Rows[i], Word(strings.Repeat("some words ", 5)), Count(i))
	}
	for width, names := range map[int]string{40: "F1 diff, F1 paper, Last", 80: "", 200: ""} {
		var b bytes.Buffer
		must(t, Print(&b, "text", width, wide, wide))
		for line := range strings.Lines(b.String()) {
			if n := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("at %d columns a line has %d: %s", width, n, line)
			}
		}
		if left := strings.Contains(b.String(), "--wide"); left != (names != "") || !strings.Contains(strings.Join(strings.Fields(b.String()), " "), names) {
			t.Errorf("at %d columns:\n%s", width, &b)
		}
	}
	if wide.Columns[7].DataOnly || wide.Columns[6].Wrap != 0 {
		t.Error("the table itself is changed")
	}
}

// TestJSON checks that JSON is one array of tables whose rows have the keys and values of CSV.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	must(t, Print(&b, "json", 40, sample(), &Table{Name: "empty"}))
	var all []struct {
		Name, Title, Subtitle string
		Notes                 []string
		Rows                  []map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &all); err != nil || len(all) != 2 || all[1].Rows == nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	first, last := all[0].Rows[0], all[0].Rows[2]
	if all[0].Title != "A title" || len(all[0].Notes) != 2 || first["method"] != "l1-rda" || first["mse_std"] != 1.5e5 || first["paper"] != 0.8 {
		t.Errorf("%+v", all[0])
	}
	for _, key := range []string{"mse", "diff"} { // NaN and infinity
		if v, there := last[key]; v != nil || !there {
			t.Errorf("%s is %v", key, v)
		}
	}
}

var must = sealtest.Must

func TestLaTeXEscapes(t *testing.T) {
	table := Table{
		Title:   "of two\nlines % and more",
		Columns: []Column{{Head: "a_b", Words: true}, {Head: "x"}},
		Rows: [][]Cell{
			{Word(`5% {x} \ w̄±ℓ`), Word("-0.5")},
			{Word("[R&D] #1 a|b <c> ~^$"), {Word: "-1e-05", Best: true, Off: true}},
			{Word("*"), Word("-")},
		},
		Notes: []string{"of two\nlines"},
	}
	got := written(t, &table, "latex")
	for _, want := range []string{
		"% of two lines % and more\n", `a\_b & x \\`,
		`5\% \{x\} \textbackslash{} $\bar{w}$$\pm$$\ell$ & $-$0.5 \\`,
		`{[}R\&D] \#1 a\textbar{}b $<$c$>$ \textasciitilde{}\textasciicircum{}\$ & \textbf{$-$1e-05}$^\dagger$ \\`,
		`{*} & - \\`, "% of two lines\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestLaTeX compares a table with all kinds of cells to the letter.
func TestLaTeX(t *testing.T) {
	table := sample()
	table.Rows[1][5] = Word("sound")
	want := `% A title
% of it
% needs \usepackage{booktabs}
\begin{tabular}{lrrrl}
\toprule
 &  & \multicolumn{2}{c}{F1} &  \\
\cmidrule(lr){3-4}
Method & MSE & diff & paper & Remark \\
\midrule
$\ell$1-RDA & 1.235e+07$\pm$1.5e+05 & best & 0.80 & a, b \\
GraphDA & \textbf{0.1250$\pm$0.0312} & $-$0.032$^\dagger$ &  & sound \\
$\bar{w}$ & -- & +Inf & 0.000 &  \\
\bottomrule
\end{tabular}
% bold: the best of its column
% dagger: differs from the published value
% one
% two
`
	if got := written(t, table, "latex"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
