package run_test

import (
	"testing"
	"time"

	"graphda/jobs/jobstest"
	"graphda/jobs/runtest"
)

// Trials that were not drawn alike are refused where they are averaged, also if a plan has them.
func TestTrialsDrawnOtherwise(t *testing.T) {
	like := runtest.New(t, jobstest.Folder(t, jobstest.Spec{Trials: 3}), jobstest.Experiment, time.Hour)
	like.Plan.Datasets[0].Trials[1].Metadata["seed"] = "7"
	_, err := like.Collect()
	jobstest.WantError(t, err, "dataset grid ", `seed is "0" in trials 0, 2, "7" in trial 1`, "--trials")

	data := jobstest.Folder(t, jobstest.Spec{Trials: 3})
	jobstest.SwapTrial(t, data, "trial-01", jobstest.Spec{Trials: 2, Seed: 7})
	alike := jobstest.Replace(t, jobstest.Experiment, "[grid]", "[grid]\ntrials: [0, 2]")
	if _, err = runtest.New(t, data, alike, time.Hour).Collect(); err != nil {
		t.Errorf("with trials of one kind: %v", err)
	}
}
