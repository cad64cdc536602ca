package simulate

import (
	"os"
	"testing"
)

// realData returns the folder of the real raw files, or skips the test.
func realData(t *testing.T) string {
	t.Helper()
	raw := os.Getenv(RawVariable)
	if raw == "" {
		t.Skip(RawVariable + " names no folder of the real files")
	}
	return raw
}
