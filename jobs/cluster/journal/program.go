package journal

import (
	"fmt"
	"path/filepath"
	"strings"

	"graphda/io/safefile"
)

// Digest returns the first 12 digits of the SHA-256 of a file.
func Digest(path string) (string, error) {
	sum, err := safefile.SHA256(path)
	return sum[:min(12, len(sum))], err
}

// KeepProgram copies the program at source to kept, a path in the run's folder with a digest in its name. If
// there is a complete copy, it does nothing. It never replaces another user's unreadable copy, because that
// user's jobs may need the copy.
func KeepProgram(kept, source string) error {
	if sum, err := Digest(kept); err == nil && strings.Contains(filepath.Base(kept), "-"+sum) {
		return nil
	}
	if err := safefile.CopyProgram(source, kept); err != nil {
		return fmt.Errorf("%s: %w", kept, err)
	}
	return nil
}
