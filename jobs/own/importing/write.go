package importing

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/own/sampletable"
)

// inPlace calls `fill` for a temporary directory, and then moves the directory to dir. `replaced` is true if dir was a
// dataset before. inPlace also removes the files of killed imports.
func inPlace(dir string, fill func(draft string) error) (replaced bool, err error) {
	outer, err := seal.CreateDir(dir)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(outer)) }()
	draft := filepath.Join(outer, filepath.Base(dir)) // a directory made by Mkdir, so its permissions follow the umask
	if err := os.Mkdir(draft, 0o777); err != nil {
		return false, err
	}
	if err := fill(draft); err != nil {
		return false, err
	}
	if err := replaceable(dir); err != nil { // another process may have changed dir
		return false, fmt.Errorf("%s: %w", dir, err)
	}
	before := filepath.Join(outer, "before")
	if err := os.Rename(dir, before); err == nil {
		replaced = true
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := os.Rename(draft, dir); err != nil {
		if replaced {
			err = errors.Join(err, os.Rename(before, dir))
		}
		return false, err
	}
	return replaced, seal.SyncDir(filepath.Dir(dir))
}

func (s *dataset) write(ctx context.Context, dir string, notes *sampletable.Notes, progress func(done,
	total int)) error {
	if err := s.writeSamples(ctx, filepath.Join(dir, "samples.parquet")); err != nil {
		return err
	}
	if !s.ownFeatures() {
		if err := samples.WriteFeatures(filepath.Join(dir, featuresFile), s.features); err != nil {
			return err
		}
	}
	sources, err := s.request.sources()
	if err != nil {
		return err
	}
	if err := WriteSources(dir, sources); err != nil {
		return err
	}
	if err := samples.WriteGraph(filepath.Join(dir, "graph.parquet"), s.network.Graph, s.data.Names,
		s.network.Connectors...); err != nil {
		return err
	}
	s.flat = make([]bool, len(s.data.Names))
	settings := s.settings()
	for trial := range s.request.Trials {
		drawn := s.drawn(trial)
		settings := maps.Clone(settings)
		settings["trial"] = strconv.Itoa(trial)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.writeTrial(filepath.Join(dir, fmt.Sprintf("trial-%02d", trial)), drawn, settings); err != nil {
			return err
		}
		if progress != nil {
			progress(trial+1, s.request.Trials)
		}
	}
	var flat []string
	for j, name := range s.data.Names {
		if s.flat[j] {
			flat = append(flat, name)
		}
	}
	if len(flat) > 0 {
		notes.Add("%s constant in the training samples of a trial, and set to 0 there: %s",
			message.Are(len(flat), "feature"), dataframe.Some(flat))
	}
	return nil
}

// settings returns the metadata that all trials share.
func (s *dataset) settings() map[string]string {
	r := s.request
	settings := map[string]string{"generator": generator, "label": r.Label, "task": string(r.Task), "standardised": "no",
		"split": "column"}
	if s.data.Positive != "" {
		settings["positive"], settings["negative"] = s.data.Positive, s.data.Negative
	}
	if s.data.Times {
		settings[eventKey] = r.Event
	}
	if s.data.Split == nil {
		settings["split"] = fmt.Sprintf("%v,%v,%v", parts[0], parts[1], parts[2])
		settings["seed"] = strconv.FormatUint(r.Seed, 10)
		if r.Folds > 0 {
			settings["split"] = fmt.Sprintf("%d folds", r.Folds)
		}
		settings[samples.SameSamplesKey] = "yes"
	}
	if s.alike != "" {
		settings[alikeKey] = s.alike
	}
	samples.TellCovariates(settings, s.data.Covariates)
	if r.Standardise {
		settings["standardised"] = "by mean and deviation of the training samples"
	}
	return settings
}

// generator marks imported datasets in their metadata.
const generator = "import"

// Classes returns the names of the labels −1 and +1 from the metadata of imported samples.
func Classes(metadata map[string]string) (negative, positive string) {
	return cmp.Or(metadata["negative"], "-1"), cmp.Or(metadata["positive"], "1")
}

const alikeKey, eventKey = "alike", "event"

// TimesOf returns the description of event times in the metadata of samples.
func TimesOf(metadata map[string]string) *model.Survival {
	return &model.Survival{Time: metadata["label"], Event: metadata[eventKey], Is: metadata["positive"],
		Censored: metadata["negative"]}
}

// Alike returns the metadata's warning about samples that may come from one patient, or "".
func Alike(metadata map[string]string) string {
	if metadata[alikeKey] == "" {
		return ""
	}
	return metadata[alikeKey] + ". If they belong to one patient, selected features may only recognise the patient: " +
		"repeat gdrun import with --patient."
}

