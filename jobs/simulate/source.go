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
	// Name returns the dataset's name, which is that of its directory.
	Name() string
	// Arguments returns what gdrun simulate is to be told for it, but for the trials, the seed and folders.
	Arguments() string
	// Validate reports every setting that is out of range. It opens no file.
	Validate() error
	// Write writes the dataset into the directory out/Name() and returns that directory.
	// It replaces what the same draw has written, and with place.Force other files of its
	// names, too. If there are others, or trials beyond its own, the error wraps
	// fs.ErrExist. After each trial it calls done, if that is not nil.
	Write(out string, place seal.Output, done func(trial int)) (dir string, err error)
}

// Options are what a dataset's name does not tell.
type Options struct {
	Trials int    // at least 1
	Seed   uint64 // of all trials
	Raw    string // folder of the raw files, in one folder for each kind; "" if there is none
}

// A kind of datasets has one generator, and a name that tells the generator's settings.
type kind struct {
	example string // one of its names
	others  string // how its other names differ
	raw     string // the folder of raw files that it needs, in Options.Raw; "" if it needs none
	// generator is the name of what draws it, and version counts how often that has come to
	// draw otherwise, from 2; 0 if it never has. Both stand in the samples' metadata.
	generator string
	version   int
	// standardised says over which samples of a trial its features have mean 0 and deviation 1; ""
	// if they need not have.
	standardised string
	// parse returns the source with the settings that the name tells, or false if it
	// does not look like a name of this kind. It need not check them: Named does.
	parse func(name string, opt Options) (Source, bool)
	// locate finds the raw files of a source; nil if it needs none.
	locate func(s Source, dir string) (Source, error)
}

// The keys of the metadata of samples that tell which generator drew them.
const (
	generatorKey = "generator"
	versionKey   = "generator_version"
)

// overAllSplits is how the paper's code standardises, and its data are drawn.
const overAllSplits = "over all splits of a trial together, as by the paper's code"

// kinds are all kinds of datasets. A new one is a file and a line here.
func kinds() []kind {
	return []kind{benchmarkKind(), mnistKind(), keggKind()}
}

// Named returns the source of the dataset with the name. Where the dataset needs raw files
// that are not in opt.Raw, the error wraps fs.ErrNotExist and names the file.
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

// Current refuses the metadata of samples that an earlier version of a generator drew.
func Current(metadata map[string]string) error {
	for _, k := range kinds() {
		if k.version == 0 || metadata[generatorKey] != k.generator {
			continue
		}
		if have, want := metadata[versionKey], strconv.Itoa(k.version); have != want {
			return fmt.Errorf("generator %s drew it in version %s, and draws otherwise in version %s; remove it and draw it "+
				"anew",
				k.generator, cmp.Or(have, "1"), want)
		}
	}
	return nil
}

// Standardised tells by the metadata of samples how their features were given mean 0 and
// deviation 1, "" if they were not or that is not known.
func Standardised(metadata map[string]string) string {
	for _, k := range kinds() {
		if k.generator != "" && k.generator == metadata[generatorKey] {
			return k.standardised
		}
	}
	if text := metadata["standardised"]; text != "no" { // as package importing notes it
		return text
	}
	return ""
}

// Needs returns the folder of raw files, within Options.Raw, that the dataset with the name
// is drawn from, such as "mnist", or "" if it is drawn from nothing.
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
