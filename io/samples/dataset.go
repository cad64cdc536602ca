package samples

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"graphda/graph"
	"graphda/io/arrowio"
	"graphda/io/columnar"
	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/safefile"
	"graphda/io/seal"
)

// A Dataset is a directory with a graph, features and trials. It is safe for concurrent use if nobody sets Spare, and
// if Hold is nil or safe for concurrent use.
type Dataset struct {
	Dir    string
	Name   string          // base name of Dir
	Trials []int           // ascending
	Hold   columnar.Reader // if not nil, reads samples that trials share
	Spare  Trial           // Load overwrites the features of these samples

	dirs map[int]string
}

// These are the roles of a trial's files, in the order in which Digest reads them.
const (
	graphRole    = "graph"
	featuresRole = "features"
	samplesRole  = "samples"
	rowsRole     = "rows" // only for trials that share samples
)

var roles = []string{graphRole, featuresRole, samplesRole}

var trialDir = regexp.MustCompile(`^trial-([0-9]{2,9})$`)

// NameOf returns the name of the dataset in a folder, which must be UTF-8.
func NameOf(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if name := filepath.Base(abs); strings.ToValidUTF8(name, "") == name || err != nil {
		return name, err
	}
	return "", message.Because(fs.ErrExist, "%s: the name of the folder is not UTF-8; rename it", message.Text(dir))
}

