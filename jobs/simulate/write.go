package simulate

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"graphda/graph"
	"graphda/io/message"
	"graphda/io/samples"
	"graphda/io/seal"
)

const mostSamples = 1_000_000 // limit for each split, because a trial is drawn in memory

// sizes has the numbers of training, validation and test samples of a trial.
type sizes [3]int

func (s sizes) total() int { return s[0] + s[1] + s[2] }

func (s sizes) check() error {
	if min(s[0], s[1], s[2]) < 1 || max(s[0], s[1], s[2]) > mostSamples {
		return fmt.Errorf("--train, --valid, --test = %d, %d, %d; want 1 to %d each", s[0], s[1], s[2], mostSamples)
	}
	return nil
}

func checkTrials(trials int) error {
	if trials < 1 {
		return fmt.Errorf("trials = %d, want at least 1", trials)
	}
	return nil
}

type draft struct {
	name     string
	trials   int
	sizes    sizes
	graph    *graph.Graph
	features *samples.Features // nil if each trial has its own features
	settings map[string]string // metadata of every samples file
	draw     func(trial int) trialDraw
}

type trialDraw struct {
	features *samples.Features // nil if all trials have the same features
	// rows yields the y and x of each sample, split by split. x is valid until the next sample.
	rows iter.Seq2[float64, []float64]
}

func (d *draft) write(out string, place seal.Output, done func(trial int)) (dir string, err error) {
	dir = filepath.Join(out, d.name)
	if err := refuseSurplus(dir, d.trials); err != nil {
		return "", err
	}
	if err := d.checkPlace(dir, place); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	if d.features != nil {
		if err := samples.WriteFeatures(featuresPath(dir), d.features); err != nil {
			return "", err
		}
	}
	if err := samples.WriteGraph(filepath.Join(dir, "graph.parquet"), d.graph, nil); err != nil {
		return "", err
	}
	for trial := range d.trials {
		if err := d.writeTrial(trialDir(dir, trial), trial); err != nil {
			return "", err
		}
		if done != nil {
			done(trial)
		}
	}
	return dir, nil
}

func featuresPath(dir string) string { return filepath.Join(dir, "features.parquet") }

func samplesPath(dir string) string { return filepath.Join(dir, "samples.parquet") }

func trialDir(dir string, trial int) string {
	return filepath.Join(dir, fmt.Sprintf("trial-%02d", trial))
}

// refuseSurplus returns an error if a directory has more trials than this dataset.
func refuseSurplus(dir string, trials int) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), "trial-")
		if trial, err := strconv.Atoi(number); ok && err == nil && trial >= trials {
			return message.Because(fs.ErrExist, "%s exists from a call with more --trials; remove it or choose another folder",
				filepath.Join(dir, e.Name()))
		}
	}
	return nil
}

// checkPlace returns an error if write would replace files of another program or dataset.
func (d *draft) checkPlace(dir string, place seal.Output) error {
	place.Sealed = seal.IsSealed
	paths := []string{featuresPath(dir), filepath.Join(dir, "graph.parquet")}
	for trial := range d.trials {
		paths = append(paths, featuresPath(trialDir(dir, trial)), samplesPath(trialDir(dir, trial)))
	}
	for _, path := range paths {
		if err := place.Check(path); err != nil {
			return err
		}
	}
	if place.Force {
		return nil
	}
	for trial := range d.trials {
		path := samplesPath(trialDir(dir, trial))
		drawn, err := samples.Metadata(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		want := d.metadata(trial)
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if drawn[key] != want[key] {
				return fmt.Errorf("%s: was drawn with %s = %q, not %q, so it is not replaced; choose another folder, or add "+
					"--force: %w", path, key, drawn[key], want[key], fs.ErrExist)
			}
		}
	}
	return nil
}

func (d *draft) metadata(trial int) map[string]string {
	metadata := maps.Clone(d.settings)
	metadata["trial"] = strconv.Itoa(trial)
	return metadata
}

func (d *draft) writeTrial(dir string, trial int) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	t := d.draw(trial)
	p := d.graph.NumNodes()
	if t.features != nil {
		if err := samples.WriteFeatures(featuresPath(dir), t.features); err != nil {
			return err
		}
	}
	w, err := samples.NewSamplesWriter(samplesPath(dir), samples.SamplesHeader{Features: p, Metadata: d.metadata(trial)})
	if err != nil {
		return err
	}
	defer w.Abort()
	i := 0
	for y, x := range t.rows {
		if err := w.Append(samples.Sample{Split: d.sizes.split(i), Y: y, X: x}); err != nil {
			return err
		}
		i++
	}
	return w.Close()
}

func (s sizes) split(i int) samples.Split {
	switch {
	case i < s[0]:
		return samples.Train
	case i < s[0]+s[1]:
		return samples.Valid
	}
	return samples.Test
}
