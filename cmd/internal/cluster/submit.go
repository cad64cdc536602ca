package cluster

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/jobs/cluster"
	"graphda/jobs/cluster/journal"
	programs "graphda/jobs/program"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

func submitCommand() *cli.Command {
	return &cli.Command{
		Name:      "submit",
		Usage:     "run the missing cells of a plan on a Slurm cluster",
		ArgsUsage: "RUN",
		UsageText: `gdrun submit runs/table1 --target-time 30m --time 45:00 --partition short --until-done
gdrun submit runs/table1 -n  # shows the scripts and commands, and writes nothing`,
		Description: `Submits job arrays for all cells that are neither finished nor queued. After a crash, a time
limit or lost nodes, the same command submits what is still missing. It never submits a cell twice.

With --until-done the run finishes by itself. A follow-up job starts when all other jobs have ended. It submits the
missing cells, with updated memory and time. If no cell is missing, it merges the results. The run stops after two
rounds that finish no cell, or if somebody cancels one of its jobs. gdrun status prints the reason.

If more than 200 tasks use data for which no task has results yet, submit runs a few of these tasks first, as a pilot.
When the pilot has ended, the follow-up job submits the other tasks, or you type the same command again. The other tasks
ask for the memory and time that the pilot used. With --time and --mem there is no pilot.`,
		Flags:  submitFlags(),
		Action: submit,
	}
}

func submitFlags() []cli.Flag {
	return slices.Concat(command.Group("What to submit",
		&cli.DurationFlag{Name: "target-time", DefaultText: "as planned", Usage: "CPU time that a task should take"},
		&cli.IntFlag{Name: "array-parallelism", DefaultText: "as many as the cluster allows", Usage: "number of tasks that " +
			"run at once"},
		&cli.IntFlag{Name: "max-jobs", DefaultText: "as many as the cluster allows", Usage: "largest number of tasks of " +
			"this run in the queue; the other tasks wait for the next submit"},
		&cli.Float64Flag{Name: "max-core-hours", DefaultText: "no limit", Usage: "largest number of core-hours for the " +
			"whole run: past jobs count with their hours, queued jobs with their expected hours; tasks beyond the limit are " +
			"not submitted"},
		&cli.BoolFlag{Name: "again", Usage: "use the options of the last submit, unless you give other values now; also " +
			"submit cells whose jobs died twice in the same way"},
		&cli.BoolFlag{Name: "retry-failed", Usage: "also submit cells that failed"},
		&cli.BoolFlag{Name: "take-over", Usage: "also submit cells whose jobs belong to another user or cluster and cannot " +
			"be seen from here; if these jobs run, their cells are computed twice"},
		&cli.BoolFlag{Name: "until-done", Aliases: []string{"merge"}, Usage: "also submit a follow-up job, which submits " +
			"missing cells until the run is done, and then merges the results"},
		&cli.StringFlag{Name: "merge-out", Usage: "`FOLDER` for the report of --until-done (default: report in RUN)"},
		&cli.BoolFlag{Name: "allow-partial", Usage: "with --until-done: merge even if cells have failed or are given up"},
		&cli.StringFlag{Name: "follow", Hidden: true, Usage: "`NAME` of the follow-up job that runs this command"},
		&cli.StringSliceFlag{Name: "after", Usage: "`JOB` that must end first; may be repeated"},
	), command.Group("What a task asks for",
		&cli.StringFlag{Name: "time", Usage: "time limit of a task, `TIME`, such as 45:00 or 1-12:00:00 (default: 3.5 × " +
			"expected time + 1 minute, at most 1.5 × target time + 5 minutes; after tasks on the same data are done, 1.25 × " +
			"the time that they took)"},
		&cli.StringFlag{Name: "mem", Usage: "memory of a task, `SIZE`, such as 2G (default: the expected memory for its " +
			"data; after tasks on the same data are done, 1.25 × the memory that they used)"},
		&cli.StringFlag{Name: "max-mem", DefaultText: "the memory of the partition's largest node", Usage: "largest `SIZE` " +
			"of memory to ask for when tasks ran out of memory"},
		&cli.StringFlag{Name: "mem-per-cpu", Usage: "memory for each processor, `SIZE`, instead of --mem"},
		&cli.IntFlag{Name: "cpus-per-task", DefaultText: "1", Usage: "processors of a task; a task runs a cell on each " +
			"processor"},
		&cli.BoolFlag{Name: "whole-node", Usage: "give each task a whole node, with all memory unless you give --mem; set " +
			"--cpus-per-task to the node's number of processors, which also multiplies the target time"},
		&cli.StringFlag{Name: "partition", Usage: "`PARTITION`, or several separated by commas: a task starts in the first " +
			"partition with room"},
		&cli.StringFlag{Name: "account", Usage: "account to charge"},
		&cli.StringFlag{Name: "qos", Usage: "quality of service"},
		&cli.StringFlag{Name: "constraint", Usage: "`FEATURES` that nodes must have, such as intel&gpu"},
		&cli.StringSliceFlag{Name: "sbatch-arg", Usage: "another `OPTION` of sbatch, such as --gres=gpu:1 or --no-requeue, " +
			"for an #SBATCH line in the scripts; may be repeated"},
	), command.Group("How it runs",
		&cli.StringFlag{Name: "launcher", Usage: "`WORDS` to put before the program, such as \"apptainer exec image.sif\""},
		&cli.StringFlag{Name: "setup", Usage: "shell `FILE` that every job sources first (module load …)"},
		&cli.StringFlag{Name: "scratch", Usage: "`FOLDER` on each node for unfinished results; they are copied to RUN once " +
			"a minute; may contain the job's $TMPDIR, $USER and $SLURM_JOB_ID"},
	), command.Group("Trying and confirming",
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "print the scripts and the sbatch commands, but " +
			"write and submit nothing; needs no cluster"},
		&cli.BoolFlag{Name: "yes", Usage: fmt.Sprintf("do not ask before submitting more than %d CPU hours or %d tasks",
			manyHours, manyTasks)},
	))
}

