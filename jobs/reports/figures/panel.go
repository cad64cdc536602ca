package figures

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"golang.org/x/image/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

const (
	tickLength = 3
	tickGap    = 2 // space between a tick and its label, in points
	labelGap   = 4 // space between the ticks' labels and the axis' label, in points
)

type view struct {
	Panel
	x, y  axis
	looks map[string]look
	named bool // lines have names at their ends
}

// newView adds axes to the panel p, for a drawing of about the given size.
func newView(p Panel, looks map[string]look, size vg.Point) view {
	v := view{Panel: p, looks: looks}
	x, y := p.extent()
	if x.empty() {
		return v
	}
	style, width := tickStyle(draw.XCenter, draw.YTop), size.X*0.75
	wholeX, wholeY := p.whole()
	v.x = axis{span: x}
	if p.XLabels != nil {
		v.x.ticks = namedTicks(p.XLabels, style, width)
	} else {
		v.x.ticks = roomyTicks(x, wholeX, style, width)
	}
	v.y = axis{span: y, logarithmic: p.LogY}
	if p.LogY {
		v.y.ticks = logTicks(y)
	} else {
		v.y.ticks = niceTicks(y, 6, wholeY && p.YLow == math.Trunc(p.YLow) && p.YHigh == math.Trunc(p.YHigh))
	}
	return v
}

func (v view) empty() bool { return v.x.ticks == nil }

func tickStyle(x text.XAlignment, y text.YAlignment) text.Style { return aligned(tickSize, x, y) }

type margins struct{ left, right, below, above vg.Length }

func (v view) margins() margins {
	style := tickStyle(draw.XRight, draw.YCenter)
	m := margins{above: style.Height("0") / 2}
	for _, t := range v.y.ticks {
		m.left = max(m.left, style.Width(t.Label)+tickLength+tickGap)
	}
	for _, t := range v.x.ticks {
		m.below, m.right = style.Height("0")+tickLength, style.Width(t.Label)/2
	}
	if v.YLabel != "" {
		m.left += words(labelSize).Height("0") + labelGap
	}
	m.below += countHeight * vg.Length(len(v.Counts))
	for _, l := range v.Lines {
		if v.named {
			m.right = max(m.right, nameGap+v.nameStyle(l).Width(canvas.Spell(cmp.Or(l.Label, l.Key))))
		}
	}
	if v.XLabel != "" {
		m.below += words(labelSize).Height("0") + labelGap/2
	}
	return m
}

func (m *margins) cover(n margins) {
	m.left, m.right = max(m.left, n.left), max(m.right, n.right)
	m.below, m.above = max(m.below, n.below), max(m.above, n.above)
}

// draw draws the data inside c, and the axes in the margins around c.
func (v view) draw(c draw.Canvas, m margins) {
	size := c.Size()
	if !v.empty() {
		v.drawGrid(c)
		lines := slices.Clone(v.Lines)
		slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(v.looks[a.Key].rank, v.looks[b.Key].rank) })
		aside := v.aside(lines, c.Size().X)
		for i, l := range lines {
			curve{l, v.looks[l.Key], v.x, v.y, aside * (vg.Length(i) - vg.Length(len(lines)-1)/2),
				v.named && v.subject() && v.looks[l.Key].width < subjectWidth}.draw(c)
		}
		if v.named {
			v.drawNames(c, lines)
		}
	} else {
		write(c, "no data", coloured(aligned(labelSize, draw.XCenter, draw.YCenter), faint), c.Center(), size.X)
	}
	v.drawAxes(c)
	write(c, v.XLabel, aligned(labelSize, draw.XCenter, draw.YBottom), vg.Point{X: c.Center().X, Y: c.Min.Y - m.below},
		size.X)
	label, style := canvas.Fit(v.YLabel, aligned(labelSize, draw.XCenter, draw.YTop), size.Y+m.above)
	style.Rotation = math.Pi / 2
	c.FillText(style, vg.Point{X: c.Min.X - m.left, Y: c.Center().Y}, label)
}

const (
	subjectWidth = 1.5 // least width of the subject's line, in points
	nameGap      = 10  // space between the end of a line and its name, in points
	countHeight  = 9.5
)

// subject tells whether the panel has a line of the chart's subject (see subjectWidth).
func (v view) subject() bool {
	return slices.ContainsFunc(v.Lines, func(l Line) bool { return v.looks[l.Key].width >= subjectWidth })
}

// nameStyle returns the style of the name at a line's end. The subject's name is bold.
func (v view) nameStyle(l Line) text.Style {
	s := aligned(tickSize, draw.XLeft, middle)
	if v.looks[l.Key].width >= subjectWidth {
		s.Font.Weight = font.WeightBold
	}
	return s
}

