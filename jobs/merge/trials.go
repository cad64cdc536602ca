package merge

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// trialsText names trials: "trial 3", "trials 0–4, 7".
func trialsText(trials []int) string {
	var parts []string
	for i := 0; i < len(trials); {
		end := i
		for end+1 < len(trials) && trials[end+1] == trials[end]+1 {
			end++
		}
		switch text := strconv.Itoa(trials[i]); end - i {
		case 0:
			parts = append(parts, text)
		case 1:
			parts = append(parts, text, strconv.Itoa(trials[end]))
		default:
			parts = append(parts, text+"–"+strconv.Itoa(trials[end]))
		}
		i = end + 1
	}
	if len(trials) == 1 {
		return "trial " + parts[0]
	}
	return "trials " + strings.Join(parts, ", ")
}

// compareTrials adds which value is in which trials of those that are not alike in something: "mu is 0.3 in trials
// 0–2, 0.5 in trial 3". An empty value is not known.
func compareTrials(found []string, trials []Trial, what string, value func(*Trial) string) []string {
	const shown = 4
	var values []string
	having := map[string][]int{}
	for i := range trials {
		v := value(&trials[i])
		if v == "" {
			continue
		}
		if having[v] == nil {
			values = append(values, v)
		}
		having[v] = append(having[v], trials[i].Trial)
	}
	if len(values) < 2 {
		return found
	}
	var parts []string
	for _, v := range values[:min(shown, len(values))] {
		slices.Sort(having[v])
		parts = append(parts, v+" in "+trialsText(having[v]))
	}
	if more := len(values) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return append(found, what+" is "+strings.Join(parts, ", "))
}

// unlikeSettings tells with which settings the trials of a dataset were drawn differently, by
// key. Their means would be of no distribution anyone asked about.
func unlikeSettings(trials []Trial) (found []string) {
	keys := map[string]bool{}
	for i := range trials {
		for key := range trials[i].Metadata {
			keys[key] = true
		}
	}
	delete(keys, trialKey)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		found = compareTrials(found, trials, key, func(t *Trial) string {
			if v, ok := t.Metadata[key]; ok {
				return strconv.Quote(v)
			}
			return "not given"
		})
	}
	return found
}

// CheckTrials refuses a dataset whose trials were not drawn alike.
func CheckTrials(dataset string, trials []Trial) error {
	texts := unlikeSettings(trials)
	if len(texts) == 0 {
		return nil
	}
	return fmt.Errorf("the trials of dataset %s were not drawn alike and cannot be averaged: %s; "+
		"plan those of one kind only, with --trials", dataset, strings.Join(texts, "; "))
}

// A Constant is a prediction that nothing was learned for.
type Constant struct {
	Name, Label string
	MSE         []float64 // on the test split, by trial
}

// Constants returns what predicting constants gives at a checkpoint, nothing if that is not known
// of every trial.
func (g *Grid) Constants(dataset string, checkpoint int) []Constant {
	zero, mean := Constant{Name: "zero", Label: "Always 0"}, Constant{Name: "training-mean", Label: "Train mean"}
	k := slices.Index(g.plan.Checkpoints, checkpoint)
	for _, t := range g.plan.Trials[dataset] {
		if k < 0 || k >= len(t.MeanMSE) {
			return nil
		}
		zero.MSE, mean.MSE = append(zero.MSE, t.ZeroMSE), append(mean.MSE, t.MeanMSE[k])
	}
	if len(zero.MSE) == 0 {
		return nil
	}
	return []Constant{zero, mean}
}

// Stat sums up the constant's error over the trials.
func (c *Constant) Stat() Stat { return statOf(slices.Clone(c.MSE)) }

// Unlike tells in which sizes the trials of a dataset differ. They may be averaged, but who reads the mean ought to
// know.
func (g *Grid) Unlike(dataset string) (found []string) {
	for _, size := range []struct {
		what string
		of   func(*Trial) int
	}{
		{"the number of training samples", func(t *Trial) int { return t.Train }},
		{"the number of features", func(t *Trial) int { return t.Features }},
		{"the number of edges", func(t *Trial) int { return t.Edges }},
		{"the number of features of the true support", func(t *Trial) int { return t.Support }},
	} {
		found = compareTrials(found, g.plan.Trials[dataset], size.what, func(t *Trial) string {
			if n := size.of(t); n > 0 {
				return strconv.Itoa(n)
			}
			return ""
		})
	}
	return found
}

// Overlap tells how far the trials of a dataset are from independent: 0 if each has samples
// of its own; if any two are splits of the same samples, the number of test samples for one
// training sample, the largest of all trials; NaN if that is not known.
func (g *Grid) Overlap(dataset string) float64 {
	trials, pools, shared := g.plan.Trials[dataset], map[string]bool{}, false
	overlap := 0.0
	for _, t := range trials {
		shared = shared || t.Pool != "" && pools[t.Pool]
		pools[t.Pool] = true
		if t.Train == 0 || t.Test == 0 {
			overlap = math.NaN()
		} else {
			overlap = math.Max(overlap, float64(t.Test)/float64(t.Train)) // NaN stays
		}
	}
	if !shared {
		return 0
	}
	return overlap
}

// check refuses datasets whose trials were not drawn alike.
func (plan *Plan) check() error {
	for _, dataset := range slices.Sorted(maps.Keys(plan.Trials)) {
		if err := CheckTrials(dataset, plan.Trials[dataset]); err != nil {
			return err
		}
	}
	return nil
}