// Above these limits, submit asks before it submits.
const (
	manyHours = 100
	manyTasks = 500
)

func submit(c *cli.Context) error {
	if c.IsSet("follow") {
		if err := slurm.RestoreEnvironment(); err != nil {
			return err
		}
	}
	run, err := command.OpenRun(c)
	if err != nil {
		return err
	}
	if c.Bool("again") || c.IsSet("follow") {
		if err := repeat(c, run); err != nil {
			return err
		}
	}
	options, err := submitOptions(c)
	if err != nil {
		return err
	}
	if err := programs.Describe(c.App.ErrWriter, run.Plan, run.Dir); err != nil {
		return err
	}
	for _, g := range run.Plan.Experiment.Programs() {
		if has := max(1, options.Resources.CPUsPerTask); g.Program.Processors > has {
			command.Note(c.App.ErrWriter, "note: program %s uses %d processors, but a task has only %d; add --cpus-per-task "+
				"%[2]d", g.Method, g.Program.Processors, has)
		}
	}
	client := slurmClient(c)
	if client.Cluster, err = slurm.ClusterOf(os.Getenv); err != nil {
		return &userinput.Error{Err: err}
	}
	if ignored := slurm.Ignored(os.Environ()); len(ignored) > 0 {
		command.Note(c.App.ErrWriter, "note: these environment variables have no effect: %s; to give options to sbatch, "+
			"use --sbatch-arg",
			strings.Join(ignored, ", "))
	}
	if options.Follow != "" {
		client.Tries = followTries
	}
	s, err := cluster.Propose(c.Context, run, client, options)
	if err != nil {
		return err
	}
	if options.Follow != "" {
		err = follow(c, run, s)
	} else {
		err = propose(c, run, s, options)
	}
	if closed := s.Close(); err == nil {
		err = closed
	}
	return err
}

