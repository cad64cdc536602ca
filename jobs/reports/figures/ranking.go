package figures

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Ranking is a critical-difference diagram: mean ranks on an axis, the best at the left, each
// joined to its label, and bars below the axis over those that do not differ. J. Demšar, Statistical
// comparisons of classifiers over multiple data sets, Journal of Machine Learning Research 7 (2006).
type Ranking struct {
	Info
	Axis   string // what the ranks are, above them
	Ranked []Ranked
	Bars   [][2]int // the first and the last of Ranked that a bar joins
}

var _ Figure = (*Ranking)(nil)

// A Ranked is a method with its mean rank.
type Ranked struct {
	Key   string // decides what it looks like, e.g. "graphda"
	Label string
	Rank  float64 // from 1, of the best, to the number of methods; not less than the one before
}

// Validate returns what contradicts itself.
func (r *Ranking) Validate() error {
	least := 1.0
	for i, m := range r.Ranked {
		if !(m.Rank >= least && m.Rank <= float64(len(r.Ranked))) {
			return fmt.Errorf("figures: ranking %q: rank %v of %q at place %d; allowed are %v, no less than before, to %d",
				r.Name, m.Rank, m.Key, i, least, len(r.Ranked))
		}
		least = m.Rank
	}
	for _, b := range r.Bars {
		if b[0] < 0 || b[0] >= b[1] || b[1] >= len(r.Ranked) {
			return fmt.Errorf("figures: ranking %q: a bar from place %d to %d of %d", r.Name, b[0], b[1], len(r.Ranked))
		}
	}
	return nil
}

const (
	rankingWidth = 96 * millimetre // which a phone shows with legible letters
	barLine      = 5               // points, the height of a row of bars
	barReach     = 3               // of a bar beyond the ranks that it joins
	labelReach   = 7               // of a label's line beyond the axis
)

// halves is how many methods have their labels at the left; the others have theirs at the right.
func (r *Ranking) halves() (left, right int) {
	left = (len(r.Ranked) + 1) / 2
	return left, len(r.Ranked) - left
}

// levels gives each bar a row below the axis such that no two of a row touch.
func (r *Ranking) levels() (levels []int, rows int) {
	var ends []int // the last place that is covered, by row
	for _, b := range r.Bars {
		level := slices.IndexFunc(ends, func(end int) bool { return r.Ranked[end].Rank < r.Ranked[b[0]].Rank-0.5 })
		if level < 0 {
			level, ends = len(ends), append(ends, b[1])
		}
		ends[level] = b[1]
		levels = append(levels, level)
	}
	return levels, len(ends)
}

func (r *Ranking) size() vg.Point {
	left, _ := r.halves()
	_, rows := r.levels()
	below := barLine*vg.Length(rows+1) + lineHeight*vg.Length(max(1, left))
	return vg.Point{X: rankingWidth, Y: r.above() + below + 2*margin}
}

// above is the room above the axis.
func (r *Ranking) above() vg.Length {
	h := words(tickSize).Height("0") + tickLength + tickGap
	if r.Axis != "" {
		h += words(labelSize).Height("0") + labelGap
	}
	return h
}

// Parts are the diagram itself, whose labels explain its looks.
func (r *Ranking) Parts() Parts {
	return Parts{Columns: 1, Pieces: []Piece{{Letters: tickSize, size: r.size(), paint: r.paint}}}
}

// label is what stands beside a method's line.
func (m *Ranked) label() string { return m.Label + "  " + strconv.FormatFloat(m.Rank, 'f', 2, 64) }

func (r *Ranking) paint(dc draw.Canvas) {
	dc = draw.Crop(dc, margin, -margin, margin, -margin)
	if len(r.Ranked) == 0 {
		write(dc, "no data", coloured(aligned(labelSize, draw.XCenter, draw.YCenter), faint), dc.Center(), dc.Size().X)
		return
	}
	left, _ := r.halves()
	var widths [2]vg.Length // of the labels at the left and at the right
	for i := range r.Ranked {
		side := &widths[min(1, i/left)]
		*side = max(*side, min(0.36*dc.Size().X, words(labelSize).Width(spell(r.Ranked[i].label()))))
	}
	beside := vg.Length(labelReach + labelGap)
	axis := draw.Crop(dc, widths[0]+beside, -widths[1]-beside, 0, -r.above())
	at := func(rank float64) vg.Length {
		return axis.X((rank - 1) / max(1, float64(len(r.Ranked)-1)))
	}
	r.drawMethods(axis, at, widths)
	r.drawBars(axis, at)
	r.drawAxis(axis, at)
}