// Open finds the trials of a dataset and checks that each trial has its three files. It opens no file. If something is
// missing, the error wraps fs.ErrNotExist.
func Open(dir string) (*Dataset, error) {
	name, err := NameOf(dir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Dir: dir, Name: name, dirs: map[int]string{}}
	for _, e := range entries {
		name := trialDir.FindStringSubmatch(e.Name())
		if name == nil {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); err != nil {
			return nil, err
		} else if !info.IsDir() {
			continue
		}
		trial, err := strconv.Atoi(name[1])
		if err != nil {
			return nil, err
		}
		if first, ok := d.dirs[trial]; ok {
			return nil, fmt.Errorf("%s and %s are both trial %d", first, path, trial)
		}
		d.dirs[trial] = path
		d.Trials = append(d.Trials, trial)
	}
	if len(d.Trials) == 0 {
		return nil, message.Because(fs.ErrNotExist, "%s: has no folder trial-00 or another trial-NN with samples "+
			"in it", dir)
	}
	slices.Sort(d.Trials)
	for _, trial := range d.Trials {
		if _, err := d.paths(trial); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Need returns an error if the dataset lacks the trial.
func (d *Dataset) Need(trial int) error {
	if d.dirs[trial] == "" {
		return message.Because(fs.ErrNotExist, "%s: has no trial %d, only %s", d.Dir, trial, d.someTrials())
	}
	return nil
}

func (d *Dataset) paths(trial int) (map[string]string, error) {
	if err := d.Need(trial); err != nil {
		return nil, err
	}
	own, paths := d.dirs[trial], map[string]string{}
	rows, err := safefile.OneOf(own, files(rowsRole)...)
	if err != nil {
		return nil, err
	}
	if rows != "" {
		paths[rowsRole] = rows
	}
	for _, role := range roles {
		dirs := []string{own, d.Dir}
		switch {
		case role == samplesRole && rows == "": // a trial with a file of rows has no samples file
			dirs = dirs[:1]
		case role == samplesRole:
			dirs = dirs[1:]
		}
		for _, dir := range dirs {
			path, err := safefile.OneOf(dir, files(role)...)
			if err != nil {
				return nil, err
			}
			if path != "" {
				paths[role] = path
				break
			}
		}
		if paths[role] == "" {
			return nil, message.Because(fs.ErrNotExist, "%s: there is no %[2]s.parquet or %[2]s.arrow",
				strings.Join(dirs, " and "), role)
		}
	}
	return paths, nil
}

// SourcesFile is the name of the list of the tables from which a dataset was made. The digest does not depend on it.
const SourcesFile = "sources.json"

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// Files returns the paths of all files of the dataset.
func (d *Dataset) Files() ([]string, error) {
	var all []string
	for _, trial := range d.Trials {
		paths, err := d.paths(trial)
		if err != nil {
			return nil, err
		}
		all = slices.AppendSeq(all, maps.Values(paths))
	}
	if list := filepath.Join(d.Dir, SourcesFile); isFile(list) {
		all = append(all, list)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// files returns the possible names of a role's file.
func files(role string) (names []string) {
	for _, extension := range columnar.Extensions() {
		names = append(names, role+extension)
	}
	return names
}

func (d *Dataset) someTrials() string {
	var s []string
	for _, t := range d.Trials {
		s = append(s, strconv.Itoa(t))
	}
	return dataframe.Some(s)
}

// Digest returns the hash of a trial's content: SHA-256 over the roles of its files and their digests. The hash does
// not depend on paths or other trials. It depends on the bytes, so the same values in a different format have a
// different hash.
func (d *Dataset) Digest(trial int) (string, error) { return d.digestOf(trial, map[string]string{}) }

// Digests returns the Digest of every trial. It reads a shared file only once.
func (d *Dataset) Digests() (map[int]string, error) {
	all, read := map[int]string{}, map[string]string{}
	for _, trial := range d.Trials {
		var err error
		if all[trial], err = d.digestOf(trial, read); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// digestOf is like Digest, with a cache: read holds the digests of earlier files, by path.
func (d *Dataset) digestOf(trial int, read map[string]string) (string, error) {
	paths, err := d.paths(trial)
	if err != nil {
		return "", err
	}
	sums := map[string]string{}
	for role, path := range paths {
		if read[path] == "" {
			f, err := seal.Read(path)
			if err != nil {
				return "", err
			}
			read[path] = f.Digest
		}
		sums[role] = read[path]
	}
	return digest(sums), nil
}

func digest(sums map[string]string) string {
	h := sha256.New()
	for _, role := range append(slices.Clone(roles), rowsRole) {
		if sum, ok := sums[role]; ok {
			fmt.Fprintf(h, "%s %s\n", role, sum)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Metadata returns the metadata of a sealed samples file, such as a generator's settings.
func Metadata(path string) (map[string]string, error) {
	metadata := map[string]string{}
	_, err := columnar.Read(path, func(f *columnar.File) error {
		maps.Copy(metadata, f.Metadata)
		return nil
	})
	return metadata, err
}

// Load reads and checks a trial.
func (d *Dataset) Load(trial int, labels Labels) (*Trial, error) {
	paths, err := d.paths(trial)
	if err != nil {
		return nil, err
	}
	t := &Trial{Dataset: d.Name, Trial: trial, Metadata: map[string]string{}}
	t.Train.X, t.Valid.X, t.Test.X = d.Spare.Train.X, d.Spare.Valid.X, d.Spare.Test.X
	sums := map[string]string{}
	features, err := loadStructure(paths, t, sums)
	if err != nil {
		return nil, err
	}
	var list *rowList
	if path := paths[rowsRole]; path != "" {
		sums[rowsRole], err = columnar.Read(path, func(f *columnar.File) (err error) {
			if err = t.takeMetadata(f); err == nil {
				list, err = readList(f)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	read := columnar.Read
	if list != nil && d.Hold != nil {
		read = d.Hold
	}
	sums[samplesRole], err = read(paths[samplesRole], func(f *columnar.File) error {
		if list == nil {
			if err := t.takeMetadata(f); err != nil {
				return err
			}
		}
		return t.readSamples(f, features, labels, list)
	})
	if err != nil {
		return nil, err
	}
	if t.Digest = digest(sums); list != nil {
		t.Shared = sums[samplesRole]
	}
	return t, nil
}

func (t *Trial) takeMetadata(f *columnar.File) error {
	for k, v := range f.Metadata {
		if !arrowio.IsFormatKey(k) {
			t.Metadata[k] = v
		}
	}
	if f.Metadata["generator"] == "import" && f.Metadata["split"] != "column" && !SameSamples(f.Metadata) {
		return f.Bad("", "was imported by an early graphda 0.1.0, which did not record that trials share samples; "+
			"import it again")
	}
	return nil
}

// LoadStructure reads and checks a trial's features and graph.
func (d *Dataset) LoadStructure(trial int) (*Features, *graph.Graph, error) {
	paths, err := d.paths(trial)
	if err != nil {
		return nil, nil, err
	}
	var t Trial
	if _, err := loadStructure(paths, &t, map[string]string{}); err != nil {
		return nil, nil, err
	}
	return t.Features, t.Graph, nil
}

// loadStructure reads the features and the graph of a trial, and stores their digests in sums.
func loadStructure(paths map[string]string, t *Trial, sums map[string]string) (features *featureTable,
	err error) {
	sums[featuresRole], err = columnar.Read(paths[featuresRole], func(f *columnar.File) (err error) {
		features, err = readFeatures(f)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.Features = features.Features
	sums[graphRole], err = columnar.Read(paths[graphRole], func(f *columnar.File) (err error) {
		t.Graph, err = readGraph(f, features)
		return err
	})
	return features, err
}

// SameSamplesKey has the value "yes" in the metadata of trials that split the same samples.
const SameSamplesKey = "same_samples"

// SameSamples reports whether a trial's metadata say that the dataset's trials split the same samples.
func SameSamples(metadata map[string]string) bool { return metadata[SameSamplesKey] == "yes" }