// repeat adds the options of the last call of submit to this call, except options that the user gives now.
func repeat(c *cli.Context, r *run.Run) error {
	j, err := journal.Read(r)
	if err != nil {
		return err
	}
	given := map[string]bool{}
	for _, f := range c.Command.Flags {
		given[f.Names()[0]] = c.IsSet(f.Names()[0])
	}
	last := j.Last()
	if len(last.Jobs) == 0 {
		command.Note(c.App.ErrWriter, "note: no earlier submit of this run, so --again repeats no options")
	}
	for _, option := range last.Command {
		name, value, _ := strings.Cut(strings.TrimPrefix(option, "--"), "=")
		if name == "merge" { // name in journals of earlier versions
			name = "until-done"
		}
		if given[name] || c.IsSet("follow") && name == "after" {
			continue
		}
		if name == "account" && last.UID != os.Getuid() {
			command.Note(c.App.ErrWriter, "note: --again does not use account %s of user %s; name your account with --account",
				value, last.User)
			continue
		}
		if err := c.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// commandOf returns the options of the call, including options from the environment.
func commandOf(c *cli.Context, r *slurm.Resources) (options []string, err error) {
	inherited := map[string]string{"time": r.Time, "mem": r.Mem, "mem-per-cpu": r.MemPerCPU, "partition": r.Partition,
		"account": r.Account, "qos": r.QOS, "constraint": r.Constraint}
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		values := []string{fmt.Sprint(c.Value(name))}
		switch {
		case name == "sbatch-arg":
			values = r.Extra
		case slices.Contains([]string{"again", "follow", "take-over", "yes", "dry-run", "quiet", "color", "help"}, name):
			continue
		case !c.IsSet(name):
			if values = []string{inherited[name]}; inherited[name] == "" {
				continue
			}
		case name == "setup", name == "merge-out":
			if values[0], err = filepath.Abs(values[0]); err != nil {
				return nil, err
			}
		case name == "after":
			values = c.StringSlice(name)
		}
		for _, value := range values {
			options = append(options, "--"+name+"="+value)
		}
	}
	return options, nil
}

func submitOptions(c *cli.Context) (cluster.SubmitOptions, error) {
	o := cluster.SubmitOptions{
		Target: c.Duration("target-time"), Parallelism: c.Int("array-parallelism"),
		Setup: c.String("setup"), Scratch: c.String("scratch"), RetryFailed: c.Bool("retry-failed"),
		Again: c.Bool("again"), TakeOver: c.Bool("take-over"), Follow: c.String("follow"),
		UntilDone: c.Bool("until-done") || c.IsSet("merge-out") || c.IsSet("follow"),
		MergeOut:  c.String("merge-out"), AllowPartial: c.Bool("allow-partial"), DryRun: c.Bool("dry-run"),
		Resources: slurm.Resources{
			Time: c.String("time"), Mem: c.String("mem"), MemPerCPU: c.String("mem-per-cpu"),
			CPUsPerTask: c.Int("cpus-per-task"), WholeNode: c.Bool("whole-node"),
			Partition: c.String("partition"), Account: c.String("account"), QOS: c.String("qos"),
			Constraint: c.String("constraint"), Extra: c.StringSlice("sbatch-arg"),
		},
	}
	if o.AllowPartial && !o.UntilDone {
		return o, userinput.Errorf("--allow-partial needs --until-done, because only the follow-up job merges")
	}
	if c.IsSet("target-time") {
		if err := command.AtLeastSecond(c, "target-time"); err != nil {
			return o, err
		}
	}
	o.MaxJobs, o.MaxCoreHours = c.Int("max-jobs"), c.Float64("max-core-hours")
	if c.IsSet("max-core-hours") && !(o.MaxCoreHours > 0 && o.MaxCoreHours <= math.MaxFloat64) {
		return o, userinput.Errorf("max-core-hours = %v, want a number above 0", o.MaxCoreHours)
	}
	for _, name := range []string{"array-parallelism", "cpus-per-task", "max-jobs"} {
		if c.IsSet(name) && c.Int(name) < 1 {
			return o, userinput.Errorf("%s = %d, want at least 1", name, c.Int(name))
		}
	}
	if text := c.String("max-mem"); text != "" {
		mib, err := slurm.ParseMemory(text)
		if err != nil || mib == 0 {
			return o, userinput.Errorf("max-mem = %q, want a number above 0 with a unit K, M, G or T, such as 16G", text)
		}
		o.MaxMemory = mib
	}
	for _, id := range c.StringSlice("after") {
		o.After = append(o.After, slurm.JobID(id))
	}
	var err error
	if o.Launcher, err = slurm.Words(c.String("launcher")); err != nil {
		return o, userinput.Errorf("launcher = %w", err)
	}
	o.Resources.Inherit(os.Getenv)
	if o.Command, err = commandOf(c, &o.Resources); err != nil {
		return o, err
	}
	program, err := os.Executable()
	if err != nil {
		return o, err
	}
	o.Program = program
	return o, nil
}

func propose(c *cli.Context, r *run.Run, s *cluster.Submission, o cluster.SubmitOptions) error {
	notes := c.App.ErrWriter
	for _, damage := range s.Damaged {
		command.Note(notes, "%s; gdrun renames the file and runs its task again", damage)
	}
	command.Notes(c, "", s.Warnings)
	if s.Empty() {
		return empty(c, r, s, o)
	}
	asked := cluster.Cost{Cells: s.Cells, Tasks: len(s.Tasks), Seconds: s.Seconds}
	cost := costOf(asked)
	if s.Cells == 0 {
		cost = "only the follow-up job; " + nothing(s)
	}
	if o.DryRun {
		command.Note(notes, "%s: %s; this is a dry run, so nothing is submitted", r.Dir, cost)
		return s.Write(c.App.Writer)
	}
	if o.UntilDone { // a follow-up job cannot ask
		asked = s.Whole
	}
	if (asked.Seconds > manyHours*3600 || asked.Tasks > manyTasks) && !c.Bool("yes") {
		if err := confirm(c, fmt.Sprintf("%s: %s. Submit?", r.Dir, costOf(asked))); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.App.Writer, "%s: %s\n", r.Dir, cost)
	before, told := s.Left, len(s.Warnings)
	if err := send(c, s); err != nil {
		return err
	}
	command.Notes(c, "", s.Warnings[told:])
	tellLeft(c, s, s.Left-before, command.Line(r.Dir))
	fmt.Fprintf(c.App.Writer, "see the progress with: gdrun status %s\n", command.Line(r.Dir))
	return nil
}

func tellLeft(c *cli.Context, s *cluster.Submission, left int, dir string) {
	const admits = "the cluster accepts no more of your jobs now"
	sends := "the follow-up job"
	if s.FollowUp == nil {
		sends = "gdrun submit " + dir + " --again"
	}
	if s.Alone != nil {
		command.Note(c.App.ErrWriter, "no follow-up job was submitted, because %s (%v); when your jobs have ended, type "+
			"gdrun submit %s --until-done", admits, s.Alone, dir)
	}
	if left > 0 {
		command.Note(c.App.ErrWriter, "%s not submitted, because %s; %s submits the "+
			"rest", message.Are(left, "cell"), admits, sends)
	}
}

func costOf(cost cluster.Cost) string {
	return fmt.Sprintf("%s in %s, about %s of CPU time", message.Count(cost.Cells, "cell"),
		message.Count(cost.Tasks, "task"), message.Duration(cost.Seconds))
}

func empty(c *cli.Context, r *run.Run, s *cluster.Submission, o cluster.SubmitOptions) error {
	notes := c.App.ErrWriter
	fmt.Fprintf(c.App.Writer, "%s: nothing to submit: %s\n", r.Dir, nothing(s))
	switch {
	case s.GivenUp > 0 && s.InQueue == 0:
		if err := s.GiveUp(); err != nil {
			return err
		}
		return message.Because(run.ErrGivenUp, "%s given up", message.Are(s.GivenUp, "cell"))
	case s.Following != "":
		command.Note(notes, "job %s is the run's follow-up job", s.Following)
	case o.UntilDone && s.Done == len(r.Plan.Cells):
		command.Note(notes, "the results are merged already")
	}
	if s.Hidden > 0 {
		return message.Because(run.ErrIncomplete, "%s left alone", message.Are(s.Hidden, "cell"))
	}
	if s.Failed > 0 && s.InQueue == 0 && s.Left == 0 {
		return message.Because(run.ErrFailed, "%s failed; gdmerge %s lists them", message.Count(s.Failed, "cell"),
			command.Line(r.Dir))
	}
	return nil
}

func nothing(s *cluster.Submission) string {
	parts := []string{message.Count(s.Done, "cell") + " done"}
	if s.InQueue > 0 {
		parts = append(parts, fmt.Sprintf("%d in the queue", s.InQueue))
	}
	if s.Hidden > 0 {
		parts = append(parts, fmt.Sprintf("%d in jobs that cannot be seen from here", s.Hidden))
	}
	if s.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed (--retry-failed runs them again)", s.Failed))
	}
	if s.Left > 0 {
		parts = append(parts, fmt.Sprintf("%d not submitted yet", s.Left))
	}
	if s.GivenUp > 0 {
		parts = append(parts, fmt.Sprintf("%d given up", s.GivenUp))
	}
	return strings.Join(parts, ", ")
}

// confirm asks a question, but only on a terminal, because elsewhere nobody could answer.
func confirm(c *cli.Context, question string) error {
	in, isFile := c.App.Reader.(*os.File)
	if !isFile || !term.IsTerminal(int(in.Fd())) {
		return userinput.Errorf("%s Add --yes to answer, or --dry-run to see what would be submitted", question)
	}
	return ask(c.Context, in, c.App.ErrWriter, question)
}

// ask prints a question and reads the answer. It returns an error if ctx ends first.
func ask(ctx context.Context, in io.Reader, out io.Writer, question string) error {
	fmt.Fprintf(out, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(in).ReadString('\n') // an error only means that the answer has no line end
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case text := <-answer:
		if text != "y" && text != "yes" {
			return userinput.Errorf("nothing was submitted")
		}
		return nil
	}
}
