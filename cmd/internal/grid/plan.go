package grid

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	programs "graphda/jobs/program"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
)

func planCommand() *cli.Command {
	return &cli.Command{
		Name:      "plan",
		Usage:     "expand an experiment into cells and pack them into tasks",
		ArgsUsage: "EXPERIMENT",
		UsageText: `gdrun plan table1 --data data --out runs/table1
gdrun plan table1 --set search=lazy --method graphda,da-iht --out runs/lazy  # no file is needed`,
		Description: `EXPERIMENT is a YAML file, or the name of a built-in experiment (see gdrun experiments). plan reads
every trial and checks every setting before anything runs. If you plan the same experiment into the same folder again,
nothing changes. If the experiment has grown, plan adds its new cells; it must still have all old cells and the same
checkpoints. Finished cells do not run again.`,
		Flags: slices.Concat(command.Group("Run",
			&cli.StringFlag{Name: "data", Value: "data", Usage: "`FOLDER` of the datasets that the experiment names"},
			&cli.StringFlag{Name: "out", Usage: "`FOLDER` of the run (default: runs/NAME, or runs/NAME-quick with --scale " +
				"quick)"},
			ScaleFlag(),
			&cli.StringFlag{Name: "trials", Usage: "trials to use, `N,N-N`, such as 0,1,2 or 0-4 (default: the experiment's " +
				"trials, or else all trials of the datasets)"},
			&cli.DurationFlag{Name: "target-time", Value: TargetTime, Usage: "CPU time that a task should take"},
			command.ForceFlag(),
		), ChangeFlags()),
		Action: command.AtOnce(planRun),
	}
}

// Calibrate measures the speed of the machine, only once per process, because tests plan hundreds of times.
var Calibrate = sync.OnceValue(plan.Calibrate)

// TargetTime is the default CPU time of a task.
const TargetTime = 30 * time.Minute

