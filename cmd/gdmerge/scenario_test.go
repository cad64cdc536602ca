package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"testing"
	"time"

	"graphda/cmd/internal/scenario"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/running"
)

// What gdmerge prints. testdata/scenarios has the texts.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "testdata/scenarios", map[string]scenario.Command{
		"gdmerge": scenario.Program(program), "grid": scenario.Grid, "plan": planFile, "finish": finishTasks,
	})
}

// planFile plans an experiment without timing the machine: $ plan tiny.yaml.
func planFile(t *testing.T, args []string, _, _ io.Writer) int {
	t.Helper()
	e, err := experiment.Read(args[1], experiment.ScaleFull)
	must(t, err)
	p, err := plan.NewPlan(e, plan.PlanOptions{Data: "data"})
	must(t, err)
	rates := func() plan.Rates { return plan.Rates{Entry: 1e-5, Edge: 5e-5} }
	_, _, err = run.Create("runs/"+e.Name, p, 3*time.Second, rates)
	must(t, err)
	return 0
}

// finishTasks runs all tasks of a run, or the first ones: $ finish runs/tiny 1.
func finishTasks(t *testing.T, args []string, stdout, _ io.Writer) int {
	t.Helper()
	r := must1(run.Open(args[1]))
	tasks := r.Tasks
	if len(args) > 2 {
		n := must1(strconv.Atoi(args[2]))
		tasks = tasks[:n]
	}
	outcome := must1((&running.Runner{Run: r, Workers: 2}).RunTasks(context.Background(), tasks))
	fmt.Fprintf(stdout, "%d of %d tasks: %d cells done, %d failed\n",
		len(tasks), len(r.Tasks), outcome.Done, outcome.Failed)
	return 0
}
