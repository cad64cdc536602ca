package experiment

import (
	"math"
	"slices"
	"strconv"

	"graphda/learners"
)

// Beyond returns n values that continue ascending values of a parameter past the smallest or, if
// largest, past the largest of them, nearest first. They go on as the values do: by decades
// (1, 5, 10: 50, 100), by equal steps (10, 15, 20: 25, 30), else by the ratio of the last two. Of a parameter
// of whole numbers, steps come before decades. There are fewer than n where the parameter ends, on
// so many features; then the last one is its bound, if that is allowed.
func Beyond(values []float64, largest bool, n int, p *learners.Param, features int) []float64 {
	known := slices.Clone(values) // from the edge inwards
	if largest {
		slices.Reverse(known)
	}
	ways := []func([]float64) (float64, bool){byDecades, bySteps, byRatio}
	if p.Integer {
		ways = []func([]float64) (float64, bool){bySteps, byDecades, byRatio}
	}
	least, most := p.Bounds(features)
	var found []float64
	for len(found) < n && len(known) > 1 {
		v, ok := next(known, ways, p)
		if bound := pick(largest, most, least); !ok || v < least || v > most {
			v = bound
		}
		if v == known[0] || math.IsInf(v, 0) || p.Check(v) != nil {
			break
		}
		found = append(found, v)
		known = slices.Insert(known, 0, v)
	}
	return found
}

func pick(largest bool, most, least float64) float64 {
	if largest {
		return most
	}
	return least
}

// next is the value beyond the first of the known ones, by the first way that gives one that is
// allowed, or at least beyond it.
func next(known []float64, ways []func([]float64) (float64, bool), p *learners.Param) (float64, bool) {
	ascending, beyond, found := known[0] > known[1], 0.0, false
	for _, way := range ways {
		v, ok := way(known)
		if p.Integer {
			v = math.Round(v)
		}
		if v = toDigits(v, 12); !ok || v == known[0] || v > known[0] != ascending {
			continue
		}
		if p.Check(v) == nil {
			return v, true
		}
		beyond, found = v, true
	}
	return beyond, found
}

// byDecades takes the value that is one inside of the edge's tenfold, or tenth, and puts it beyond:
// of 5, 10, 50, 100 it knows that 50 follows on 10, and puts 500.
func byDecades(known []float64) (float64, bool) {
	factor := 10.0
	if known[0] < known[1] {
		factor = 0.1
	}
	for i := 1; i < len(known); i++ {
		if math.Abs(known[i]*factor/known[0]-1) < 1e-9 {
			return known[i-1] * factor, true
		}
	}
	return 0, false
}

// bySteps goes on by the step of the last three values.
func bySteps(known []float64) (float64, bool) {
	if len(known) < 3 {
		return 0, false
	}
	step, before := known[0]-known[1], known[1]-known[2]
	if math.Abs(step-before) > 1e-9*math.Abs(step) {
		return 0, false
	}
	v := known[0] + step
	if math.Abs(v) < 1e-9*math.Abs(step) {
		v = 0
	}
	return v, true
}

// byRatio goes on by the ratio of the last two values, to three digits where they suffice.
func byRatio(known []float64) (float64, bool) {
	if known[1] == 0 || known[0] == 0 {
		return 0, false
	}
	v := known[0] * (known[0] / known[1])
	if short := toDigits(v, 3); short != known[0] && short > known[0] == (v > known[0]) {
		v = short
	}
	return v, true
}

// toDigits rounds a number to so many decimal digits: to 12, it takes what arithmetic has added to
// one that a person would write.
func toDigits(v float64, digits int) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		return v
	}
	return short
}
