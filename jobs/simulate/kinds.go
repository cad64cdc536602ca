package simulate

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

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
