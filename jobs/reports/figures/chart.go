package figures

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Chart is a grid of panels with one legend below.
type Chart struct {
	Info
	Panels  []Panel // row by row
	Columns int     // of the grid; 0 is 1 for one panel, 2 for up to four, and 3 for more
	SharedY bool    // all y axes show the same span
}

var _ Figure = (*Chart)(nil)

// A Panel is one coordinate system. A label of an axis that all panels share is written
// at the outer ones only.
type Panel struct {
	Title, XLabel, YLabel string
	Name                  string // in CSV; "" is the title

	LogX, LogY  bool    // a value that is not positive is a gap then
	YLow, YHigh float64 // what the y axis shows beside the data; both 0: nothing

	// XLabels name the whole numbers from 0 on the x axis, and in CSV; none: x are numbers.
	XLabels []string

	Marks []float64 // x of dotted vertical lines, such as the true sparsity
	Lines []Line
}

// A Line is a curve with a marker at its points, or at some of them if they are many.
type Line struct {
	Key   string // decides what it looks like, e.g. "graphda"
	Label string // in the legend, e.g. "GraphDA"; the same for the same key

	// X and Y are the points, in the order in which they are joined. A point that is not
	// finite is a gap. Err is half the length of the error bars, nil for none; one that is
	// not finite is not drawn.
	X, Y, Err []float64
	Band      bool // Err is the half height of a band around the line, not of error bars
}

// largest is the limit of what counts as finite: differences of such numbers still are.
const largest = 1e300

func finite(v float64) bool { return math.Abs(v) <= largest }

// Validate tells what contradicts itself.
func (c *Chart) Validate() error {
	if c.Columns < 0 {
		return fmt.Errorf("figures: chart %q: %d columns; allowed are 0, for the default, and more", c.Name, c.Columns)
	}
	labels := map[string]string{}
	for i, p := range c.Panels {
		fault := func(format string, args ...any) error {
			return fmt.Errorf("figures: chart %q, panel %d %q: %s", c.Name, i+1, p.Title, fmt.Sprintf(format, args...))
		}
		for _, l := range p.Lines {
			if len(l.X) != len(l.Y) || l.Err != nil && len(l.Err) != len(l.X) {
				return fault("line %q: %d x, %d y, %d errors; there must be as many of each, or no errors", l.Key, len(l.X),
					len(l.Y), len(l.Err))
			}
			if at := slices.IndexFunc(l.Err, func(e float64) bool { return e < 0 }); at >= 0 {
				return fault("line %q: error %v at point %d; it must not be negative", l.Key, l.Err[at], at)
			}
			unnamed := func(x float64) bool { return x != math.Trunc(x) || x < 0 || x >= float64(len(p.XLabels)) }
			if at := slices.IndexFunc(l.X, unnamed); at >= 0 && p.XLabels != nil {
				return fault("line %q: x is %v at point %d; it must be a whole number from 0 to %d, which have names", l.Key,
					l.X[at], at, len(p.XLabels)-1)
			}
			if other, ok := labels[l.Key]; ok && other != l.Label {
				return fault("line %q is called %q, and %q before; a key has one label", l.Key, l.Label, other)
			}
			labels[l.Key] = l.Label
		}
	}
	return nil
}

// columns returns the number of columns of the grid.
func (c *Chart) columns() int {
	n := len(c.Panels)
	switch {
	case c.Columns > 0:
		return max(1, min(c.Columns, n))
	case n <= 1:
		return 1
	case n <= 4:
		return 2
	}
	return 3
}

func (c *Chart) rows() int { return max(1, (len(c.Panels)+c.columns()-1)/c.columns()) }

// panelSizes are those of a panel with its labels in one, two, three and more columns, in
// millimetres. The figure fits a page: one column of text for one panel in a row, both for
// three and more.
var panelSizes = []vg.Point{{X: 86, Y: 56}, {X: 62, Y: 46}, {X: 58, Y: 44}, {X: 45, Y: 38}}

// panel returns the size of one panel.
func (c *Chart) panel() vg.Point {
	return panelSizes[min(c.columns(), len(panelSizes))-1].Scale(millimetre)
}

const (
	margin = 3 // points, around a figure
	gap    = 9 // between panels
)

// layout returns the size of the whole figure and of its legend.
func (c *Chart) layout() (size vg.Point, l legend) {
	panel, columns, rows := c.panel(), vg.Length(c.columns()), vg.Length(c.rows())
	size.X = panel.X*columns + gap*(columns-1) + 2*margin
	l = c.legend(size.X - 2*margin)
	size.Y = panel.Y*rows + gap*(rows-1) + 2*margin + l.height()
	return size, l
}

// Size returns the width and height of the drawing in points.
func (c *Chart) Size() (width, height float64) {
	size, _ := c.layout()
	return size.X.Points(), size.Y.Points()
}

