package samples

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// CheckAlike refuses trials of a dataset that were drawn with different settings, according to their samples'
// metadata. A mean over such trials would be meaningless.
func CheckAlike(dataset string, trials []int, metadata []map[string]string) error {
	keys := map[string]bool{}
	for _, m := range metadata {
		for key := range m {
			keys[key] = true
		}
	}
	delete(keys, "trial") // trials drawn alike still differ in this key
	var found []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		values := make([]string, len(metadata))
		for i, m := range metadata {
			values[i] = "not given"
			if v, ok := m[key]; ok {
				values[i] = strconv.Quote(v)
			}
		}
		if text := Difference(key, trials, values); text != "" {
			found = append(found, text)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return fmt.Errorf("the trials of dataset %s were not drawn alike and cannot be averaged: %s; "+
		"plan those of one kind only, with --trials", dataset, strings.Join(found, "; "))
}

// Difference says which trials have which value: "mu is 0.3 in trials 0–2, 0.5 in trial 3". It returns "" if all
// values are equal.
func Difference(what string, trials []int, values []string) string {
	const shown = 4
	var distinct []string
	having := map[string][]int{}
	for i, v := range values {
		if having[v] == nil {
			distinct = append(distinct, v)
		}
		having[v] = append(having[v], trials[i])
	}
	if len(distinct) < 2 {
		return ""
	}
	var parts []string
	for _, v := range distinct[:min(shown, len(distinct))] {
		slices.Sort(having[v])
		parts = append(parts, v+" in "+trialsText(having[v]))
	}
	if more := len(distinct) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return what + " is " + strings.Join(parts, ", ")
}

// trialsText lists trials: "trial 3", "trials 0–4, 7".
func trialsText(trials []int) string {
	var parts []string
	for i := 0; i < len(trials); {
		end := i
		for end+1 < len(trials) && trials[end+1] == trials[end]+1 {
			end++
		}
		switch text := strconv.Itoa(trials[i]); end - i {
		case 0:
			parts = append(parts, text)
		case 1:
			parts = append(parts, text, strconv.Itoa(trials[end]))
		default:
			parts = append(parts, text+"–"+strconv.Itoa(trials[end]))
		}
		i = end + 1
	}
	if len(trials) == 1 {
		return "trial " + parts[0]
	}
	return "trials " + strings.Join(parts, ", ")
}
