package paper

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/grid"
	"graphda/io/message"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/reports"
	"graphda/jobs/run"
	"graphda/jobs/simulate"
	"graphda/jobs/userinput"
)

// steps lists the steps of a reproduction, by the names that --until accepts.
var steps = []string{"data", "plan", "run", "report"}

func reproduceCommand() *cli.Command {
	return &cli.Command{
		Name:      "reproduce",
		Usage:     "make a table or figure of the paper in one step",
		ArgsUsage: "EXPERIMENT",
		UsageText: `gdrun reproduce table1 --scale quick
gdrun reproduce figure8 --scale quick --raw ~/files  # which has mnist/train-images-idx3-ubyte.gz …
gdrun reproduce benchmark --until plan  # then gdrun submit runs/benchmark`,
		Description: `Simulates missing data, plans the built-in experiment, runs the missing cells on this machine, and
writes the report. Each step prints the command that you could type instead. You may interrupt it at any moment. The
same command then continues.`,
		Flags: slices.Concat(command.Group("Steps",
			grid.ScaleFlag(),
			&cli.StringFlag{Name: "data", Value: "data", Usage: "`FOLDER` to write the datasets to"},
			&cli.StringFlag{Name: "runs", Value: "runs", Usage: "`FOLDER` of runs"},
			&cli.StringFlag{Name: "reports", Value: "report", Usage: "`FOLDER` of reports"},
			rawFlag(),
			command.ForceFlag(),
			command.WideFlag(),
			command.OneOf(&cli.StringFlag{Name: "until", Value: "report", Usage: "last step"}, steps...),
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Value: runtime.GOMAXPROCS(0), Usage: "number of cells to run " +
				"at once"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of the data that reproduce simulates"},
		), grid.ChangeFlags()),
		Action: func(c *cli.Context) error {
			name, err := command.One(c, "a built-in experiment")
			if err != nil {
				return err
			}
			last := slices.Index(steps, c.String("until"))
			if _, err := grid.Workers(c); err != nil {
				return err
			}
			e, err := grid.ReadExperiment(c, name, experiment.ReadBuiltIn)
			if err != nil {
				return err
			}
			r := &reproduction{c: c, experiment: e}
			for _, step := range []func() error{r.draw, r.atOnce(r.plan), r.execute, r.atOnce(r.report)}[:last+1] {
				if err := step(); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// A reproduction runs all steps of a built-in experiment, from the data to the report.
type reproduction struct {
	c          *cli.Context
	experiment *experiment.Experiment
	run        *run.Run
}

func (r *reproduction) tell(line string, words ...string) {
	command.Note(r.c.App.ErrWriter, "── %s %s", line, command.Line(words...))
}

func (r *reproduction) draw() error {
	trials := slices.Max(r.experiment.TrialNumbers()) + 1
	var missing []simulate.Source
	for _, name := range r.experiment.Datasets {
		ds, err := samples.Open(filepath.Join(r.c.String("data"), name))
		if err == nil && len(ds.Trials) >= trials {
			continue
		}
		if err == nil {
			if err := r.checkDraw(name, ds); err != nil {
				return err
			}
		}
		s, err := simulate.Named(name, simulate.Options{Trials: trials, Seed: r.c.Uint64("seed"), Raw: r.c.String("raw")})
		if err != nil {
			return &userinput.Error{Err: err}
		}
		missing = append(missing, s)
	}
	if len(missing) == 0 {
		return nil
	}
	for _, s := range missing {
		words := []string{"--trials", fmt.Sprint(trials), "--seed", fmt.Sprint(r.c.Uint64("seed")), "--out",
			r.c.String("data")}
		if folder, err := simulate.Needs(s.Name()); err == nil && folder != "" {
			words = append([]string{"--raw", r.c.String("raw")}, words...)
		}
		r.tell("gdrun simulate "+s.Arguments(), words...)
	}
	return writeSources(r.c, missing, trials, r.c.String("data"), func(string, simulate.Source) {})
}

// checkDraw refuses to add trials to a dataset that was drawn with another seed or from other files, because its old
// trials would be replaced.
func (r *reproduction) checkDraw(name string, ds *samples.Dataset) error {
	first, err := simulate.Named(name, simulate.Options{Trials: 1, Seed: r.c.Uint64("seed"), Raw: r.c.String("raw")})
	if err != nil {
		return &userinput.Error{Err: err}
	}
	temporary, err := os.MkdirTemp("", "gdrun-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	dir, err := first.Write(temporary, seal.Output{}, nil)
	if err != nil {
		return err
	}
	drawn, err := samples.Open(dir)
	if err != nil {
		return err
	}
	want, err := drawn.Digest(0)
	if err != nil {
		return err
	}
	if have, err := ds.Digest(ds.Trials[0]); err != nil {
		return err
	} else if have != want {
		return userinput.Errorf("dataset %s has %s, but was not drawn with seed %d, and reproduce does not replace it; "+
			"remove it, or name another folder with --data",
			filepath.Join(r.c.String("data"), name), message.Count(len(ds.Trials), "trial"), r.c.Uint64("seed"))
	}
	return nil
}

func (r *reproduction) atOnce(step func() error) func() error {
	return func() error {
		return command.AtOnce(func(*cli.Context) error { return step() })(r.c)
	}
}

func (r *reproduction) plan() error {
	dir := filepath.Join(r.c.String("runs"), r.experiment.RunName())
	trials := strings.ReplaceAll(strings.Trim(fmt.Sprint(r.experiment.TrialNumbers()), "[]"), " ", ",")
	words := []string{r.experiment.Name}
	for _, f := range grid.ChangeFlags() {
		name := f.Names()[0]
		values := r.c.StringSlice(name)
		if _, ok := f.(*cli.StringFlag); ok && r.c.IsSet(name) {
			values = []string{r.c.String(name)}
		}
		for _, value := range values {
			words = append(words, "--"+name, value)
		}
	}
	r.tell("gdrun plan", append(words, "--scale", r.c.String("scale"), "--data", r.c.String("data"), "--trials", trials,
		"--out", dir)...)
	p, err := plan.NewPlan(r.experiment, plan.PlanOptions{Data: r.c.String("data"),
		Trials: r.experiment.TrialNumbers()})
	if err != nil {
		return err
	}
	if err := r.checkSeed(p); err != nil {
		return err
	}
	command.Notes(r.c, "note: ", p.Notes)
	whole, created, err := run.Create(dir, p, grid.TargetTime, grid.Calibrate)
	if err != nil {
		return err
	}
	r.run = whole
	return grid.PrintPlan(r.c, whole, created)
}

func (r *reproduction) checkSeed(p *plan.Plan) error {
	if !r.c.IsSet("seed") {
		return nil
	}
	for _, d := range p.Datasets {
		seed := strconv.FormatUint(r.c.Uint64("seed"), 10)
		if drawn, ok := d.Trials[0].Metadata["seed"]; ok && drawn != seed {
			return userinput.Errorf("dataset %s exists, but was drawn with seed %q, not %s; leave out --seed, or name another "+
				"folder with --data", d.Dir, drawn, seed)
		}
	}
	return nil
}

func (r *reproduction) execute() error {
	r.tell("gdrun local", r.run.Dir, "-j", fmt.Sprint(r.c.Int("jobs")))
	return grid.RunAll(r.c, r.run)
}

func (r *reproduction) report() error {
	out := filepath.Join(r.c.String("reports"), r.experiment.RunName())
	r.tell("gdmerge", r.run.Dir, "--out", out)
	return command.Report(r.c.Context, r.c.App.Writer, r.c.App.ErrWriter, r.run,
		command.ReportOptions{Out: out, Place: command.Place(r.c), Format: "text",
			Extras: reports.Extras{Width: command.TableWidth(r.c)}})
}
