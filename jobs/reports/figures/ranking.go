package figures

import (
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

// A Ranking is a critical-difference diagram (J. Demšar, Statistical comparisons of classifiers over multiple data
// sets, Journal of Machine Learning Research 7, 2006). Each method has a line at its mean rank, the best method at the
// top. Bars join methods that do not differ.
type Ranking struct {
	Info
	Axis   string // label of the axis of ranks
	Ranked []Ranked
	Bars   [][2]int // indices in Ranked of the first and the last method of each bar
}

// A Ranked is a method with its mean rank.
type Ranked struct {
	Key   string // decides the look, e.g. "graphda"
	Label string
	Rank  float64 // mean rank; 1 is best
}

const (
	rankingWidth = 96 * millimetre // narrow enough for a phone
	barWidth     = 6               // space for each bar, in points
)

// Parts returns the diagram. Each line has a label, so there is no legend.
func (r *Ranking) Parts() Parts {
	n := len(r.Ranked)
	if n == 0 {
		return Parts{Columns: 1}
	}
	p := Piece{Letters: tickSize, size: vg.Point{X: rankingWidth, Y: 2.4*lineHeight + lineHeight*vg.Length(n) + 2*margin},
		paint: r.paint}
	if slices.Contains(r.Bars, [2]int{0, n - 1}) {
		p.Note = "No two methods differ: one bar joins them all."
	}
	return Parts{Columns: 1, Pieces: []Piece{p}}
}

func (r *Ranking) paint(c draw.Canvas) {
	c = draw.Crop(c, margin, -margin, margin, -margin)
	n := len(r.Ranked)
	keys, label := make([]string, n), vg.Length(0)
	for i, m := range r.Ranked {
		keys[i] = m.Key
		label = max(label, min(0.4*c.Size().X, words(labelSize).Width(canvas.Spell(m.label()))))
	}
	axis := draw.Crop(c, label+2*labelGap, -barWidth*vg.Length(len(r.Bars))-labelGap, 0, -2.4*lineHeight)
	at := func(rank float64) vg.Length { return axis.X((rank - 0.8) / (float64(n) - 0.6)) }
	row := func(i int) vg.Length { return axis.Max.Y - lineHeight*(vg.Length(i)+0.5) }
	var grid, bars vg.Path
	for i := range n {
		x := at(float64(i + 1))
		canvas.Segment(&grid, x, axis.Max.Y, x, axis.Min.Y)
		style := aligned(tickSize, draw.XCenter, draw.YBottom)
		axis.FillText(style, vg.Point{X: x, Y: axis.Max.Y + tickGap}, strconv.Itoa(i+1))
	}
	canvas.Stroke(c, draw.LineStyle{Color: hair, Width: 0.5}, grid)
	write(c, r.Axis, aligned(labelSize, draw.XCenter, draw.YTop), vg.Point{X: axis.Center().X, Y: c.Max.Y}, c.Size().X)
	styles := looks(keys)
	for i, m := range r.Ranked {
		write(c, m.label(), aligned(labelSize, draw.XLeft, middle), vg.Point{X: c.Min.X, Y: row(i)}, label+1)
		look := styles[m.Key]
		c.StrokeLine2(look.line(), axis.Min.X, row(i), at(m.Rank), row(i))
		look.mark.draw(c, look.style, []vg.Point{{X: at(m.Rank), Y: row(i)}})
	}
	for i, b := range r.Bars {
		x := axis.Max.X + barWidth*(vg.Length(i)+0.5) + labelGap
		canvas.Segment(&bars, x, row(b[0])+lineHeight/3, x, row(b[1])-lineHeight/3)
	}
	canvas.Stroke(c, draw.LineStyle{Color: ink, Width: 2.2}, bars)
}

func (m *Ranked) label() string { return m.Label + "  " + strconv.FormatFloat(m.Rank, 'f', 2, 64) }

// Data returns a row for each method. The column "bars" has the numbers of the method's bars, from 1.
func (r *Ranking) Data() [][]string {
	rows := [][]string{{"key", "label", "rank", "bars"}}
	for i, m := range r.Ranked {
		var bars []string
		for k, b := range r.Bars {
			if b[0] <= i && i <= b[1] {
				bars = append(bars, strconv.Itoa(k+1))
			}
		}
		rows = append(rows, []string{m.Key, m.Label, number(m.Rank), strings.Join(bars, " ")})
	}
	return rows
}
