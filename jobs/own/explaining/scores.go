package explaining

import (
	"cmp"
	"math"
	"slices"

	"graphda/jobs/reports/figures"
	"graphda/learners/cox"
)

// These are texts about figures of scores, for several commands.
const (
	ROCCaption    = "Shares of both classes that are called positive, for every threshold of the score."
	ThirdsCaption = "Share of samples without an event over time, for the thirds of samples with the lowest, middle and " +
		"highest scores."
	TenthsCaption = "Samples are sorted by prediction and divided into ten groups; each point is the mean of a group."
	CIndexNote    = "C-index: among pairs of samples whose order of events is known, the share in which the sample with " +
		"the earlier event has the higher score (Harrell's C)."
)

func ranked(scores []float64) []int {
	at := make([]int, len(scores))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	return at
}

// ROC draws the sensitivity over the rate of false alarms for all thresholds. Labels are −1 and 1.
func ROC(scores, labels []float64) figures.Panel {
	line := figures.Line{Key: "best", Label: "model", Points: []figures.Point{{}}}
	negative, positive := classes(labels)
	at := ranked(scores)
	slices.Reverse(at)
	found, alarms := 0.0, 0.0
	for k, i := range at {
		if labels[i] > 0 {
			found++
		} else {
			alarms++
		}
		if k+1 == len(at) || scores[at[k+1]] != scores[i] { // samples with equal scores share a threshold
			line.Points = append(line.Points, figures.Point{X: alarms / negative, Y: found / positive})
		}
	}
	guess := figures.Line{Key: "median", Label: "guessing", Points: []figures.Point{{}, {X: 1, Y: 1}}}
	return figures.Panel{XLabel: "false positives, share of the negative class",
		YLabel: "true positives, share of the positive class", YHigh: 1, Lines: []figures.Line{line, guess}}
}

func classes(labels []float64) (negative, positive float64) {
	for _, y := range labels {
		if y > 0 {
			positive++
		} else {
			negative++
		}
	}
	return negative, positive
}

const bins = 20

// Histograms draws the distribution of scores of both classes.
func Histograms(scores, labels []float64, negative, positive string, threshold float64) figures.Panel {
	lines := []figures.Line{{Key: "median", Label: negative, Filled: true}, {Key: "best", Label: positive, Filled: true}}
	n := [2]float64{}
	n[0], n[1] = classes(labels)
	low, width := slices.Min(scores), (slices.Max(scores)-slices.Min(scores))/bins
	var shares [2][bins]float64
	for i, z := range scores {
		class, bin := int((1+labels[i])/2), 0
		if width > 0 {
			bin = min(bins-1, int((z-low)/width))
		}
		shares[class][bin] += 1 / n[class]
	}
	for class := range lines {
		line := &lines[class]
		line.Points = []figures.Point{{X: low}}
		for bin, share := range shares[class] {
			line.Points = append(line.Points, figures.Point{X: low + width*float64(bin), Y: share},
				figures.Point{X: low + width*float64(bin+1), Y: share})
		}
		line.Points = append(line.Points, figures.Point{X: low + width*bins})
	}
	return figures.Panel{XLabel: "score", YLabel: "share of the class", Marks: []float64{threshold}, Lines: lines}
}

// Survival draws the survival of the thirds of the samples by score, with the numbers at risk. A negative time is a
// censored time.
func Survival(scores, times []float64, xLabel string) figures.Panel {
	lines := []figures.Line{{Key: "best", Label: "lowest scores"}, {Key: "median", Label: "middle"},
		{Key: "worst", Label: "highest scores"}}
	p := figures.Panel{XLabel: xLabel, YLabel: "share without an event", YHigh: 1, Lines: lines}
	at := ranked(scores)
	for k := range lines {
		var y []float64
		for _, i := range at[k*len(at)/len(lines) : (k+1)*len(at)/len(lines)] {
			y = append(y, times[i])
		}
		points := []figures.Point{{Y: 1}}
		for _, b := range cox.New(y, nil).Baselines(make([]float64, len(y))) {
			for j, time := range b.Times {
				points = append(points, figures.Point{X: time, Y: points[len(points)-1].Y},
					figures.Point{X: time, Y: math.Exp(-b.Hazard[j])})
			}
			points = append(points, figures.Point{X: b.Last, Y: points[len(points)-1].Y})
		}
		lines[k].Points = points
		p.Counts = append(p.Counts, figures.Count{Key: lines[k].Key, At: func(time float64) (n int) {
			for _, v := range y {
				if math.Abs(v) >= time {
					n++
				}
			}
			return n
		}})
	}
	return p
}

// Tenths divides the samples into tenths by score. `of` returns a point for each sample, and Tenths draws the mean of
// each tenth's points.
func Tenths(scores, labels []float64, xLabel, yLabel string, of func(z, y float64) (float64, float64)) figures.Panel {
	model := figures.Line{Key: "best", Label: "model"}
	at, parts := ranked(scores), min(10, len(scores))
	for k := range parts {
		var mean figures.Point
		part := at[k*len(at)/parts : (k+1)*len(at)/parts]
		for _, i := range part {
			x, y := of(scores[i], labels[i])
			mean.X, mean.Y = mean.X+x/float64(len(part)), mean.Y+y/float64(len(part))
		}
		model.Points = append(model.Points, mean)
	}
	low, high := model.Points[0].X, model.Points[parts-1].X
	equal := figures.Line{Key: "median", Label: "equal", Points: []figures.Point{{X: low, Y: low}, {X: high, Y: high}}}
	return figures.Panel{XLabel: xLabel, YLabel: yLabel, Lines: []figures.Line{model, equal}}
}
