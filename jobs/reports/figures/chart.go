package figures

import (
	"cmp"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Chart is a figure of panels in rows and columns.
type Chart struct {
	Info
	Panels  []Panel
	Columns int  // 0 means 1 for one panel, 2 for up to 4 panels, and 3 for more
	SharedY bool // all panels have the same y range
	Named   bool // lines have names at their ends; with a subject, no other line has a band
}

// panelSizes are the sizes of a panel with labels, in millimetres, for 1, 2, 3 and more columns. One panel is as wide
// as a column of text. Three panels are as wide as a page.
var panelSizes = []vg.Point{{X: 86, Y: 56}, {X: 62, Y: 46}, {X: 58, Y: 44}, {X: 45, Y: 38}}

// sampleWidth is the length of the sample line in a legend, in points.
const sampleWidth = 20

// Parts returns the panels as drawings. All data areas have the same size.
func (c *Chart) Parts() Parts {
	parts := Parts{Columns: c.Columns}
	if n := len(c.Panels); n > 0 && c.Columns == 0 {
		parts.Columns = [...]int{1, 2, 2, 2, 3}[min(n, 5)-1]
	}
	if c.Named { // names need space
		parts.Columns = min(parts.Columns, 2)
	}
	parts.Columns = max(1, min(parts.Columns, len(c.Panels)))
	size := panelSizes[min(parts.Columns, len(panelSizes))-1].Scale(millimetre)
	keys, first := c.legend()
	styles := looks(keys)
	var around margins
	for _, p := range c.settled() {
		v := newView(p, styles, size)
		v.named = c.Named
		around.cover(v.margins())
		parts.Pieces = append(parts.Pieces, Piece{Title: p.Title, Letters: tickSize, size: size, paint: func(dc draw.Canvas) {
			v.draw(draw.Crop(dc, 1+around.left, -1-around.right, 1+around.below, -1-around.above), around)
		}})
	}
	if c.Named {
		return parts
	}
	for _, key := range keys {
		l := styles[key]
		if len(first[key].Points) == 0 { // all lines with this key are empty
			continue
		}
		parts.Keys = append(parts.Keys, Key{cmp.Or(first[key].Label, key), Piece{
			size: vg.Point{X: sampleWidth + 2, Y: lineHeight},
			paint: func(dc draw.Canvas) {
				y := dc.Center().Y
				if !first[key].Apart {
					dc.StrokeLine2(l.line(), dc.Min.X+1, y, dc.Max.X-1, y)
				}
				if !first[key].Filled {
					l.mark.draw(dc, l.style, []vg.Point{dc.Center()})
				}
			}}})
	}
	return parts
}

// settled returns the panels. If SharedY is set, it gives all y axes the same range.
func (c *Chart) settled() []Panel {
	if !c.SharedY {
		return c.Panels
	}
	panels, all := slices.Clone(c.Panels), nothing()
	for _, p := range panels {
		if x, y := p.reach(); !x.empty() {
			all.add(y.low)
			all.add(y.high)
		}
	}
	for i := range panels {
		panels[i].YLow, panels[i].YHigh = all.low, all.high
	}
	return panels
}

// legend returns the keys of all lines, in the paper's order, and each key's first line with points.
func (c *Chart) legend() (keys []string, first map[string]Line) {
	first = map[string]Line{}
	for _, p := range c.Panels {
		for _, l := range p.Lines {
			known, named := first[l.Key]
			if !named {
				keys = append(keys, l.Key)
			}
			if len(known.Points) == 0 {
				first[l.Key] = l
			}
		}
	}
	styles := looks(keys)
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(styles[a].rank, styles[b].rank) })
	return keys, first
}

// Data returns a row for each point. A number that is not finite becomes an empty cell. A panel without name and title
// is named by its number.
func (c *Chart) Data() [][]string {
	rows := [][]string{{"panel", "key", "label", "x", "y", "err"}}
	for i, p := range c.Panels {
		for _, l := range p.Lines {
			for _, at := range l.Points {
				x, e := number(at.X), ""
				if p.XLabels != nil {
					x = p.XLabels[int(at.X)]
				}
				if l.Errors != NoErrors {
					e = number(at.Err)
				}
				rows = append(rows, []string{cmp.Or(p.Name, p.Title, strconv.Itoa(i+1)), l.Key, l.Label, x, number(at.Y), e})
			}
		}
	}
	return rows
}
