package simulate

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"graphda/io/message"
	"graphda/io/safefile"
)

// RawVariable is the environment variable for the folder of raw files. This package does not read it; its callers do.
const RawVariable = "GRAPHDA_DATA"

// rawFile returns the file in raw/folder that has one of the given names.
func rawFile(raw, folder string, names ...string) (string, error) {
	if raw == "" {
		return "", message.Because(fs.ErrNotExist, "--raw DIR, or the variable %s, must name the folder that has %s; "+
			"docs/data.md says where its files come from", RawVariable, filepath.Join(folder, names[0]))
	}
	path, err := oneOf(filepath.Join(raw, folder), names...)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; --raw DIR, or the variable %s, must name the folder with %s in it", err, RawVariable, folder)
	}
	return path, err
}

// oneOf returns the only file in dir that has one of the given names.
func oneOf(dir string, names ...string) (string, error) {
	path, err := safefile.OneOf(dir, names...)
	if path == "" && err == nil {
		others := ""
		if len(names) > 1 {
			others = " (or " + strings.Join(names[1:], ", ") + ")"
		}
		err = message.Because(fs.ErrNotExist, "%s%s: does not exist", filepath.Join(dir, names[0]), others)
	}
	return path, err
}
