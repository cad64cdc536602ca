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
	// Name returns the name of the dataset and of its folder.
	Name() string
	// Arguments returns the arguments that gdrun simulate needs for this dataset, without trials, seed and folders.
	Arguments() string
	// Validate returns an error that names every setting out of range. It opens no file.
	Validate() error
	// Write writes the dataset into the directory out/Name() and returns that directory. It replaces files of the same
	// dataset, and with place.Force also other files with the same names. If it may not replace a file, or if the
	// directory has more trials than the dataset, the error wraps fs.ErrExist. Write calls done after each trial, if done
	// is not nil.
	Write(out string, place seal.Output, done func(trial int)) (dir string, err error)
}

// Options are settings of a dataset that are not in its name.
type Options struct {
	Trials int    // at least 1
	Seed   uint64 // seed from which all trials are drawn
	Raw    string // folder with a folder of raw files for each kind; "" if there is none
}

// A kind is a family of datasets that one generator draws. The generator's settings are in a dataset's name.
type kind struct {
	example string // an example of a dataset's name
	others  string // says how other names differ from the example
	raw     string // folder within Options.Raw for the kind's raw files; "" if there are none
	// generator and version are the generator's name and version, as in the samples' metadata. The version is 0 until
	// the generator's output changes for the first time; then it is 2, 3, ….
	generator string
	version   int
	// standardised says over which samples features are scaled to mean 0 and deviation 1; "" if they are not scaled.
	standardised string
	// parse returns the Source with the settings in the name, unchecked, or false if the name is of another kind.
	parse func(name string, opt Options) (Source, bool)
	// locate adds the paths of the raw files to the source. It is nil if the kind needs no raw files.
	locate func(s Source, dir string) (Source, error)
}

// Keys of the metadata that name the generator of samples.
const (
	generatorKey = "generator"
	versionKey   = "generator_version"
)

// overAllSplits is the value of standardised for the paper's code.
const overAllSplits = "over all splits of a trial together, as by the paper's code"

// kinds returns all kinds of datasets. For a new kind, write a file and add it here.
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

// Current returns an error if an earlier version of a generator drew the samples with these metadata.
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
	if text := metadata["standardised"]; text != "no" { // package importing has recorded this
		return text
	}
	return ""
}

// Needs returns the folder, inside Options.Raw, with the raw files of the dataset, or "" if it needs no raw files.
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
