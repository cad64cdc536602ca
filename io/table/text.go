package table

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// Width is the width of footnotes in terminal columns.
const Width = 120

var textFormat = Format{Name: "text", Extension: ".txt", write: (*Table).Text}

// Text writes the table for a terminal, aligned by display width.
func (t *Table) Text(w io.Writer) error {
	t = t.printable()
	var b strings.Builder
	for _, line := range []string{t.Title, t.Subtitle} {
		if line != "" {
			t.wrap(&b, "", line)
		}
	}
	b.WriteByte('\n')
	t.grid(&b, strings.Repeat("─", t.total())+"\n")
	for _, note := range t.notes(bestMark, offMark) {
		t.wrap(&b, "  ", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// grid writes headings and rows, with rules below the headings and the rows.
func (t *Table) grid(b *strings.Builder, rule string) {
	at := t.Printed()
	widths := make([]int, len(at))
	marks := make([]int, len(at))
	for k, i := range at {
		widths[k], marks[k] = t.measure(i)
	}
	t.writeGroups(b, at, widths, marks)
	t.writeLine(b, at, widths, marks, func(i int) (string, string) { return t.Columns[i].Head, "" })
	b.WriteString(rule)
	for r, row := range t.Rows {
		if r > 0 && t.wraps() && !t.dense {
			b.WriteByte('\n')
		}
		t.writeRow(b, row, at, widths, marks)
	}
	b.WriteString(rule)
}

func (t *Table) total() int {
	sum := 0
	for _, i := range t.Printed() {
		width, mark := t.measure(i)
		sum += width + mark + 1
	}
	return max(sum-1, 0)
}

// narrow is the smallest width that fit gives to a column of words.
const narrow = 24

// fit returns the table so that it fits into width terminal columns. It first wraps or cuts the widest columns of
// words. Then it drops columns of numbers from the right. Columns under one group heading are dropped together. `left`
// lists the dropped headings.
func (t *Table) fit(width int) (f *Table, left []string) {
	f = t.printable()
	f.width, f.dense = width, t.cut || !t.wraps()
	for over := f.total() - width; over > 0; over = f.total() - width {
		words, numbers, widest := -1, -1, narrow
		for _, i := range f.Printed() {
			if n, _ := f.measure(i); !f.Columns[i].Words {
				numbers = i
			} else if n > widest {
				words, widest = i, n
			}
		}
		switch {
		case words >= 0:
			f.Columns[words].Wrap = max(narrow, widest-over)
		case numbers >= 0 && len(f.Printed()) > 1:
			group := f.Columns[numbers].Group
			for i := len(f.Columns) - 1; i >= 0; i-- {
				if c := &f.Columns[i]; i == numbers || group != "" && c.Group == group && !c.DataOnly {
					c.DataOnly = true
					left = append([]string{c.Heading()}, left...)
				}
			}
		default:
			return f, left
		}
	}
	return f, left
}

// measure returns the widths of a column's cells and marks.
func (t *Table) measure(i int) (width, mark int) {
	width = uniseg.StringWidth(t.Columns[i].Head)
	for _, row := range t.Rows {
		for _, line := range t.linesOf(row, i) {
			width = max(width, uniseg.StringWidth(line))
		}
		mark = max(mark, uniseg.StringWidth(row[i].mark()))
	}
	return width, mark
}

func (t *Table) wraps() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Wrap > 0 })
}

func (t *Table) linesOf(row []Cell, i int) []string {
	if wrap := t.Columns[i].Wrap; wrap > 0 && t.cut {
		return []string{shorten(row[i].Text(), wrap)}
	} else if wrap > 0 {
		return Lines(row[i].Text(), t.Columns[i].Wrap, "")
	}
	return []string{row[i].Text()}
}

func (t *Table) writeRow(b *strings.Builder, row []Cell, at, widths, marks []int) {
	height, lines := 1, map[int][]string{}
	for _, i := range at {
		lines[i] = t.linesOf(row, i)
		height = max(height, len(lines[i]))
	}
	for h := range height {
		t.writeLine(b, at, widths, marks, func(i int) (text, mark string) {
			if h == 0 {
				mark = row[i].mark()
			}
			if h < len(lines[i]) {
				text = lines[i][h]
			}
			return text, mark
		})
	}
}

// writeLine writes one line of the table. value returns the text and the mark for a column.
func (t *Table) writeLine(b *strings.Builder, at, widths, marks []int, value func(i int) (text, mark string)) {
	var line strings.Builder
	for k, i := range at {
		text, mark := value(i)
		gap := strings.Repeat(" ", widths[k]-uniseg.StringWidth(text))
		if !t.Columns[i].Words {
			line.WriteString(gap)
		}
		line.WriteString(text)
		line.WriteString(mark)
		line.WriteString(strings.Repeat(" ", marks[k]-uniseg.StringWidth(mark)))
		if t.Columns[i].Words {
			line.WriteString(gap)
		}
		line.WriteByte(' ')
	}
	b.WriteString(strings.TrimRight(line.String(), " "))
	b.WriteByte('\n')
}

// writeGroups writes the line of group headings, if any, each centred over its columns.
func (t *Table) writeGroups(b *strings.Builder, at, widths, marks []int) {
	var line strings.Builder
	for k := 0; k < len(at); {
		group, end := t.Columns[at[k]].Group, t.Span(at, k)
		span := end - k - 1 // the gaps between the columns
		for j := k; j < end; j++ {
			span += widths[j] + marks[j]
		}
		span -= marks[end-1]
		free := max(span-uniseg.StringWidth(group), 0)
		before := free / 2
		if end-k == 1 {
			before = free // align a single column's heading with the numbers
		}
		line.WriteString(strings.Repeat(" ", before) + group + strings.Repeat(" ", free-before+1+marks[end-1]))
		k = end
	}
	if s := strings.TrimRight(line.String(), " "); s != "" {
		b.WriteString(s + "\n")
	}
}

// wrap writes text in lines of the table's width. All lines but the first are indented.
func (t *Table) wrap(b *strings.Builder, indent, text string) {
	b.WriteString(strings.Join(Lines(text, cmp.Or(t.width, Width), indent), "\n") + "\n")
}

// Lines breaks text between words into lines of at most width terminal columns. All lines but the first are indented.
func Lines(text string, width int, indent string) []string {
	lines, column := []string{""}, 0
	for _, word := range strings.Fields(text) {
		n, last := uniseg.StringWidth(word), len(lines)-1
		switch {
		case column == 0:
			lines[last] = word
			column = n
		case column+1+n > width:
			lines = append(lines, indent+word)
			column = len(indent) + n
		default:
			lines[last] += " " + word
			column += 1 + n
		}
	}
	return lines
}