// Draw writes the chart in one of the Formats.
func (c *Chart) Draw(w io.Writer, format string) error {
	if err := c.Validate(); err != nil {
		return err
	}
	size, l := c.layout()
	return render(w, c.Info, format, size, func(dc draw.Canvas) {
		dc = draw.Crop(dc, margin, -margin, margin, -margin)
		l.draw(draw.Crop(dc, 0, 0, 0, l.height()-(dc.Max.Y-dc.Min.Y)))
		c.drawPanels(draw.Crop(dc, 0, 0, l.height(), 0))
	})
}

// drawPanels draws the grid such that axes of neighbours are in line, and the data of all
// panels have the same size.
func (c *Chart) drawPanels(dc draw.Canvas) {
	if len(c.Panels) == 0 {
		write(dc, "no data", coloured(aligned(titleSize, draw.XCenter, draw.YCenter), faint), dc.Center(), dc.Size().X)
		return
	}
	looks, columns, rows, panels := looks(c.keys()), c.columns(), c.rows(), c.settled()
	views := make([]view, len(c.Panels))
	around := make([]margins, len(c.Panels)) // left and right: of a column; below and above: of a row
	for i := range views {
		views[i] = newView(c.outer(panels, i), looks, c.panel())
		around[i%columns].cover(margins{left: views[i].margins().left, right: views[i].margins().right})
		around[i/columns].cover(margins{below: views[i].margins().below, above: views[i].margins().above})
	}
	data := dc.Size().Sub(vg.Point{X: gap * vg.Length(columns-1), Y: gap * vg.Length(rows-1)})
	for _, m := range around {
		data = data.Sub(vg.Point{X: m.left + m.right, Y: m.below + m.above})
	}
	data.X, data.Y = data.X/vg.Length(columns), data.Y/vg.Length(rows)
	corner := vg.Point{X: dc.Min.X, Y: dc.Max.Y}
	for i, v := range views {
		column, row := around[i%columns], around[i/columns]
		if i%columns == 0 {
			corner.X = dc.Min.X
		}
		m := margins{column.left, column.right, row.below, row.above}
		r := vg.Rectangle{
			Min: vg.Point{X: corner.X + m.left, Y: corner.Y - m.above - data.Y},
			Max: vg.Point{X: corner.X + m.left + data.X, Y: corner.Y - m.above},
		}
		v.draw(draw.Canvas{Canvas: dc, Rectangle: r}, m)
		corner.X = r.Max.X + m.right + gap
		if (i+1)%columns == 0 {
			corner.Y = r.Min.Y - m.below - gap
		}
	}
}

// outer returns a panel without the labels that another panel shows for it.
func (c *Chart) outer(panels []Panel, i int) Panel {
	p, columns := panels[i], c.columns()
	same := func(label func(Panel) string) bool {
		return !slices.ContainsFunc(c.Panels, func(q Panel) bool { return label(p) != label(q) })
	}
	if i%columns > 0 && same(func(p Panel) string { return p.YLabel }) {
		p.YLabel = ""
	}
	if i+columns < len(c.Panels) && same(func(p Panel) string { return p.XLabel }) {
		p.XLabel = ""
	}
	return p
}

// keys returns the keys of all lines as they come.
func (c *Chart) keys() []string {
	var keys []string
	for _, p := range c.Panels {
		for _, l := range p.Lines {
			keys = append(keys, l.Key)
		}
	}
	return keys
}

func (c *Chart) legend(width vg.Length) legend { return newLegend(c.entries(), width) }

// entries returns an entry for every key, in the order of the paper.
func (c *Chart) entries() []entry {
	styles := looks(c.keys())
	seen := map[string]bool{}
	var entries []entry
	for _, p := range c.Panels {
		for _, l := range p.Lines {
			if !seen[l.Key] {
				seen[l.Key] = true
				entries = append(entries, entry{cmp.Or(l.Label, l.Key), styles[l.Key]})
			}
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.look.rank, b.look.rank) })
	return entries
}

// WriteCSV writes a row per point: panel, key, label, x, y, err. What is not finite is
// empty. A panel without a title goes by its number.
func (c *Chart) WriteCSV(w io.Writer) error {
	if err := c.Validate(); err != nil {
		return err
	}
	t := newTable(w, "panel", "key", "label", "x", "y", "err")
	for i, p := range c.Panels {
		for _, l := range p.Lines {
			for k := range l.X {
				e := math.NaN()
				if l.Err != nil {
					e = l.Err[k]
				}
				x := number(l.X[k])
				if p.XLabels != nil {
					x = p.XLabels[int(l.X[k])]
				}
				t.row(p.name(fmt.Sprint(i+1)), l.Key, l.Label, x, number(l.Y[k]), number(e))
			}
		}
	}
	return t.close()
}
