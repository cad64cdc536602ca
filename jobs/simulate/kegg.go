package simulate

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"

	"graphda/io/seal"
)

// Target is the pathway whose genes are shifted in positive samples, and the column of the
// gene file that marks them: endometrial cancer.
const Target = "hsa05213"

// The samples of a KEGG dataset: so many of each class, and so many in each split.
const keggClass = 300

var keggSizes = sizes{200, 200, 200}

// The generator as the samples' metadata name it. In version 1, which they did not note, all
// trials had one shift, and each strategy had values of its own in place of what was not
// measured.
const (
	keggGenerator = "kegg"
	keggVersion   = 2
)

// KEGG describes one dataset of the paper's gene expressions: 600 samples that have the
// means and covariances of real expressions, half of which are shifted on the genes of one
// pathway. Every trial draws a shift of its own: with one for all, the trials would be near
// copies. With the variance v = σ² of a gene, which also serves as the standard deviation of
// its shift, as in the published runs, it is
//
//	strategy 1 (hard)    N(0, v²)
//	strategy 2 (easy)    N(±σ, v²), a fair sign for each gene
//
// The truth is 1 at the pathway's genes and 0 elsewhere: what is sought is the pathway,
// which every trial has in common, and not the size of the shift.
type KEGG struct {
	Strategy int // 1 or 2
	Trials   int // at least 1
	Seed     uint64
	Dir      string // folder of the raw files; see KEGGDir
}

var _ Source = KEGG{}

// DefaultKEGG is the paper's setting of strategy 1, without the folder of the files.
func DefaultKEGG() KEGG { return KEGG{Strategy: 1, Trials: 20, Seed: 1} }

// Validate reports every setting that is out of range. It opens no file.
func (k KEGG) Validate() error {
	var faults []error
	if k.Strategy != 1 && k.Strategy != 2 {
		faults = append(faults, fmt.Errorf("strategy = %d, want 1 or 2", k.Strategy))
	}
	return errors.Join(append(faults, checkTrials(k.Trials))...)
}

// Name returns the dataset's name, "kegg-1" or "kegg-2".
func (k KEGG) Name() string { return fmt.Sprintf("kegg-%d", k.Strategy) }

// Arguments implements Source.
func (k KEGG) Arguments() string { return fmt.Sprintf("kegg --strategy %d", k.Strategy) }

var keggName = regexp.MustCompile(`^kegg-(\d+)$`)

// keggFolder is where a folder of raw files has those of KEGG.
const keggFolder = "kegg"

// keggKind has the names kegg-1 and kegg-2.
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

// KEGGDir returns the folder kegg of raw and sees to it that it has genes.csv,
// edges.csv, pathways.csv, each as it is or with .gz, and one of expr.npy, expr.csv and
// expr.csv.gz.
func KEGGDir(raw string) (string, error) {
	for _, names := range keggNames {
		if _, err := rawFile(raw, keggFolder, names...); err != nil {
			return "", err
		}
	}
	return filepath.Join(raw, keggFolder), nil
}

// Write writes the dataset as Source says.
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
