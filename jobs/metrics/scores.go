package metrics

import (
	"cmp"
	"math"
	"slices"
)

// Classification holds the measures of scores for labels in {−1,+1}.
type Classification struct {
	Accuracy         float64
	BalancedAccuracy float64
	AUC              float64
}

// An Evaluator computes measures of classification. It allocates memory only if an input is longer than all earlier
// inputs. The zero Evaluator is ready. It is not safe for concurrent use.
type Evaluator struct {
	positive, negative []float64
}

// Classify returns the measures of the scores. Labels > 0 are the positive class. Classify panics if the lengths
// differ.
func (e *Evaluator) Classify(scores, labels []float64) Classification {
	e.split(scores, labels)
	np, nn := len(e.positive), len(e.negative)
	tp := countCorrect(e.positive, +1)
	tn := countCorrect(e.negative, -1)
	return Classification{
		Accuracy:         float64(tp+tn) / float64(np+nn),
		BalancedAccuracy: (float64(tp)/float64(np) + float64(tn)/float64(nn)) / 2,
		AUC:              e.auc(),
	}
}

// ClassifyWeighted is like Classify, but sample i counts weights[i] ≥ 0 times. If weights is nil, every weight is 1.
// For the AUC, samples are drawn with probabilities proportional to their weights.
func (e *Evaluator) ClassifyWeighted(scores, labels, weights []float64) Classification {
	if weights == nil {
		return e.Classify(scores, labels)
	}
	mustMatch(scores, labels)
	mustMatch(scores, weights)
	order := make([]int, len(scores))
	var of, right, equal [2]float64 // weights of all, correct and tied samples, by class, negative first
	for i, y := range labels {
		order[i] = i
		class := int(1+math.Copysign(1, y)) / 2
		if of[class] += weights[i]; correct(scores[i], y) {
			right[class] += weights[i]
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	below, area := 0.0, 0.0
	for k, i := range order {
		equal[int(1+math.Copysign(1, labels[i]))/2] += weights[i]
		if k+1 < len(order) && scores[order[k+1]] == scores[i] {
			continue
		}
		area += equal[1] * (below + equal[0]/2)
		below, equal = below+equal[0], [2]float64{}
	}
	c := Classification{Accuracy: (right[0] + right[1]) / (of[0] + of[1]),
		BalancedAccuracy: (right[0]/of[0] + right[1]/of[1]) / 2, AUC: area / (of[0] * of[1])}
	if len(order) > 0 && math.IsNaN(scores[order[0]]) { // NaN sorts first
		c.AUC = math.NaN()
	}
	return c
}

func (e *Evaluator) split(scores, labels []float64) {
	mustMatch(scores, labels)
	e.positive, e.negative = e.positive[:0], e.negative[:0]
	for i, z := range scores {
		if labels[i] > 0 {
			e.positive = append(e.positive, z)
		} else {
			e.negative = append(e.negative, z)
		}
	}
}

// auc computes the AUC of the split scores as a Mann–Whitney statistic, in O(n log n). It counts in
// integers, which is exact.
func (e *Evaluator) auc() float64 {
	pos, neg := e.positive, e.negative
	slices.Sort(pos)
	slices.Sort(neg)
	if len(pos) == 0 || len(neg) == 0 || math.IsNaN(pos[0]) || math.IsNaN(neg[0]) { // NaN sorts first
		return math.NaN()
	}
	var halves int64 // 2 for each pair in the right order, 1 for each tied pair
	below, upTo := 0, 0
	for _, z := range pos {
		for below < len(neg) && neg[below] < z {
			below++
		}
		for upTo < len(neg) && neg[upTo] <= z {
			upTo++
		}
		halves += int64(below) + int64(upTo)
	}
	return float64(halves) / (2 * float64(len(pos)) * float64(len(neg)))
}

// correct reports whether a score predicts the label. A score ≥ 0 predicts +1, and any other score −1.
func correct(score, label float64) bool {
	if label > 0 {
		return score >= 0
	}
	return score < 0
}

func countCorrect(scores []float64, label float64) (n int) {
	for _, z := range scores {
		if correct(z, label) {
			n++
		}
	}
	return n
}

// MSE returns the mean squared error of predictions. It panics if the lengths differ.
func MSE(predictions, targets []float64) float64 {
	mustMatch(predictions, targets)
	var sum float64
	for i, z := range predictions {
		d := z - targets[i]
		sum += float64(d * d) // float64() prevents a fused multiply-add, for the same bits on arm64
	}
	return sum / float64(len(predictions))
}

func mustMatch(scores, labels []float64) {
	if len(scores) != len(labels) {
		panic("metrics: scores and labels differ in length")
	}
}
