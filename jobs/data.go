package jobs

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/stat"

	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/jobs/usage"
	"graphda/learners"
)

// trialData is one trial, loaded once for the many cells that run on it. It is not
// modified and workers share it.
type trialData struct {
	*samples.Trial
	drawnWith map[string]string // see drawnWith
	problem   *learners.Problem

	hindsight sync.Mutex
	least     map[int]float64 // by checkpoint: see leastLoss
}

func loadTrial(ds *samples.Dataset, trial int, loss string) (*trialData, error) {
	l, err := learners.LookupLoss(loss)
	if err != nil {
		return nil, err
	}
	t, err := ds.Load(trial, Labels(l))
	if err != nil {
		return nil, err
	}
	return &trialData{
		Trial: t, drawnWith: drawnWith(t.Metadata),
		problem: &learners.Problem{P: t.Train.P, Graph: t.Graph, Groups: t.Features.Groups,
			Truth: t.Features.Support()},
	}, nil
}

// Labels says which labels samples may have to be learned from under a loss.
func Labels(loss learners.Loss) samples.Labels {
	if loss.Classifies() {
		return samples.BinaryLabels
	}
	return samples.AnyLabels
}

// LossFor returns the loss of that name; without one the logistic loss if all labels of a trial are −1 and
// +1, else least squares.
func LossFor(t *samples.Trial, name string) (learners.Loss, error) {
	switch {
	case name != "":
		loss, err := learners.LookupLoss(name)
		if err != nil {
			return nil, &usage.Error{Err: err}
		}
		return loss, nil
	case t.Binary():
		return learners.Logistic{}, nil
	}
	return learners.LeastSquares{}, nil
}

// leastLoss returns the least loss that a fixed model could have suffered on the training
// samples up to a checkpoint: one on the true support if that is known, else any. It is
// NaN if no such model was found. All cells of a run ask for it with the same loss.
func (d *trialData) leastLoss(loss learners.Loss, checkpoint int) float64 {
	d.hindsight.Lock()
	defer d.hindsight.Unlock()
	if least, ok := d.least[checkpoint]; ok {
		return least
	}
	least, err := learners.Hindsight(loss, d.problem.P, d.Train.Row, d.Train.Y[:checkpoint], d.problem.Truth)
	if err != nil {
		least = nan
	}
	if d.least == nil {
		d.least = map[int]float64{}
	}
	d.least[checkpoint] = least
	return least
}

// constantErrors returns the squared test error of predicting 0, and at each checkpoint that of
// predicting the mean of the training targets up to it; none under a loss that classifies.
func (d *trialData) constantErrors(loss string, checkpoints []int) (zero float64, mean []float64) {
	if l, err := learners.LookupLoss(loss); err != nil || l.Classifies() {
		return 0, nil
	}
	scores := make([]float64, d.Test.Rows())
	zero = metrics.MSE(scores, d.Test.Y)
	for _, n := range checkpoints {
		m := stat.Mean(d.Train.Y[:n], nil)
		for i := range scores {
			scores[i] = m
		}
		mean = append(mean, metrics.MSE(scores, d.Test.Y))
	}
	return zero, mean
}

// sampleSet returns a hash of the trial's samples that does not depend on their order and
// splits: two trials that have it in common are splits of the same samples.
func (d *trialData) sampleSet() string {
	var sum [4]uint64 // of all samples' hashes; a sum, that no two of them cancel out
	var row []byte
	for _, b := range []samples.Block{d.Train, d.Valid, d.Test} {
		for i, y := range b.Y {
			row = binary.LittleEndian.AppendUint64(row[:0], math.Float64bits(y))
			for _, v := range b.Row(i) {
				row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
			}
			hash := sha256.Sum256(row)
			for k := range sum {
				sum[k] += binary.LittleEndian.Uint64(hash[8*k:])
			}
		}
	}
	return fmt.Sprintf("%016x%016x%016x%016x", sum[0], sum[1], sum[2], sum[3])
}

func (d *trialData) edges() int {
	if d.problem.Graph == nil {
		return 0
	}
	return d.problem.Graph.NumEdges()
}

// sparse returns a model's nonzeros.
func sparse(m *learners.Model) results.Sparse {
	s := results.Sparse{Intercept: m.Intercept}
	for i, w := range m.W {
		if w != 0 {
			s.Index = append(s.Index, int32(i))
			s.Value = append(s.Value, w)
		}
	}
	return s
}