func planRun(c *cli.Context) error {
	name, err := command.One(c, "an experiment")
	if err != nil {
		return err
	}
	if err := command.AtLeastSecond(c, "target-time"); err != nil {
		return err
	}
	trials, err := parseTrials(c.String("trials"))
	if err != nil {
		return err
	}
	e, err := ReadExperiment(c, name, experiment.Read)
	if err != nil {
		return err
	}
	p, err := plan.NewPlan(e, plan.PlanOptions{Data: c.String("data"), Trials: trials, Force: c.Bool("force")})
	if err != nil {
		return err
	}
	command.Notes(c, "note: ", p.Notes) // notes about inherited settings and reports that are left out
	if err := programs.Greet(c.Context, p); err != nil {
		return err
	}
	out := c.String("out")
	if out == "" {
		out = filepath.Join("runs", e.RunName())
	}
	if strings.ContainsAny(out, `%\`) {
		return userinput.Errorf("out = %q, want a name without %% and \\, because Slurm gives these characters a meaning "+
			"in names of logs", out)
	}
	r, created, err := run.Create(out, p, c.Duration("target-time"), Calibrate)
	if err != nil {
		return err
	}
	if err := PrintPlan(c, r, created); err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "run the cells with: gdrun local %s\n", command.Line(r.Dir))
	return nil
}

// ChangeFlags returns the flags with which the user changes a built-in experiment.
func ChangeFlags() []cli.Flag {
	return command.Group("Changes of a built-in experiment",
		&cli.StringSliceFlag{Name: "method", Usage: "run only these methods, `NAME,...`, such as graphda,da-iht"},
		&cli.StringSliceFlag{Name: "set", Usage: "values of the methods' parameters, `NAME=VALUE,...`, such as " +
			"search=lazy; for several values, repeat the name: s=20,s=30"},
		&cli.StringSliceFlag{Name: "dataset", Usage: "datasets, `NAME,...`, instead of the experiment's datasets"},
		&cli.StringFlag{Name: "checkpoints", Usage: "numbers of training samples after which to measure, `N,...`, such as " +
			"100,200, or all"},
	)
}

// ReadExperiment reads an experiment at the scale of the flags, and applies their changes to a built-in experiment.
func ReadExperiment(c *cli.Context, name string,
	read func(name, scale string) (*experiment.Experiment, error)) (*experiment.Experiment, error) {
	var change experiment.Change
	if !slices.ContainsFunc(ChangeFlags(), func(f cli.Flag) bool { return c.IsSet(f.Names()[0]) }) {
		return read(name, c.String("scale"))
	}
	if _, err := os.Stat(name); err == nil {
		return nil,
			userinput.Errorf("%s is a file, and flags change only built-in experiments; edit the file instead",
				name)
	}
	params, err := command.Params(c.StringSlice("set"))
	if err != nil {
		return nil, err
	}
	for _, p := range params {
		i := slices.IndexFunc(change.Set, func(a experiment.Axis) bool { return a.Name == p.Name })
		if i < 0 {
			i = len(change.Set)
			change.Set = append(change.Set, experiment.Axis{Name: p.Name})
		}
		change.Set[i].Values = append(change.Set[i].Values, p.Value)
	}
	list := func(flag string) []string {
		return strings.FieldsFunc(strings.Join(c.StringSlice(flag), ","), func(r rune) bool { return r == ',' })
	}
	change.Methods, change.Datasets = list("method"), list("dataset")
	if text := c.String("checkpoints"); text == "all" {
		change.Checkpoints = experiment.Samples{}
	} else if change.Checkpoints, err = command.Checkpoints(text); err != nil {
		return nil, err
	}
	return experiment.ReadChanged(name, c.String("scale"), change)
}

// ScaleFlag returns the flag that chooses the full or the quick form of an experiment.
func ScaleFlag() cli.Flag {
	return command.OneOf(&cli.StringFlag{Name: "scale", Value: experiment.ScaleFull,
		Usage: "full: the whole experiment; quick: a smaller form with fewer trials and settings"}, experiment.Scales()...)
}

// PrintPlan prints the size and the reports of a plan. If created is true, the plan is new.
func PrintPlan(c *cli.Context, r *run.Run, created bool) error {
	w := c.App.Writer
	seconds, trials := 0.0, 0
	for _, t := range r.Tasks {
		seconds += t.Seconds()
	}
	for _, d := range r.Plan.Datasets {
		trials += len(d.Trials)
	}
	n := len(r.Plan.Cells)
	switch {
	case r.Added > 0:
		before := r.Plan.Before[len(r.Plan.Before)-1]
		fmt.Fprintf(w, "%s: %s added; the earlier plan was saved as %s\n", r.Dir, message.Count(r.Added, "cell"), before.File)
	case !created:
		fmt.Fprintf(w, "%s: already planned; nothing changed\n", r.Dir)
	}
	fmt.Fprintf(w, "%s (%s a trial, %s), about %s of CPU time on this machine, packed into %s of %d MiB\n",
		message.Count(n, "cell"), message.Number(n/trials), message.Count(trials, "trial"), message.Duration(seconds),
		message.Count(len(r.Tasks), "task"), r.Tasks[0].Memory)
	fmt.Fprintln(w, gives(r))
	return programs.Describe(w, r.Plan, r.Dir)
}

// gives returns a line with the run's reports. It names the other built-in experiments that make a report.
func gives(r *run.Run) string {
	servedBy, err := experiment.ServedBy()
	if err != nil {
		servedBy = nil // list no other experiments
	}
	var reports []string
	alone := ""
	for _, name := range r.Plan.Experiment.ReportNames() {
		others := slices.DeleteFunc(servedBy[name], func(e string) bool { return e == r.Plan.Experiment.Name })
		if slices.Equal(others, []string{name}) {
			alone = "; gdrun experiments lists smaller experiments that make only one of these"
		} else if len(others) > 0 {
			name += " (also given by experiment " + strings.Join(others, ", ") + ")"
		}
		reports = append(reports, name)
	}
	return "gives " + strings.Join(reports, ", ") + alone
}

// No dataset has more than maxTrials trials, so a larger number is a mistake.
const maxTrials = 100_000

func parseTrials(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var trials []int
	for _, item := range strings.Split(text, ",") {
		first, last, isRange := strings.Cut(item, "-")
		if !isRange {
			last = first
		}
		a, errA := strconv.Atoi(first)
		b, errB := strconv.Atoi(last)
		if errA != nil || errB != nil || a < 0 || b < a || b > maxTrials {
			return nil, userinput.Errorf("trials = %q, want numbers and ranges, such as 0,2,5-7", text)
		}
		for k := a; k <= b; k++ {
			trials = append(trials, k)
		}
	}
	return trials, nil
}
