package program

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"graphda/io/plain"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/usage"
)

// Greet exchanges the hello with every program, on the first trial that it has cells on, so that one that cannot run is
// found before any cell does. The plan keeps the answer.
func Greet(ctx context.Context, p *plan.Plan) error {
	for _, g := range p.Experiment.Programs() {
		for i := range p.Cells {
			if c := &p.Cells[i]; c.Method.Name == g.Method {
				if err := greet(ctx, p, g, c); err != nil {
					return usage.Errorf("program %s: %w", g.Method, err)
				}
				break
			}
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
	defer os.RemoveAll(files.Dir)
	dir := filepath.Join(files.Dir, "program")
	if err := g.Program.Install(dir); err != nil {
		return err
	}
	process, err := start(ctx, p, g, dir, "", files, data)
	if err != nil {
		return err
	}
	process.Close()
	g.Program.Greeting, err = json.Marshal(process.Greeting)
	return err
}

// StartPlanned starts a program of the run in a folder for a trial. Its files, and the version that it answers, must be
// as they were when the plan was made.
func StartPlanned(ctx context.Context, p *plan.Plan, run, method string, files *Files,
	data *plan.TrialData) (*Process, error) {
	for _, g := range p.Experiment.Programs() {
		if dir := filepath.Join(run, plan.ProgramsDir, method); g.Method == method {
			return start(ctx, p, g, dir, dir+".log", files, data)
		}
	}
	return nil, plain.Because(plan.ErrPlan, "no program %s", method)
}

func start(ctx context.Context, p *plan.Plan, g *experiment.Grid, dir, log string, files *Files,
	data *plan.TrialData) (*Process, error) {
	if err := g.Program.Check(dir); err != nil {
		return nil, err
	}
	process, err := Start(ctx, Spec{Command: g.Program.Command, Dir: dir, Timeout: g.Program.Timeout,
		Memory: g.Program.Memory, Processors: g.Program.Processors, Log: log},
		Hello{Loss: p.Experiment.Loss, Features: data.Problem.P, Names: files.Names, Edges: files.Edges})
	if err != nil || g.Program.Greeting == nil {
		return process, err
	}
	var planned Greeting
	if err := json.Unmarshal(g.Program.Greeting, &planned); err != nil {
		return nil, err
	}
	if now := process.Greeting; now.Name != planned.Name || now.Version != planned.Version {
		process.Close()
		return nil, plain.Because(plan.ErrPlan, "program %s is %s %s, and was %s %s when the plan was made; results of two "+
			"versions are not to be mixed: plan again into another folder", g.Method, now.Name, now.Version, planned.Name,
			planned.Version)
	}
	return process, nil
}

// CheckFiles refuses programs of the run in a folder whose files have changed since the plan was made.
func CheckFiles(p *plan.Plan, run string) error {
	for _, g := range p.Experiment.Programs() {
		if err := g.Program.Check(filepath.Join(run, plan.ProgramsDir, g.Method)); err != nil {
			return err
		}
	}
	return nil
}

// Describe says what the programs of a plan run.
func Describe(p *plan.Plan) (texts []string) {
	for _, g := range p.Experiment.Programs() {
		texts = append(texts, fmt.Sprintf("program %s runs %v", g.Method, g.Program))
	}
	return texts
}
