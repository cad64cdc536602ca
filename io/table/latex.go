package table

import (
	"fmt"
	"io"
	"strings"
)

var latexFormat = Format{Name: "latex", Extension: ".tex", write: (*Table).laTeX}

// laTeX writes the table as a tabular environment for the package booktabs, with title and notes as comments. The best
// values are bold, and values that differ from published values have a dagger.
func (t *Table) laTeX(w io.Writer) error {
	t = t.printable()
	var b strings.Builder
	comment := func(text string) {
		if words := strings.Fields(text); len(words) > 0 { // a line break would end the comment
			b.WriteString("% " + strings.Join(words, " ") + "\n")
		}
	}
	comment(t.Title)
	comment(t.Subtitle)
	comment(`needs \usepackage{booktabs}`)
	at := t.Printed()
	b.WriteString(`\begin{tabular}{`)
	for _, i := range at {
		switch {
		case t.Columns[i].Wrap > 0:
			fmt.Fprintf(&b, "p{%dem}", (t.Columns[i].Wrap+1)/2) // an average letter is half an em wide
		case t.Columns[i].Words:
			b.WriteByte('l')
		default:
			b.WriteByte('r')
		}
	}
	b.WriteString("}\n\\toprule\n")
	t.latexGroups(&b, at)
	latexLine(&b, at, func(i int) string { return latex(t.Columns[i].Head) })
	b.WriteString("\\midrule\n")
	for _, row := range t.Rows {
		latexLine(&b, at, func(i int) string { return row[i].latex() })
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, note := range t.notes("bold:", "dagger:") {
		comment(note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// latexGroups writes the line of group headings, if any, each with a rule below.
func (t *Table) latexGroups(b *strings.Builder, at []int) {
	var cells, rules []string
	for k := 0; k < len(at); {
		end := t.Span(at, k)
		if group := t.Columns[at[k]].Group; group != "" {
			cells = append(cells, fmt.Sprintf(`\multicolumn{%d}{c}{%s}`, end-k, latex(group)))
			rules = append(rules, fmt.Sprintf(`\cmidrule(lr){%d-%d}`, k+1, end))
		} else {
			cells = append(cells, "")
		}
		k = end
	}
	if len(rules) > 0 {
		b.WriteString(strings.Join(cells, " & ") + ` \\` + "\n" + strings.Join(rules, " ") + "\n")
	}
}

func latexLine(b *strings.Builder, at []int, cell func(i int) string) {
	for k, i := range at {
		if k > 0 {
			b.WriteString(" & ")
		}
		b.WriteString(cell(i))
	}
	b.WriteString(` \\` + "\n")
}

func (c *Cell) latex() string {
	s := latex(c.Text())
	if rest, negative := strings.CutPrefix(s, "-"); negative && len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
		s = "$-$" + rest // - would print as a hyphen
	}
	if c.Best {
		s = `\textbf{` + s + `}`
	}
	if c.Off {
		s += `$^\dagger$`
	}
	return s
}

// latex converts the symbols of our tables and escapes LaTeX's special characters. [ and * are special too: at the
// beginning of a row, LaTeX would read them as an argument of the previous line.
var latex = strings.NewReplacer(
	"w̄", `$\bar{w}$`, "ℓ", `$\ell$`, "±", `$\pm$`, "–", "--", "−", "$-$", "×", `$\times$`,
	"λ", `$\lambda$`, "γ", `$\gamma$`, "μ", `$\mu$`, "η", `$\eta$`, "ρ", `$\rho$`, "ω", `$\omega$`,
	`\`, `\textbackslash{}`, "%", `\%`, "&", `\&`, "_", `\_`, "#", `\#`, "$", `\$`,
	"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", "$<$", ">", "$>$", "|", `\textbar{}`, "[", "{[}", "*", "{*}", "\n", " ",
).Replace
