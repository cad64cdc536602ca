package main

import (
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

// The commands of the manual work on the tiny run.
func TestManual(t *testing.T) {
	manual := jobstest.Manual(t, "doc.go")
	tiny(t)
	if len(manual.Commands) < 5 {
		t.Fatalf("only %d commands were found", len(manual.Commands))
	}
	for _, c := range manual.Commands {
		args, isOurs := strings.CutPrefix(c.Line, "gdmerge ")
		if !isOurs {
			t.Fatalf("%q is no command of gdmerge", c.Line)
		}
		if o := ok(t, strings.Fields(args)...); o.stdout == "" {
			t.Errorf("%s prints nothing", c.Line)
		}
	}
}
