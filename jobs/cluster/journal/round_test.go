package journal

import (
	"strings"
	"testing"
)

// Each kind of round has one next step, and a reason if the run stops.
func TestNext(t *testing.T) {
	sent := Follow{Sent: 10, Ended: 20, Asked: "1G", Idle: mostIdle - 1}
	late := sent
	late.Limited = mostLimited
	for what, c := range map[string]struct {
		Round
		want Step
		word string
	}{
		"first call":       {Round{Cells: 30, Sends: 30, ByHand: true}, Sends, ""},
		"some are left":    {Round{Cells: 30, Done: 25, Sends: 5, Before: sent}, Sends, ""},
		"all died again":   {Round{Cells: 30, Done: 20, Sends: 10, Asked: "1G", Before: sent}, Stops, "2 rounds"},
		"by hand again":    {Round{Cells: 30, Done: 20, Sends: 10, Asked: "1G", ByHand: true}, Sends, ""},
		"with more memory": {Round{Cells: 30, Done: 20, Sends: 10, Asked: "2G", Before: sent}, Sends, ""},
		"one has failed":   {Round{Cells: 30, Done: 20, Failed: 1, Sends: 9, Asked: "1G", Before: sent}, Sends, ""},
		"others are there": {Round{Cells: 30, Done: 20, Sends: 2, Queued: 8, Asked: "1G", Before: sent}, Waits, ""},
		"not admitted":     {Round{Cells: 30, Done: 21, Sends: 9, Before: late}, Stops, "for a day the cluster has accepted no job"},
		"cancelled":        {Round{Cells: 30, Done: 21, Sends: 9, Cancelled: 2, Before: sent}, Stops, "2 jobs"},
		"by hand, after":   {Round{Cells: 30, Done: 21, Sends: 9, Cancelled: 2, ByHand: true}, Sends, ""},
		"all wait":         {Round{Cells: 30, Queued: 30, ByHand: true}, Waits, ""},
		"all done":         {Round{Cells: 30, Done: 30, Before: sent}, Merges, ""},
		"merged":           {Round{Cells: 30, Done: 30, Merged: true, ByHand: true}, Nothing, ""},
		"grown, merged":    {Round{Cells: 40, Done: 30, Sends: 10, Merged: true, ByHand: true}, Sends, ""},
		"failed":           {Round{Cells: 30, Done: 28, Failed: 2, Before: sent}, Stops, "2 cells failed; submit with --retry-failed"},
		"failed, partial":  {Round{Cells: 30, Done: 28, Failed: 2, Partial: true, Before: sent}, Merges, ""},
		"failed, by hand":  {Round{Cells: 30, Done: 28, Failed: 2, ByHand: true}, Nothing, ""},
		"given up":         {Round{Cells: 30, Done: 28, GivenUp: 2, Before: sent}, Stops, "2 cells are given up"},
		"hidden":           {Round{Cells: 30, Done: 28, Hidden: 2, Partial: true, Before: sent}, Stops, "2 cells are in jobs"},
		"no more hours":    {Round{Cells: 30, Done: 28, Left: 2, Partial: true, Before: sent}, Stops, "2 cells are left"},
		"none at all":      {Round{Cells: 30, Failed: 30, Partial: true, Before: sent}, Stops, "30 cells failed"},
	} {
		if got, word := c.Next(); got != c.want || !strings.HasPrefix(word, c.word) || (word == "") != (c.word == "") {
			t.Errorf("%s: %d, %q; want %d, %q", what, got, word, c.want, c.word)
		}
	}
}