// drawNames writes each name close to its line's end. Names do not overlap.
func (v view) drawNames(c draw.Canvas, lines []Line) {
	type end struct {
		Line
		from vg.Length
	}
	var ends []end
	for _, l := range lines {
		if at := slices.IndexFunc(l.Points, func(p Point) bool { return p.drawable(v.LogY) }); at >= 0 {
			last := l.Points[at]
			for _, p := range l.Points[at:] {
				if p.drawable(v.LogY) {
					last = p
				}
			}
			y := max(c.Min.Y, min(c.Max.Y, c.Y(v.y.at(last.Y))))
			ends = append(ends, end{l, y})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.from, b.from) })
	at := make([]vg.Length, len(ends))
	for i, e := range ends {
		at[i] = e.from
	}
	canvas.Spread(at, c.Min.Y, c.Max.Y, tickSize+1)
	for i, e := range ends {
		look := v.looks[e.Key]
		look.width = 0.5
		c.StrokeLine2(look.line(), c.Max.X, e.from, c.Max.X+nameGap-2, at[i])
		c.FillText(v.nameStyle(e.Line), vg.Point{X: c.Max.X + nameGap, Y: at[i]}, canvas.Spell(cmp.Or(e.Label, e.Key)))
	}
}

// aside returns the shift between neighbouring lines that keeps their error bars apart.
func (v view) aside(lines []Line, width vg.Length) vg.Length {
	const most, share = 0.9, 0.6
	least := math.Inf(1)
	for _, l := range lines {
		for i := 1; i < len(l.Points) && l.Errors == Bars; i++ {
			if d := math.Abs(v.x.at(l.Points[i].X) - v.x.at(l.Points[i-1].X)); d > 0 {
				least = min(least, d)
			}
		}
	}
	if v.bars() < 2 || math.IsInf(least, 1) {
		return 0
	}
	return min(most, vg.Length(share*least)*width/vg.Length(len(lines)))
}

// drawGrid draws the horizontal grid lines, and vertical lines at Panel.Marks.
func (v view) drawGrid(c draw.Canvas) {
	var lines, marks vg.Path
	for _, t := range v.y.ticks {
		if y := c.Y(v.y.at(t.Value)); !t.IsMinor() && c.ContainsY(y) {
			canvas.Segment(&lines, c.Min.X, y, c.Max.X, y)
		}
	}
	for _, at := range v.Marks {
		if finite(at) && at >= v.x.low && at <= v.x.high {
			x := c.X(v.x.at(at))
			canvas.Segment(&marks, x, c.Min.Y, x, c.Max.Y)
		}
	}
	canvas.Stroke(c, draw.LineStyle{Color: hair, Width: 0.5}, lines)
	canvas.Stroke(c, draw.LineStyle{Color: faint, Width: 0.7, Dashes: patterns[dotted]}, marks)
}

func (v view) drawAxes(c draw.Canvas) {
	var p vg.Path
	p.Move(vg.Point{X: c.Min.X, Y: c.Max.Y})
	p.Line(c.Min)
	p.Line(vg.Point{X: c.Max.X, Y: c.Min.Y})
	for _, t := range v.x.ticks {
		x := c.X(v.x.at(t.Value))
		if t.IsMinor() {
			canvas.Segment(&p, x, c.Min.Y, x, c.Min.Y-vg.Length(tickLength)/2)
			continue
		}
		canvas.Segment(&p, x, c.Min.Y, x, c.Min.Y-tickLength)
		c.FillText(tickStyle(draw.XCenter, draw.YTop), vg.Point{X: x, Y: c.Min.Y - tickLength}, t.Label)
		for i, n := range v.Counts {
			c.FillText(coloured(tickStyle(draw.XCenter, draw.YTop), v.looks[n.Key].color),
				vg.Point{X: x, Y: c.Min.Y - tickLength - countHeight*vg.Length(i+1)}, strconv.Itoa(n.At(t.Value)))
		}
	}
	for _, t := range v.y.ticks {
		y, length := c.Y(v.y.at(t.Value)), vg.Length(tickLength)
		if t.IsMinor() {
			length /= 2
		}
		canvas.Segment(&p, c.Min.X, y, c.Min.X-length, y)
		c.FillText(tickStyle(draw.XRight, middle), vg.Point{X: c.Min.X - tickLength - tickGap, Y: y}, t.Label)
	}
	canvas.Stroke(c, draw.LineStyle{Color: ink, Width: 0.6}, p)
}