// Unless returns the condition of a finding on samples with the given warning of Alike, or "".
func Unless(alike string) string {
	if alike == "" {
		return ""
	}
	return ", unless similar samples come from one patient"
}

func (s *dataset) drawn(trial int) draw {
	if s.data.Split != nil {
		return ownDraw(s.data)
	}
	if k := s.request.Folds; k > 0 {
		return foldDraw(s.data, samples.TrialRand(s.request.Seed, key(s.data), trial/k), k, trial%k)
	}
	return randomDraw(s.data, samples.TrialRand(s.request.Seed, key(s.data), trial))
}

// key returns a text that seeds random draws. It depends only on the samples' ids. Without ids, it depends only on the
// number of samples.
func key(d *sampletable.Data) string {
	h := sha256.New()
	fmt.Fprint(h, len(d.IDs))
	for _, id := range d.IDs {
		if d.Named {
			fmt.Fprintf(h, " %q", id)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ownFeatures reports whether each trial has its own file of features, with scaling or fill values.
func (s *dataset) ownFeatures() bool { return s.request.Standardise || s.data.Gaps() > 0 }

// writeSamples writes the samples that all trials share, with their measured values.
func (s *dataset) writeSamples(ctx context.Context, path string) error {
	d := s.data
	w, err := samples.NewSamplesWriter(path, samples.SamplesHeader{
		Features: len(d.Names), IDs: true, Patients: d.Patients != nil, Shared: true,
		Covariates: d.Covariates,
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i, x := range d.X {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		sample := samples.Sample{ID: d.IDs[i], Y: d.Y[i], X: x}
		if d.Patients != nil {
			sample.Patient = d.Patients[i]
		}
		if d.Told != nil {
			sample.Covariates = d.Told[i]
		}
		if err := w.Append(sample); err != nil {
			return err
		}
	}
	return w.Close()
}

const featuresFile = "features.parquet"

// writeTrial writes a trial into a new directory, and sets s.flat.
func (s *dataset) writeTrial(dir string, drawn draw, metadata map[string]string) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	if s.ownFeatures() {
		if err := s.writeFeatures(filepath.Join(dir, featuresFile), drawn[samples.Train]); err != nil {
			return err
		}
	}
	var rows []int32
	var splits []samples.Split
	for split, drawn := range drawn {
		for _, i := range drawn {
			rows, splits = append(rows, int32(i)), append(splits, samples.Split(split))
		}
	}
	return samples.WriteRows(filepath.Join(dir, "rows.parquet"), rows, splits, metadata)
}

// writeFeatures writes the features of the trial with the given training samples.
func (s *dataset) writeFeatures(path string, train []int) error {
	features := *s.features
	var all [][]float64
	all, features.Fill = filled(s.data, s.request.Missing, train)
	if s.request.Standardise {
		features.Scaling = samples.NewScaling(len(s.flat), len(train), func(i int) []float64 { return all[train[i]] },
			weightsOf(s.data, train))
		for j, deviation := range features.Scaling.Deviation {
			if math.IsInf(deviation, 0) {
				return fmt.Errorf("%s: column %q: cannot be standardised, because its variance is out of range; --drop %[2]q "+
					"leaves it out", s.request.Samples, s.data.Names[j])
			}
			s.flat[j] = s.flat[j] || deviation == 0
		}
	}
	return samples.WriteFeatures(path, &features)
}

// readBack reads the written dataset as any command does, and fills in the numbers of the result. It reads the samples
// once, because all trials share them.
func (r *Result) readBack(ctx context.Context, dir string) error {
	ds, err := samples.Open(dir)
	if err != nil {
		return err
	}
	labels := samples.AnyLabels
	if r.Positive != "" && r.Event == "" {
		labels = samples.BinaryLabels
	}
	last := len(ds.Trials) - 1
	for _, trial := range ds.Trials[:last] {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, _, err := ds.LoadStructure(trial); err != nil {
			return err
		}
	}
	t, err := ds.Load(ds.Trials[last], labels)
	if err != nil {
		return err
	}
	r.Features, r.Edges, r.Connectors = len(t.Features.Names), t.Graph.NumEdges(), len(t.Features.Connectors)
	r.Largest, r.Joining = t.Graph.Largest(r.Features)
	for j := range r.Features {
		if t.Graph.Degree(int32(j)) > 0 {
			r.Connected++
		}
	}
	for s, block := range []samples.Block{t.Train, t.Valid, t.Test} {
		r.Splits[s] = Split{Samples: block.Rows()}
		for _, y := range block.Y {
			if r.Positive != "" && y > 0 {
				r.Splits[s].Positive++
			}
		}
	}
	return nil
}
