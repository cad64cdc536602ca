package importing

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"graphda/io/message"
	"graphda/io/safefile"
	"graphda/io/samples"
)

// A Source describes an input file of an import.
type Source struct {
	Role   string `json:"role"` // role of the file, such as samples
	Name   string `json:"name"` // name of the file, without its folder
	SHA256 string `json:"sha256"`
	Date   string `json:"date"` // day of the file's last change, in UTC
}

// NewSource describes the file at path.
func NewSource(role, path string) (Source, error) {
	sum, err := safefile.SHA256(path)
	if err != nil {
		return Source{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Source{}, err
	}
	return Source{role, filepath.Base(path), sum, info.ModTime().UTC().Format(time.DateOnly)}, nil
}

// String returns the file's name, the beginning of its digest, and its date.
func (s Source) String() string {
	return fmt.Sprintf("%s (SHA-256 %.12s…, of %s)", message.Text(s.Name), s.SHA256, s.Date)
}

// ListSources lists files in a sentence.
func ListSources(all []Source) string {
	var names []string
	for _, s := range all {
		names = append(names, s.String())
	}
	return strings.Join(names, ", ")
}

// WriteSources writes the list of input files into the folder dir of the dataset.
func WriteSources(dir string, all []Source) error {
	text, err := json.MarshalIndent(all, "", "  ")
	return cmp.Or(err, os.WriteFile(filepath.Join(dir, samples.SourcesFile), append(text, '\n'), 0o666))
}

// Sources returns the input files of a dataset, or nil if they are unknown.
func Sources(d *samples.Dataset) (all []Source, err error) {
	text, err := safefile.ReadFile(filepath.Join(d.Dir, samples.SourcesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(d.Dir, samples.SourcesFile), err)
	}
	return all, nil
}
