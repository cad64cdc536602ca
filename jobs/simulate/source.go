package simulate

import (
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