// drawMethods draws a line from each rank on the axis to its label: those nearest to an end of
// the axis have the highest labels, so that no lines cross.
func (r *Ranking) drawMethods(axis draw.Canvas, at func(float64) vg.Length, widths [2]vg.Length) {
	keys := make([]string, len(r.Ranked))
	for i, m := range r.Ranked {
		keys[i] = m.Key
	}
	styles := looks(keys)
	_, rows := r.levels()
	top := axis.Max.Y - barLine*vg.Length(rows+1)
	left, _ := r.halves()
	for i, m := range r.Ranked {
		row, end, away, style := i, axis.Min.X-labelReach, vg.Length(-labelGap), aligned(labelSize, draw.XRight, middle)
		width := widths[0]
		if i >= left {
			row, end, away, style = len(r.Ranked)-1-i, axis.Max.X+labelReach, labelGap, aligned(labelSize, draw.XLeft, middle)
			width = widths[1]
		}
		x, y := at(m.Rank), top-lineHeight*(vg.Length(row)+0.5)
		var p vg.Path
		p.Move(vg.Point{X: x, Y: axis.Max.Y})
		p.Line(vg.Point{X: x, Y: y})
		p.Line(vg.Point{X: end, Y: y})
		look := styles[m.Key]
		stroke(axis, look.line(), p)
		look.mark.draw(axis, look.style, []vg.Point{{X: x, Y: axis.Max.Y}})
		write(axis, m.label(), style, vg.Point{X: end + away, Y: y}, width)
	}
}

func (r *Ranking) drawBars(axis draw.Canvas, at func(float64) vg.Length) {
	levels, _ := r.levels()
	var p vg.Path
	for i, b := range r.Bars {
		y := axis.Max.Y - barLine*vg.Length(levels[i]+1)
		segment(&p, at(r.Ranked[b[0]].Rank)-barReach, y, at(r.Ranked[b[1]].Rank)+barReach, y)
	}
	stroke(axis, draw.LineStyle{Color: ink, Width: 2.2}, p)
}

func (r *Ranking) drawAxis(axis draw.Canvas, at func(float64) vg.Length) {
	var p vg.Path
	segment(&p, axis.Min.X, axis.Max.Y, axis.Max.X, axis.Max.Y)
	style := aligned(tickSize, draw.XCenter, draw.YBottom)
	for rank := 1; rank <= len(r.Ranked); rank++ {
		x := at(float64(rank))
		segment(&p, x, axis.Max.Y, x, axis.Max.Y+tickLength)
		axis.FillText(style, vg.Point{X: x, Y: axis.Max.Y + tickLength + tickGap}, strconv.Itoa(rank))
	}
	stroke(axis, draw.LineStyle{Color: ink, Width: 0.6}, p)
	above := axis.Max.Y + tickLength + tickGap + style.Height("0") + labelGap/2
	write(axis, r.Axis, aligned(labelSize, draw.XCenter, draw.YBottom), vg.Point{X: axis.Center().X, Y: above},
		rankingWidth-2*margin)
}

// WriteCSV writes a row per method: key, label, rank, and the bars over it, by their numbers from 1.
func (r *Ranking) WriteCSV(w io.Writer) error {
	if err := r.Validate(); err != nil {
		return err
	}
	t := newTable(w, "key", "label", "rank", "bars")
	for i, m := range r.Ranked {
		bars := ""
		for k, b := range r.Bars {
			if b[0] <= i && i <= b[1] {
				if bars != "" {
					bars += " "
				}
				bars += strconv.Itoa(k + 1)
			}
		}
		t.row(m.Key, m.Label, number(m.Rank), bars)
	}
	return t.close()
}
