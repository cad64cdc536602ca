package table

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

// A screen has the verdict first, then the first note, and at least a few rows of both tables. It has neither too many
// nor too long lines, uses all lines, and counts what it leaves out.
func TestScreen(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		a := &Answer{Verdict: strings.Repeat("Found ", 1+rng.IntN(30)), Page: []string{"", "report.html"}[rng.IntN(2)]}
		for i := range 1 + rng.IntN(8) {
			a.Notes = append(a.Notes, fmt.Sprintf("note%d %s\nDetails.", i, strings.Repeat("word ", rng.IntN(20))))
		}
		rows := 0
		for k := range 1 + rng.IntN(3) {
			made := &Table{Title: "Title", Subtitle: strings.Repeat("clause, ", rng.IntN(30)), Notes: []string{"A footnote."}, Columns: []Column{{Head: "Feature", Words: true}}}
			for range rng.IntN(8) {
				made.Columns = append(made.Columns, Column{Key: "n", Head: "A number"})
			}
			for i := range 1 + rng.IntN(40) {
				row := []Cell{Word(fmt.Sprintf("row%d-%s-end", i, strings.Repeat("β", rng.IntN(90))))}
				for range made.Columns[1:] {
					row = append(row, Count(i))
				}
				made.Rows = append(made.Rows, row)
			}
			if a.Tables = append(a.Tables, made); k < 2 {
				rows += len(made.Rows)
			}
		}
		width, lines := 60+rng.IntN(60), 21+rng.IntN(6)
		var b bytes.Buffer
		must(t, a.Print(&b, "text", width, lines))
		text := b.String()
		n := strings.Count(text, "\n")
		for line := range strings.Lines(text) {
			if got := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); got > width {
				t.Errorf("%d columns, want %d: %s", got, width, line)
			}
		}
		shown, notes := strings.Count(text, "\nrow"), strings.Count(text, "\nnote")
		last := text[strings.LastIndex(strings.TrimSpace(text), "\n"):]
		for what, left := range map[string]int{"row": rows - shown, "note": len(a.Notes) - notes} {
			if told := strings.Contains(last, fmt.Sprintf(" %d %s", left, what)); told != (left > 0) || left > 0 && n != lines && what == "row" {
				t.Errorf("%d lines of %d at %d columns leave out %d of the %ss:\n%s", n, lines, width, left, what, text)
			}
		}
		if least := min(len(a.Tables[0].Rows), 2); n > lines || !strings.HasPrefix(text, "Found") || notes == 0 || shown < least || strings.Contains(text, "footnote") {
			t.Errorf("%d lines of %d at %d columns:\n%s", n, lines, width, text)
		}
	}
}

// A word that is cut keeps both ends.
func TestCutting(t *testing.T) {
	for width, want := range map[int]string{20: "β1234567890", 11: "β1234567890", 6: "β12…90", 5: "β1…90", 3: "β…0"} {
		if got := shorten("β1234567890", width); got != want {
			t.Errorf("%d columns: %s, want %s", width, got, want)
		}
	}
	if got := shorten(strings.Repeat("a", 1<<18), 5); got != "aa…aa" { // the time must not grow with the square
		t.Errorf("a long word is cut to %q", got)
	}
}
