package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

// userTables makes a folder with samples and a network of twelve genes in a ring, of which
// the first four are raised in tumours, and goes there.
func userTables(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	const genes = 12
	var s, e strings.Builder
	s.WriteString("patient,status")
	e.WriteString("source,target\n")
	for j := range genes {
		fmt.Fprintf(&s, ",G%d", j)
		fmt.Fprintf(&e, "G%d,G%d\n", j, (j+1)%genes)
	}
	e.WriteString("G0,unmeasured\n")
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 100 {
		status, shift := "normal", 0.0
		if i%5 < 2 {
			status, shift = "tumour", 2.0
		}
		fmt.Fprintf(&s, "\nP%d,%s", i, status)
		for j := range genes {
			x := 7 + rng.NormFloat64()
			if j < 4 {
				x += shift
			}
			fmt.Fprintf(&s, ",%.4f", x)
		}
	}
	jobstest.WriteFile(t, ".", "s.csv", s.String()+"\n")
	jobstest.WriteFile(t, ".", "e.csv", e.String())
}

var importArgs = []string{"import", "--samples", "s.csv", "--edges", "e.csv", "--label", "status", "--positive", "tumour", "--drop", "patient", "--out", "data/mine"}
