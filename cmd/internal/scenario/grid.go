package scenario

import (
	"flag"
	"io"
	"testing"

	"graphda/jobs/jobstest"
)

// Grid is the scenario command grid, as in $ grid data/grid --trials 2. It makes a small dataset on a square grid. Four
// of the nodes matter.
func Grid(t *testing.T, args []string, _, stderr io.Writer) int {
	t.Helper()
	var s jobstest.Spec
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.Trials, "trials", 1, "trials")
	flags.IntVar(&s.Train, "train", 40, "training samples")
	flags.IntVar(&s.Valid, "valid", 20, "validation samples")
	flags.IntVar(&s.Test, "test", 20, "test samples")
	flags.Uint64Var(&s.Seed, "seed", 0, "seed")
	flags.BoolVar(&s.Targets, "targets", false, "real targets in the place of labels")
	flags.BoolVar(&s.NoTruth, "no-truth", false, "no true vector and no groups")
	if len(args) < 2 || flags.Parse(args[2:]) != nil {
		return 2
	}
	jobstest.WriteDataset(t, args[1], s)
	return 0
}
