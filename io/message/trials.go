package message

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Difference says which trials have which value, as in "mu is 0.3 in trials 0–2, 0.5 in trial 3". It returns "" if all
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
