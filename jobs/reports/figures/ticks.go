package figures

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"graphda/jobs/reports/figures/canvas"
)

// niceTicks returns at most n labelled ticks, at multiples of 1, 2, 2.5 or 5 times a power of ten. If whole is set, the
// ticks are integers.
func niceTicks(s span, n int, whole bool) []plot.Tick {
	exponent := math.Floor(math.Log10((s.high-s.low)/float64(n))) - 1
	if whole {
		exponent = max(0, exponent)
	}
	for ; exponent <= 308; exponent++ {
		for _, m := range []float64{1, 2, 2.5, 5} {
			step, decimals := m*math.Pow(10, exponent), -int(exponent)
			if m == 2.5 {
				decimals++
			}
			first, last := math.Ceil(s.low/step-1e-9), math.Floor(s.high/step+1e-9)
			if !(last-first < float64(n)) || whole && step != math.Trunc(step) { // step may underflow to 0
				continue
			}
			ticks := make([]plot.Tick, int(last-first)+1)
			for i := range ticks {
				v := (first + float64(i)) * step
				ticks[i] = plot.Tick{Value: v, Label: canvas.Number(v, decimals)}
			}
			return ticks
		}
	}
	return []plot.Tick{}
}

// roomyTicks returns up to eight ticks. It returns fewer if their labels need more space.
func roomyTicks(s span, whole bool, style text.Style, width vg.Length) []plot.Tick {
	var ticks []plot.Tick
	for n := 8; n > 1; n-- {
		ticks = niceTicks(s, n, whole)
		need := vg.Length(0)
		for _, t := range ticks {
			need += style.Width(t.Label) + 7
		}
		if need <= width {
			break
		}
	}
	return ticks
}

// namedTicks returns a tick for each name, at 0, 1, 2 and so on. If space is short, it shows every second name, or
// every third, and so on.
func namedTicks(names []string, style text.Style, width vg.Length) []plot.Tick {
	widest := vg.Length(0)
	for _, name := range names {
		widest = max(widest, style.Width(name)+7)
	}
	stride := max(1, int(math.Ceil(float64(widest)*float64(len(names)-1)/float64(width))))
	ticks := make([]plot.Tick, len(names))
	for i, name := range names {
		if ticks[i].Value = float64(i); i%stride == 0 {
			ticks[i].Label = name
		}
	}
	return ticks
}

// logTicks returns the ticks of a logarithmic axis. It labels powers of ten, and other ticks if there are few.
func logTicks(s span) []plot.Tick {
	first, last := math.Floor(math.Log10(s.low)), math.Ceil(math.Log10(s.high))
	decades := math.Log10(s.high) - math.Log10(s.low)
	labelled := map[int]bool{1: true}
	if decades < 2.5 {
		labelled = map[int]bool{1: true, 2: true, 5: true}
	}
	stride := math.Ceil(decades / 6)
	var ticks []plot.Tick
	labels := 0
	for e := first; e <= last; e++ {
		for digit := 1; digit < 10; digit++ {
			v, err := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(int(e)), 64)
			if err != nil || v < s.low || v > s.high || digit > 1 && decades > 10 {
				continue
			}
			t := plot.Tick{Value: v}
			if labelled[digit] && math.Mod(e, stride) == 0 {
				t.Label = canvas.Number(v, max(0, -int(e)))
				labels++
			}
			ticks = append(ticks, t)
		}
	}
	if labels < 3 && decades < 2 {
		return niceTicks(s, 6, false)
	}
	return ticks
}
