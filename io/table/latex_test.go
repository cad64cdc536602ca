package table

import (
	"regexp"
	"strconv"
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
	compiles(t, got)
}

// compiles looks for what LaTeX would stumble over: characters it does not know in text,
// groups and formulas that are not closed, rows that do not fill the columns.
func compiles(t *testing.T, text string) {
	t.Helper()
	var body []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "%") {
			body = append(body, strings.TrimSuffix(line, "\n"))
		}
	}
	m := regexp.MustCompile(`^\\begin\{tabular\}\{([lr]+)\}$`).FindStringSubmatch(body[0])
	if m == nil || body[len(body)-1] != `\end{tabular}` || body[1] != `\toprule` || body[len(body)-2] != `\bottomrule` {
		t.Fatalf("no tabular:\n%s", text)
	}
	columns := len(m[1])
	commands := regexp.MustCompile(`\\(?:textbf|textbackslash|textasciitilde|textasciicircum|textbar|bar|ell|pm|dagger|multicolumn|[%&_#${}])`)
	for _, line := range body[2 : len(body)-2] {
		if line == `\midrule` {
			continue
		}
		if rules, ok := strings.CutPrefix(line, `\cmidrule`); ok {
			for _, r := range regexp.MustCompile(`\{(\d+)-(\d+)\}`).FindAllStringSubmatch(rules, -1) {
				from, _ := strconv.Atoi(r[1])
				to, _ := strconv.Atoi(r[2])
				if from < 1 || to < from || to > columns {
					t.Errorf("rule from column %d to %d of %d", from, to, columns)
				}
			}
			continue
		}
		row, ok := strings.CutSuffix(line, ` \\`)
		if !ok || strings.HasPrefix(row, "[") || strings.HasPrefix(row, "*") {
			t.Errorf("row %q", line)
		}
		width := 1
		for _, span := range regexp.MustCompile(`\\multicolumn\{(\d+)\}`).FindAllStringSubmatch(row, -1) {
			n, _ := strconv.Atoi(span[1])
			width += n - 1
		}
		depth, math := 0, false
		for _, c := range commands.ReplaceAllString(row, "") {
			switch {
			case c == '&':
				width++
				if depth > 0 || math {
					t.Errorf("row %q: a cell ends within a group or formula", line)
				}
			case c == '{':
				depth++
			case c == '}':
				depth--
			case c == '$':
				math = !math
			case c == '^' && math:
			case c > 126 || strings.ContainsRune(`\%#_~^|`, c):
				t.Errorf("row %q: %q in text", line, c)
			}
		}
		if depth != 0 || math {
			t.Errorf("row %q: a group or formula is not closed", line)
		}
		if width != columns {
			t.Errorf("row %q: %d columns of %d", line, width, columns)
		}
	}
}

func TestLaTeXCompiles(t *testing.T) {
	table := sample()
	table.Rows[1][5] = Word("sound")
	compiles(t, written(t, table, "latex"))
}
