package simulate

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"graphda/io/seal"
)

// A Source draws one dataset.
type Source interface {
	// Name returns the name of the dataset and of its directory.
	Name() string
	// Arguments returns the arguments of gdrun simulate for this dataset, without trials, seed and folders.
	Arguments() string
	// Validate reports every setting that is out of range. It opens no file.
	Validate() error
	// Write writes the dataset into the directory out/Name() and returns that directory. It replaces files of the same
	// dataset, and with place.Force also other files with the same names. If it may not replace a file, or if the
	// directory has more trials than the dataset, the error wraps fs.ErrExist. Write calls done after each trial, if done
	// is not nil.
	Write(out string, place seal.Output, done func(trial int)) (dir string, err error)
}

// Options are the settings that a dataset's name does not contain.
type Options struct {
	Trials int    // at least 1
	Seed   uint64 // seed of all trials
	Raw    string // folder with a folder of raw files for each kind; "" if there is none
}

// A kind is a family of datasets with a common generator. A dataset's name gives the generator's settings.
type kind struct {
	example string // an example of a name
	others  string // how other names differ from the example
	raw     string // folder within Options.Raw for the kind's raw files; "" if there are none
	// generator and version are the generator's name and version, as in the samples' metadata. The version is 0 until
	// the generator's output changes for the first time; then it is 2, 3, ….
	generator string
	version   int
	// standardised says over which samples features have mean 0 and deviation 1. If empty, features are not standardised.
	standardised string
	// parse returns the source with a name's settings, or false if the name is of another kind. Named checks the settings.
	parse func(name string, opt Options) (Source, bool)
	// locate finds the raw files of a source. It is nil if the kind needs no raw files.
	locate func(s Source, dir string) (Source, error)
}

// Metadata keys that name the generator of samples.
const (
	generatorKey = "generator"
	versionKey   = "generator_version"
)

// overAllSplits says over which samples the paper's code standardises features.
const overAllSplits = "over all splits of a trial together, as by the paper's code"

// kinds returns all kinds of datasets. A new kind needs a file and a line here.
func kinds() []kind {
	return []kind{benchmarkKind(), mnistKind(), keggKind()}
}

// Named returns the source of the dataset with the given name. If the dataset needs a raw file that is not in
// opt.Raw, the error wraps fs.ErrNotExist and names the file.
func Named(name string, opt Options) (Source, error) {
	k, s, err := find(name, opt)
	if err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.Name() != name {
		return nil, fmt.Errorf("there is no dataset %q; write %s", name, s.Name())
	}
	if k.locate == nil {
		return s, nil
	}
	return k.locate(s, opt.Raw)
}

// Current returns an error if the metadata say that an earlier version of a generator drew the samples.
func Current(metadata map[string]string) error {
	for _, k := range kinds() {
		if k.version == 0 || metadata[generatorKey] != k.generator {
			continue
		}
		if have, want := metadata[versionKey], strconv.Itoa(k.version); have != want {
			return fmt.Errorf("generator %s drew it in version %s, and version %s draws it differently; remove it and draw it "+
				"again",
				k.generator, cmp.Or(have, "1"), want)
		}
	}
	return nil
}

// Standardised says over which samples the features were standardised, from the metadata of samples. It returns "" if
// the features were not standardised, or if that is unknown.
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

// Needs returns the folder in Options.Raw with the dataset's raw files, such as "mnist", or "" if it needs none.
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
