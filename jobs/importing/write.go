package importing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"

	"graphda/io/plain"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/io/tabular"
	"graphda/jobs/seeds"
)

// inPlace has a directory written beside its place, and puts it there if fill succeeds.
// Whatever happens, nothing else is left behind; what a kill left before is removed.
func inPlace(dir string, fill func(draft string) error) (err error) {
	outer, err := seal.CreateDir(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(outer)) }()
	draft := filepath.Join(outer, filepath.Base(dir)) // with the permissions that the user's mask gives
	if err := os.Mkdir(draft, 0o777); err != nil {
		return err
	}
	if err := fill(draft); err != nil {
		return err
	}
	if err := os.Rename(draft, dir); err != nil {
		return err
	}
	return seal.SyncDir(filepath.Dir(dir))
}

// write writes the dataset's files into dir.
func (s *dataset) write(ctx context.Context, dir string, notes *notes, done func(trial int)) error {
	if !s.request.Standardise { // else each trial has features of its own, with its scaling
		if err := samples.WriteFeatures(filepath.Join(dir, featuresFile), s.features); err != nil {
			return err
		}
	}
	if err := samples.WriteGraph(filepath.Join(dir, "graph.parquet"), s.network.Graph, s.data.names); err != nil {
		return err
	}
	s.flat = make([]bool, len(s.data.names))
	settings := s.settings()
	for trial := range s.request.Trials {
		drawn := s.draw(trial)
		settings := maps.Clone(settings)
		settings["trial"] = strconv.Itoa(trial)
		if err := s.writeTrial(ctx, filepath.Join(dir, fmt.Sprintf("trial-%02d", trial)), drawn, settings); err != nil {
			return err
		}
		if done != nil {
			done(trial)
		}
	}
	var flat []string
	for j, name := range s.data.names {
		if s.flat[j] {
			flat = append(flat, name)
		}
	}
	if len(flat) > 0 {
		notes.add("%s constant over the training samples of a trial, and 0 there: %s",
			plain.Count(len(flat), "feature"), tabular.Some(flat))
	}
	return nil
}

// settings are the metadata that all trials have in common.
func (s *dataset) settings() map[string]string {
	r := s.request
	settings := map[string]string{"generator": "import", "label": r.Label, "task": string(r.Task), "standardised": "no",
		"split": "column"}
	if s.data.positive != "" {
		settings["positive"], settings["negative"] = s.data.positive, s.data.negative
	}
	if s.data.split == nil {
		settings["split"], settings["seed"] = r.fractions().String(), strconv.FormatUint(r.Seed, 10)
		if r.Folds > 0 {
			settings["split"] = fmt.Sprintf("%d folds", r.Folds)
		}
		settings[sameSamplesKey] = "yes"
	}
	if r.Standardise {
		settings["standardised"] = "by mean and deviation of the training samples"
	}
	return settings
}

// sameSamplesKey is set in the metadata of trials that are splits of the same samples.
const sameSamplesKey = "same_samples"

// SameSamples tells by its samples' metadata whether a trial is a random split of the samples
// that the dataset's other trials have too. Earlier versions noted no more than the split.
func SameSamples(metadata map[string]string) bool {
	return metadata[sameSamplesKey] == "yes" || metadata["generator"] == "import" && metadata["split"] != "column"
}

// Classes returns by its samples' metadata what the labels −1 and +1 were called where a trial was imported from.
func Classes(metadata map[string]string) (negative, positive string) {
	return cmp.Or(metadata["negative"], "-1"), cmp.Or(metadata["positive"], "1")
}

func (r *Request) fractions() Fractions {
	if r.Split != nil {
		return *r.Split
	}
	return DefaultFractions
}

func (s *dataset) draw(trial int) draw {
	if s.data.split != nil {
		return s.data.ownDraw()
	}
	if k := s.request.Folds; k > 0 {
		return s.data.foldDraw(seeds.Trial(s.request.Seed, s.name, trial/k), k, trial%k)
	}
	return s.data.randomDraw(seeds.Trial(s.request.Seed, s.name, trial), s.request.fractions())
}

const featuresFile = "features.parquet"

// writeTrial writes a trial into a directory of its own, which it makes, and keeps in s.flat
// which features standardising makes 0.
func (s *dataset) writeTrial(ctx context.Context, dir string, drawn draw, metadata map[string]string) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	all := s.data.filled(s.request.Missing, drawn[samples.Train])
	scaling, err := s.scale(dir, all, drawn[samples.Train])
	if err != nil {
		return err
	}
	w, err := samples.NewSamplesWriter(filepath.Join(dir, "samples.parquet"), samples.SamplesHeader{
		Features: len(s.data.names), IDs: true, Patients: s.data.patients != nil, Metadata: metadata,
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	scaled := make([]float64, len(s.data.names))
	for split, rows := range drawn {
		for _, i := range rows {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			x := all[i]
			if scaling != nil {
				scaling.Apply(scaled, x)
				x = scaled
			}
			sample := samples.Sample{ID: s.data.ids[i], Split: samples.Split(split), Y: s.data.y[i], X: x}
			if s.data.patients != nil {
				sample.Patient = s.data.patients[i]
			}
			if err := w.Append(sample); err != nil {
				return err
			}
		}
	}
	return w.Close()
}

// scale returns the scaling of a trial of samples x, of which these are for training, and writes its features with
// it into dir; nil if samples stay as they are.
func (s *dataset) scale(dir string, x [][]float64, train []int) (*samples.Scaling, error) {
	if !s.request.Standardise {
		return nil, nil
	}
	scaling, constant, err := newScaling(s.data.names, x, train)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.request.Samples, err)
	}
	for _, j := range constant {
		s.flat[j] = true
	}
	features := *s.features
	features.Scaling = scaling
	return scaling, samples.WriteFeatures(filepath.Join(dir, featuresFile), &features)
}

// readBack reads all that was written as any command does, and takes the figures of the
// result from there.
func (r *Result) readBack(ctx context.Context, dir string) error {
	ds, err := samples.Open(dir)
	if err != nil {
		return err
	}
	labels := samples.AnyLabels
	if r.Positive != "" {
		labels = samples.BinaryLabels
	}
	for _, trial := range ds.Trials {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t, err := ds.Load(trial, labels)
		if err != nil {
			return err
		}
		r.Features, r.Edges = len(t.Features.Names), t.Graph.NumEdges()
		for s, block := range []samples.Block{t.Train, t.Valid, t.Test} {
			r.Splits[s] = Split{Samples: block.Rows()}
			for _, y := range block.Y {
				if r.Positive != "" && y == 1 {
					r.Splits[s].Positive++
				}
			}
		}
	}
	return nil
}
