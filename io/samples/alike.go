package samples

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"graphda/io/message"
)

// CheckAlike refuses a dataset whose trials were drawn with different settings (in the metadata), because means over
// such trials are meaningless.
func CheckAlike(dataset string, trials []int, metadata []map[string]string) error {
	keys := map[string]bool{}
	for _, m := range metadata {
		for key := range m {
			keys[key] = true
		}
	}
	delete(keys, "trial") // always differs
	var found []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		values := make([]string, len(metadata))
		for i, m := range metadata {
			values[i] = "not given"
			if v, ok := m[key]; ok {
				values[i] = strconv.Quote(v)
			}
		}
		if text := message.Difference(key, trials, values); text != "" {
			found = append(found, text)
		}
	}
	const shown = 3
	switch more := len(found) - shown; {
	case len(found) == 0:
		return nil
	case more > 0:
		found = append(found[:shown], fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("the trials of dataset %s were made in different ways, so they cannot be averaged: %s; choose "+
		"trials that were made in the same way with --trials", dataset, strings.Join(found, "; "))
}
