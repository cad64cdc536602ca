package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"

	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// A TrialData is a loaded trial. All workers that run cells on the trial share it, and no worker modifies it.
type TrialData struct {
	*samples.Trial
	drawnWith map[string]string // see the function drawnWith
	Problem   *learners.Problem
}

// LoadTrial reads and checks the given trial of the dataset.
func LoadTrial(ds *samples.Dataset, trial int, loss string) (*TrialData, error) {
	l, err := learners.LookupLoss(loss)
	if err != nil {
		return nil, err
	}
	t, err := ds.Load(trial, Labels(l))
	if err != nil {
		return nil, err
	}
	if t.Covariates != nil || t.Train.Weight != nil {
		return nil, fmt.Errorf("%s has covariates or weights of samples, which only gdrun tune and gdrun confidence use; "+
			"import it without --covariates, --batch and --sample-weight to compare methods", ds.Dir)
	}
	if samples.Times(t.Metadata) {
		return nil, times(ds.Dir)
	}
	drawn := drawnWith(t.Metadata)
	if t.Shared != "" && drawn != nil {
		drawn["digest of samples"] = t.Shared[:12]
	}
	return &TrialData{
		Trial: t, drawnWith: drawn,
		Problem: &learners.Problem{P: t.Train.P, Graph: t.Graph, Groups: t.Features.Groups,
			Truth: t.Features.Support()},
	}, nil
}

// Labels returns the kind of labels that the given loss can learn.
func Labels(loss learners.Loss) samples.Labels {
	if loss.Classifies() {
		return samples.BinaryLabels
	}
	return samples.AnyLabels
}

// times returns the error for survival times, which no experiment can use.
func times(of string) error {
	return userinput.Errorf("%s %w", of, samples.ErrTimes)
}

// LossFor returns the loss with the given name. Without a name, it returns the logistic loss if the labels of the trial
// are −1 and +1, and least squares if they are numbers. Two other labels, such as 0 and 1, may be classes. It refuses
// such labels, unless gdrun import was told that they are numbers.
func LossFor(t *samples.Trial, name string) (learners.Loss, error) {
	two := t.TwoLabels()
	switch {
	case samples.Times(t.Metadata):
		return nil, times(t.Dataset)
	case name != "":
		loss, err := learners.LookupLoss(name)
		if err != nil {
			return nil, &userinput.Error{Err: err}
		}
		return loss, nil
	case two == nil || t.Metadata["task"] == "regression":
		return learners.LeastSquares{}, nil
	case math.Abs(two[0]) == 1 && math.Abs(two[len(two)-1]) == 1:
		return learners.Logistic{}, nil
	case len(two) < 2:
		return learners.LeastSquares{}, nil
	}
	return nil, userinput.Errorf("%s: y is %v or %v; write classes as -1 and 1, or add --loss %s for numbers", t.Dataset,
		two[0], two[1], learners.LeastSquares{}.Name())
}

// constantErrors returns TrialSummary's ZeroMSE and MeanMSE, or 0 and nil for a loss that classifies.
func (d *TrialData) constantErrors(loss string, checkpoints []int) (zero float64, mean []float64) {
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

// sampleSet returns a hash of the trial's samples that does not depend on their order and splits.
func (d *TrialData) sampleSet() string {
	var sum [4]uint64 // sum of the samples' hashes; two equal samples would cancel in a XOR
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

func (d *TrialData) edges() int {
	if d.Problem.Graph == nil {
		return 0
	}
	return d.Problem.Graph.NumEdges()
}

// drawnWith returns the settings with which a program drew the samples, from the metadata of the samples' file. It
// omits notes of data frame libraries, and replaces a long value by its hash.
func drawnWith(metadata map[string]string) map[string]string {
	const longest = 200
	kept := map[string]string{}
	for key, value := range metadata {
		if key == "pandas" || key == "huggingface" || strings.HasPrefix(key, "org.apache.spark.") {
			continue
		}
		if len(value) > longest {
			sum := sha256.Sum256([]byte(value))
			value = "sha256:" + hex.EncodeToString(sum[:])
		}
		kept[key] = value
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}
