package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"testing"

	"graphda/cmd/internal/reporting"
	"graphda/cmd/internal/scenario"
	"graphda/jobs/experiment"
	"graphda/jobs/run"
	"graphda/jobs/running"
)

// What gdmerge prints. testdata/scenarios has the texts.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "testdata/scenarios", map[string]scenario.Command{
		"gdmerge": scenario.Program(reporting.Gdmerge), "grid": scenario.Grid, "plan": planFile, "finish": finishTasks,
	})
}

// planFile plans an experiment without timing the machine: $ plan tiny.yaml.
func planFile(t *testing.T, args []string, _, _ io.Writer) int {
	t.Helper()
	create(t, "", newPlan(must1(experiment.Read(args[1], experiment.ScaleFull))))
	return 0
}

// finishTasks runs all tasks of a run, or the first ones: $ finish runs/tiny 1.
func finishTasks(t *testing.T, args []string, stdout, _ io.Writer) int {
	t.Helper()
	r := must1(run.Open(args[1]))
	tasks := r.Tasks
	if len(args) > 2 {
		tasks = tasks[:must1(strconv.Atoi(args[2]))]
	}
	outcome := must1((&running.Runner{Run: r, Workers: 2}).RunTasks(context.Background(), tasks))
	fmt.Fprintf(stdout, "%d of %d tasks: %d cells done, %d failed\n",
		len(tasks), len(r.Tasks), outcome.Done, outcome.Failed)
	return 0
}
