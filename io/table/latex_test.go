package table

import (
	"strings"
	"testing"
)

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

// A table of all kinds of cells, to the letter.
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
