package program

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"graphda/io/message"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/userinput"
)

// Greet starts every program on its first trial, and stores the Greeting in the plan.
func Greet(ctx context.Context, p *plan.Plan) error {
	for _, g := range p.Experiment.Programs() {
		i := slices.IndexFunc(p.Cells, func(c plan.Cell) bool { return c.Method.Name == g.Method })
		if i < 0 {
			continue
		}
		if err := greet(ctx, p, g, &p.Cells[i]); err != nil {
			return userinput.Errorf("program %s: %w", g.Method, err)
		}
	}
	return nil
}

func greet(ctx context.Context, p *plan.Plan, g *experiment.Grid, c *plan.Cell) error {
	ds, err := samples.Open(p.Dataset(c).Dir)
	if err != nil {
		return err
	}
	data, err := plan.LoadTrial(ds, c.Trial, p.Experiment.Loss)
	if err != nil {
		return err
	}
	files, err := WriteTrial("", g.Program.Data, data.Trial, p.Checkpoints[len(p.Checkpoints)-1])
	if err != nil {
		return err
	}
	defer files.Remove()
	files.Loss = p.Experiment.Loss
	dir := filepath.Join(files.Dir, "program")
	if err := g.Program.Install(dir); err != nil {
		return err
	}
	process, err := Start(ctx, Spec{Program: g.Program, Dir: dir}, files.Hello)
	if err != nil {
		return err
	}
	process.Close()
	g.Program.Greeting, err = json.Marshal(process.Greeting)
	return err
}

// StartPlanned starts g's program for a trial. It refuses a program whose files or version have changed since planning.
func StartPlanned(ctx context.Context, run string, g *experiment.Grid, files *Files) (*Process, error) {
	dir := filepath.Join(run, plan.ProgramsDir, g.Method)
	if err := g.Program.Check(dir); err != nil {
		return nil, err
	}
	process, err := Start(ctx, Spec{Program: g.Program, Dir: dir, Log: dir + ".log"}, files.Hello)
	if err != nil || g.Program.Greeting == nil {
		return process, err
	}
	var planned Greeting
	if err := json.Unmarshal(g.Program.Greeting, &planned); err != nil {
		return nil, err
	}
	if now := process.Greeting; now.Name != planned.Name || now.Version != planned.Version {
		process.Close()
		return nil, message.Because(plan.ErrPlan,
			"program %s is %s %s, but was %s %s when the plan was made; results of two versions cannot be mixed, so plan "+
				"again into another folder", g.Method, now.Name, now.Version, planned.Name,
			planned.Version)
	}
	return process, nil
}

// Describe prints the commands of a plan's programs. It returns an error if their files have changed since planning.
func Describe(w io.Writer, p *plan.Plan, run string) error {
	for _, g := range p.Experiment.Programs() {
		if err := g.Program.Check(filepath.Join(run, plan.ProgramsDir, g.Method)); err != nil {
			return err
		}
		fmt.Fprintf(w, "program %s runs %v\n", g.Method, g.Program)
	}
	return nil
}
