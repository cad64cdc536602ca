package report

import (
	"fmt"
	"io"
	"strings"
)

// LaTeX writes the table as a tabular environment that needs no packages. Title and
// notes are comments, since a paper words its own captions. The best values are bold,
// deviations carry a dagger.
func (t *Table) LaTeX(w io.Writer) error {
	var b strings.Builder
	for _, line := range []string{t.Title, t.Subtitle} {
		if line != "" {
			b.WriteString("% " + line + "\n")
		}
	}
	at := t.printed()
	b.WriteString(`\begin{tabular}{`)
	for _, i := range at {
		if t.Columns[i].Left {
			b.WriteByte('l')
		} else {
			b.WriteByte('r')
		}
	}
	b.WriteString("}\n\\hline\n")
	t.latexGroups(&b, at)
	latexLine(&b, at, func(i int) string { return latex(t.Columns[i].Head) })
	b.WriteString("\\hline\n")
	for _, row := range t.Rows {
		latexLine(&b, at, func(i int) string { return row[i].latex() })
	}
	b.WriteString("\\hline\n\\end{tabular}\n")
	for _, note := range t.notes("bold:", "dagger:") {
		b.WriteString("% " + note + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// latexGroups writes the line of headings that columns share, if there are any.
func (t *Table) latexGroups(b *strings.Builder, at []int) {
	var cells []string
	some := false
	for k := 0; k < len(at); {
		end := t.groupEnd(at, k)
		if group := t.Columns[at[k]].Group; group != "" {
			cells = append(cells, fmt.Sprintf(`\multicolumn{%d}{c}{%s}`, end-k, latex(group)))
			some = true
		} else {
			cells = append(cells, "")
		}
		k = end
	}
	if some {
		b.WriteString(strings.Join(cells, " & ") + ` \\` + "\n")
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

func (v *Value) latex() string {
	s := latex(v.Text)
	if v.Best {
		s = `\textbf{` + s + `}`
	}
	if v.Off {
		s += `$^\dagger$`
	}
	return s
}

// latex spells the symbols of our tables and protects what LaTeX takes for commands.
var latex = strings.NewReplacer(
	"w̄", `$\bar{w}$`, "ℓ", `$\ell$`, "±", `$\pm$`, "–", "--",
	`\`, `\textbackslash{}`, "%", `\%`, "&", `\&`, "_", `\_`, "#", `\#`, "$", `\$`,
	"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
).Replace
