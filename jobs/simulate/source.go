package simulate

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"graphda/io/seal"
)

// A Source is a dataset that can be drawn.
type Source interface {
	// Name returns the name of the dataset, which is also its folder's name.
	Name() string
	// Arguments returns the arguments of gdrun simulate for this dataset, without trials, seed and folders.
	Arguments() string
	// Validate returns an error that names every setting out of range. It opens no file.
	Validate() error
	// Write writes the dataset into the directory out/Name() and returns this directory. It replaces files of the same
	// dataset, and other files with place.Force. If it may not replace a file, or if the directory has more trials than
	// the dataset, the error wraps fs.ErrExist. If done is not nil, Write calls it after each trial.
	Write(out string, place seal.Output, done func(trial int)) (dir string, err error)
}

// Options are settings of a dataset that are not in its name.
type Options struct {
	Trials int // at least 1
	Seed   uint64
	Raw    string // folder with a folder of raw files for each kind, or ""
}

// A kind is a family of datasets that one generator draws. A dataset's name has the generator's settings.
type kind struct {
	example string // name of a dataset of this kind
	others  string // settings that a name may have, in words
	raw     string // folder of the kind's raw files in Options.Raw, or ""
	// generator and version are in the samples' metadata. The version is 0 at first. When the output changes, it
	// becomes 2, then 3, and so on.
	generator string
	version   int
	// standardised says over which samples features are standardised; "" if they are not.
	standardised string
	// parse returns the Source with the settings in a name, without checking them. For a name of another kind, it
	// returns false.
	parse func(name string, opt Options) (Source, bool)
	// locate adds the paths of raw files to a source. It is nil if the kind needs no raw files.
	locate func(s Source, dir string) (Source, error)
}

// These are keys of metadata for the samples' generator.
const (
	generatorKey = "generator"
	versionKey   = "generator_version"
)

// overAllSplits says how the paper's code standardises.
const overAllSplits = "over all splits of a trial together, as by the paper's code"

// kinds returns all kinds. For a new kind, write a file and add it here.
func kinds() []kind {
	return []kind{benchmarkKind(), mnistKind(), keggKind()}
}

// Named returns the source of the named dataset. If a raw file is missing in opt.Raw, the error wraps fs.ErrNotExist
// and names the file.
func Named(name string, opt Options) (Source, error) {
	k, s, err := find(name, opt)
	if err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.Name() != name {
		return nil, fmt.Errorf("there is no dataset %q (did you mean %s?)", name, s.Name())
	}
	if k.locate == nil {
		return s, nil
	}
	return k.locate(s, opt.Raw)
}

// Current returns an error if samples with these metadata come from an earlier version of a generator.
func Current(metadata map[string]string) error {
	for _, k := range kinds() {
		if k.version == 0 || metadata[generatorKey] != k.generator {
			continue
		}
		if have, want := metadata[versionKey], strconv.Itoa(k.version); have != want {
			return fmt.Errorf("was drawn by version %[2]s of generator %[1]s, and version %[3]s draws it differently; remove "+
				"the folder and draw it again", k.generator, cmp.Or(have, "1"), want)
		}
	}
	return nil
}

// Standardised says over which samples the features were standardised, according to the metadata. It returns "" if they
// were not standardised, or if that is unknown.
func Standardised(metadata map[string]string) string {
	for _, k := range kinds() {
		if k.generator != "" && k.generator == metadata[generatorKey] {
			return k.standardised
		}
	}
	if text := metadata["standardised"]; text != "no" { // recorded by package importing
		return text
	}
	return ""
}

// Needs returns the folder of the dataset's raw files in Options.Raw, or "".
func Needs(name string) (folder string, err error) {
	k, _, err := find(name, Options{})
	return k.raw, err
}

func find(name string, opt Options) (kind, Source, error) {
	var known []string
	for _, k := range kinds() {
		if s, ok := k.parse(name, opt); ok {
			return k, s, nil
		}
		known = append(known, fmt.Sprintf("%s (%s)", k.example, k.others))
	}
	return kind{}, nil, fmt.Errorf("there is no generator of a dataset %q; the names are like %s", name,
		strings.Join(known, ", "))
}
