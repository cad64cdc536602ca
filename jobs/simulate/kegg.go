package simulate

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"

	"graphda/io/seal"
)

var keggSizes = sizes{200, 200, 200}

var _ Source = KEGG{}

// DefaultKEGG returns the paper's settings for strategy 1. The caller sets Dir.
func DefaultKEGG() KEGG { return KEGG{Strategy: 1, Trials: 20, Seed: 1} }

// Validate returns an error that names every setting out of range. It opens no file.
func (k KEGG) Validate() error {
	var faults []error
	if k.Strategy != 1 && k.Strategy != 2 {
		faults = append(faults, fmt.Errorf("strategy = %d, want 1 or 2", k.Strategy))
	}
	return errors.Join(append(faults, checkTrials(k.Trials))...)
}

// Arguments implements Source.
func (k KEGG) Arguments() string { return fmt.Sprintf("kegg --strategy %d", k.Strategy) }

var keggName = regexp.MustCompile(`^kegg-(\d+)$`)

// keggFolder is the name of KEGG's folder in the folder of raw files.
const keggFolder = "kegg"

func keggKind() kind {
	return kind{
		example: "kegg-1", others: "1 or 2",
		raw: keggFolder, generator: keggGenerator, version: keggVersion, standardised: overAllSplits,
		parse: func(name string, opt Options) (Source, bool) {
			match := keggName.FindStringSubmatch(name)
			if match == nil {
				return nil, false
			}
			strategy, err := strconv.Atoi(match[1])
			return KEGG{Strategy: strategy, Trials: opt.Trials, Seed: opt.Seed}, err == nil
		},
		locate: func(s Source, raw string) (_ Source, err error) {
			k := s.(KEGG)
			k.Dir, err = KEGGDir(raw)
			return k, err
		},
	}
}

// KEGGDir returns the folder raw/kegg. The folder must have genes.csv, edges.csv and pathways.csv, perhaps with .gz,
// and one of expr.npy, expr.csv and expr.csv.gz.
func KEGGDir(raw string) (string, error) {
	for _, names := range keggNames {
		if _, err := rawFile(raw, keggFolder, names...); err != nil {
			return "", err
		}
	}
	return filepath.Join(raw, keggFolder), nil
}

// Write implements Source.
func (k KEGG) Write(out string, place seal.Output, done func(trial int)) (dir string, err error) {
	if err := k.Validate(); err != nil {
		return "", err
	}
	if k.Dir == "" {
		return "", errors.New("kegg: the folder of the raw files is not named")
	}
	raw, err := readKEGG(k.Dir)
	if err != nil {
		return "", err
	}
	m, err := k.model(raw)
	if err != nil {
		return "", err
	}
	d := &draft{
		name: k.Name(), trials: k.Trials, sizes: keggSizes,
		graph: raw.graph, features: raw.features(),
		settings: map[string]string{
			generatorKey: keggGenerator,
			versionKey:   strconv.Itoa(keggVersion),
			"strategy":   strconv.Itoa(k.Strategy),
			"target":     Target,
			"seed":       strconv.FormatUint(k.Seed, 10),
		},
		draw: func(trial int) trialDraw {
			x, y := k.draw(m, trial)
			return trialDraw{rows: rowsOf(y, x)}
		},
	}
	return d.write(out, place, done)
}
