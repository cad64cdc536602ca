package grid

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/io/table"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "show which cells of a run are done, running, queued, failed or missing",
		ArgsUsage: "RUN",
		UsageText: `gdrun status runs/table1 --format json
gdrun status runs/table1 --watch --interval 1m
gdrun status runs/table1 --efficiency  # what jobs held and used
gdrun status runs/table1 --filter failed,missing  # ids of cells`,
		Description: `Counts cells in the result files. If the run was submitted, it asks Slurm about the other
cells. The exit code is 3 while cells are missing, running or queued.`,
		Flags: []cli.Flag{
			command.TableFlag(),
			&cli.BoolFlag{Name: "efficiency", Usage: "print the processors and memory that the run's jobs held and used, how " +
				"the jobs ended, and the hours of each method"},
			&cli.BoolFlag{Name: "watch", Usage: "print again after each --interval until no cell is missing, running or " +
				"queued; also print why tasks wait"},
			&cli.DurationFlag{Name: "interval", DefaultText: "30s, later up to 5m", Value: firstPause,
				Usage: "time between the updates of --watch"},
			&cli.BoolFlag{Name: "verify", Usage: "read every byte of the result files and compare their checksums"},
			&cli.StringFlag{Name: "filter", Usage: "print the ids of cells in these `STATES`: " + stateNames() + ", " +
				"separated by commas"},
		},
		Action: func(c *cli.Context) error {
			format := c.String("format")
			states, err := filterStates(c.String("filter"))
			if err != nil {
				return err
			}
			if err := together(c); err != nil {
				return err
			}
			if c.Bool("watch") {
				if err := command.AtLeastSecond(c, "interval"); err != nil {
					return err
				}
				return watch(c, format)
			}
			s, err := look(c)
			if err != nil {
				return err
			}
			if c.IsSet("filter") {
				for _, id := range s.IDs(states...) {
					fmt.Fprintln(c.App.Writer, id)
				}
				return nil
			}
			if c.Bool("efficiency") {
				return efficiency(c, s, format)
			}
			if err := printStatus(c, s, format); err != nil {
				return err
			}
			return undone(s)
		},
	}
}

// together refuses flags that would have no effect.
func together(c *cli.Context) error {
	switch asked := c.IsSet("filter"); {
	case c.IsSet("interval") && !c.Bool("watch"):
		return userinput.Errorf("--interval needs --watch; add --watch")
	case asked && (c.Bool("watch") || c.Bool("efficiency") || c.IsSet("format")):
		return userinput.Errorf("--filter prints only ids; leave out --watch, --efficiency and --format")
	case c.Bool("watch") && c.Bool("efficiency"):
		return userinput.Errorf("--watch and --efficiency print different tables: give only one of them")
	}
	return nil
}

func stateNames() string { return strings.Join(slices.Sorted(maps.Keys(run.CellStates)), ", ") }

func filterStates(text string) (states []run.CellState, err error) {
	if text == "" {
		return nil, nil
	}
	for _, name := range strings.Split(text, ",") {
		state, ok := run.CellStates[name]
		if !ok {
			return nil, userinput.Errorf("filter = %q, want %s, separated by commas", text, stateNames())
		}
		states = append(states, state)
	}
	return states, nil
}

// look returns the state of a run. If Slurm does not answer, the state comes only from the files.
func look(c *cli.Context) (*run.Status, error) {
	r, err := command.OpenRun(c)
	if err != nil {
		return nil, err
	}
	s, err := r.Status(c.Bool("verify"))
	if err != nil {
		return nil, err
	}
	client := &slurm.Client{Timeout: 20 * time.Second, Tries: 2, Rate: slurm.Polite()}
	err = journal.AskQueue(c.Context, s, client)
	var failed *slurm.Error
	switch {
	case errors.As(err, new(*slurm.MissingError)):
		command.Note(c.App.ErrWriter, "this machine has no Slurm, so the queue is unknown, and missing cells may be queued "+
			"or running")
	case errors.As(err, &failed):
		command.Note(c.App.ErrWriter, "the queue is unknown: %s", failed)
	default:
		return s, err
	}
	return s, nil
}

func undone(s *run.Status) error {
	n := s.Undone()
	left := message.Number(n)
	switch {
	case s.Queue != nil && s.Queue.GivenUp != nil:
		return message.Because(run.ErrGivenUp, "%s of %s given up", left, message.Are(s.Total.Cells, "cell"))
	case n == 0 && s.Follow != nil && s.Follow.State != run.FollowDone:
		says := strings.NewReplacer(run.FollowStopped, "has stopped", run.FollowHidden, "cannot be seen from here")
		return message.Because(run.ErrIncomplete, "no cell is missing, but the results are not merged: the follow-up job %s",
			says.Replace(s.Follow.State))
	case n == 0 && s.Total.Failed > 0:
		return message.Because(run.ErrFailed, "%s of %s failed; gdmerge %s lists them", message.Number(s.Total.Failed),
			message.Count(s.Total.Cells, "cell"), command.Line(s.Dir))
	case n == 0:
		return nil
	case s.Total.Running+s.Total.Queued+s.Total.Hidden > 0:
		return message.Because(run.ErrIncomplete, "%s of %s not done yet", left, message.Are(s.Total.Cells, "cell"))
	default:
		return message.Because(run.ErrIncomplete, "%s of %s missing", left, message.Are(s.Total.Cells, "cell"))
	}
}

// The pauses of gdrun status --watch grow from firstPause to mostPause.
const (
	firstPause = 30 * time.Second
	mostPause  = 5 * time.Minute
)

func nextPause(pause time.Duration) time.Duration { return min(pause*5/4, mostPause) }

func watch(c *cli.Context, format string) error {
	terminal := command.Terminal(c.App.Writer)
	pause := c.Duration("interval")
	for {
		s, err := look(c)
		if err != nil {
			return err
		}
		if terminal != nil {
			fmt.Fprint(terminal, "\x1b[H\x1b[2J")
		}
		if format == "text" {
			fmt.Fprintln(c.App.Writer, time.Now().Format(time.DateTime))
		}
		if err := printStatus(c, s, format); err != nil {
			return err
		}
		if !s.Follow.Awaited() && (s.Undone() == 0 || s.Queue != nil && s.Queue.Running+s.Queue.Queued == 0) {
			return undone(s)
		}
		select {
		case <-c.Context.Done():
			if errors.Is(c.Context.Err(), context.Canceled) {
				return undone(s)
			}
			return c.Context.Err()
		case <-time.After(pause):
		}
		if !c.IsSet("interval") {
			pause = nextPause(pause)
		}
	}
}

func printStatus(c *cli.Context, s *run.Status, format string) error {
	if format == "json" {
		return table.JSON(c.App.Writer, s)
	}
	checked := "sizes and ends"
	if s.Verified {
		checked = "checksums"
	}
	t := &table.Table{
		Title: fmt.Sprintf("%s: %s of %s done, %s failed, %s missing", s.Dir, message.Number(s.Total.Done),
			message.Count(s.Total.Cells, "cell"), message.Number(s.Total.Failed), message.Number(s.Total.Missing)),
		Subtitle: fmt.Sprintf("%s of %s sealed (%s checked), %s begun; about %s of CPU time used, %s left",
			message.Number(s.Sealed), message.Count(s.Tasks, "task"), checked, message.Number(s.Begun),
			message.Duration(s.Used), message.Duration(s.Left)),
	}
	fields := []table.Field[run.StatusGroup]{
		table.WordField("dataset", "Dataset", func(g *run.StatusGroup) string { return g.Dataset }),
		table.WordField("method", "Method", func(g *run.StatusGroup) string { return g.Method }),
		table.CountField("cells", "Cells", func(g *run.StatusGroup) int { return g.Cells }),
		table.CountField("done", "Done", func(g *run.StatusGroup) int { return g.Done }),
		table.CountField("failed", "Failed", func(g *run.StatusGroup) int { return g.Failed }),
		table.CountField("running", "Running", func(g *run.StatusGroup) int { return g.Running }),
		table.CountField("queued", "Queued", func(g *run.StatusGroup) int { return g.Queued }),
		table.CountField("missing", "Missing", func(g *run.StatusGroup) int { return g.Missing }),
	}
	if s.Total.Hidden > 0 {
		fields = append(fields, table.CountField("hidden", "Hidden", func(g *run.StatusGroup) int { return g.Hidden }))
	}
	table.Fill(t, s.Groups, fields)
	if err := command.Tables(c, t); err != nil || format != "text" {
		return err
	}
	printQueue(c.App.Writer, s)
	if c.Bool("watch") {
		printWaiting(c.App.Writer, s)
	}
	return nil
}

// listed limits how many dead tasks and how many damaged shards are listed.
const listed = 10

func printQueue(w io.Writer, s *run.Status) {
	for i, damage := range s.Damaged {
		if i == listed {
			fmt.Fprintf(w, "… and %d more are damaged\n", len(s.Damaged)-listed)
			break
		}
		fmt.Fprintf(w, "damaged; the next gdrun local or submit runs its task again: %s\n", damage)
	}
	if s.Queue == nil {
		if f := s.Follow; f != nil && f.Why != "" { // Slurm did not answer
			fmt.Fprintf(w, "%s: %s\n", f.State, f.Why)
		}
		return
	}
	printOthers(w, s)
	var parts []string
	if n := s.Queue.Running + s.Queue.Queued; n > 0 && s.Total.Running+s.Total.Queued == 0 {
		fmt.Fprintf(w, "%s in the queue, although all their cells are done; gdrun cancel %s cancels "+
			"them\n", message.Are(n, "task"),
			command.Line(s.Dir))
	} else {
		if n := s.Queue.Running; n > 0 {
			parts = append(parts, message.Count(s.Total.Running, "cell")+" running in "+message.Count(n, "task"))
		}
		if n := s.Queue.Queued; n > 0 {
			parts = append(parts, message.Count(s.Total.Queued, "cell")+" queued in "+message.Count(n, "task")+
				reasons(s.Queue.Waiting))
		}
	}
	if parts != nil {
		fmt.Fprint(w, strings.Join(parts, ", "))
		if !s.Queue.Finish.IsZero() {
			fmt.Fprintf(w, "; expected to end on %s", s.Queue.Finish.Format("Mon 2 Jan 15:04"))
		}
		fmt.Fprintln(w)
	}
	printStuck(w, s)
	for i, d := range s.Queue.Dead {
		if i == listed {
			fmt.Fprintf(w, "… and %d more have died\n", len(s.Queue.Dead)-listed)
			break
		}
		fmt.Fprintln(w, strings.TrimSuffix(fmt.Sprintf("task %d died (%s), see %s: %s", d.Task, how(d), d.Log, d.Last), ": "))
	}
	for _, g := range s.Queue.GivenUp {
		fmt.Fprintln(w, g)
	}
	switch {
	case s.Follow != nil:
		printFollow(w, s)
	case s.Queue.GivenUp != nil:
	case len(s.Queue.Dead) > 0:
		fmt.Fprintf(w, "gdrun submit %s runs their unfinished cells again\n", command.Line(s.Dir))
	case s.Total.Missing > 0 && s.Queue.Running+s.Queue.Queued == 0:
		fmt.Fprintf(w, "gdrun submit %s --again submits the missing cells\n", command.Line(s.Dir))
	}
}

// printFollow says what the follow-up job does, or what to type if the run does not continue by itself.
func printFollow(w io.Writer, s *run.Status) {
	f, active := s.Follow, s.Queue.Running+s.Queue.Queued
	again := fmt.Sprintf("gdrun submit %s --until-done continues the run", command.Line(s.Dir))
	switch f.State {
	case run.FollowDone:
		fmt.Fprintln(w, f.Why)
	case run.FollowStopped:
		fmt.Fprintf(w, "stopped: %s\n%s\n", f.Why, again)
	case run.FollowDied:
		fmt.Fprintf(w, "the follow-up job died (job %s, %s), see %s\n%s\n", f.Job,
			cmp.Or(f.Why, "Slurm has no record of the job"), f.Log, again)
	case run.FollowHidden:
		fmt.Fprintf(w, "the follow-up job (job %s) is one of these jobs\n", f.Job)
	case run.FollowRuns:
		fmt.Fprintf(w, "the follow-up job (job %s) is running\n", f.Job)
	default:
		held := slices.ContainsFunc(s.Queue.Waiting, func(w run.Waiting) bool { return w.Held() })
		switch own := (&run.Waiting{Reason: f.Why}); {
		case own.Held():
			fmt.Fprintf(w, "the follow-up job is held (%s); release it with: scontrol release %s\n", f.Why, f.Job)
		case active > 0 && held:
			fmt.Fprintf(w, "the follow-up job (job %s) waits for %s; it cannot start while tasks are held\n", f.Job,
				message.Count(active, "task"))
		case active > 0:
			fmt.Fprintf(w, "the follow-up job (job %s) waits for %s\n", f.Job, message.Count(active, "task"))
		case f.Limited:
			fmt.Fprintf(w, "the follow-up job (job %s) waits until the cluster accepts more of your jobs\n",
				f.Job)
		default:
			fmt.Fprintf(w, "the follow-up job (job %s) has not started yet (%s)\n", f.Job, f.Why)
		}
	}
}

// printStuck prints the tasks that will not start unless the user acts.
func printStuck(w io.Writer, s *run.Status) {
	for _, waiting := range s.Queue.Waiting {
		switch {
		case waiting.Never():
			fmt.Fprintf(w, "%s (%s): %s; type gdrun cancel %s, then submit with less --time or --mem\n",
				message.Count(waiting.Tasks, "task"), waiting.Reason, waiting.Means, command.Line(s.Dir))
		case waiting.Held():
			fmt.Fprintf(w, "%s held (%s); release with: scontrol release %s\n", message.Are(waiting.Tasks, "task"),
				waiting.Reason, strings.Join(waiting.Jobs, " "))
		}
	}
}

func printOthers(w io.Writer, s *run.Status) {
	for _, note := range s.Queue.NotOurs {
		fmt.Fprintln(w, note)
	}
	for _, o := range s.Queue.Hidden {
		fmt.Fprintf(w, "%s cannot be seen from here: %s\n", &o, o.Why)
	}
	if s.Queue.Hidden != nil {
		fmt.Fprintf(w, "gdrun submit %s does not submit the cells of these jobs; if the jobs have ended, add --take-over\n",
			command.Line(s.Dir))
	}
}

func printWaiting(w io.Writer, s *run.Status) {
	if s.Queue == nil {
		return
	}
	for _, waiting := range s.Queue.Waiting {
		if waiting.Means != "" {
			tasks := "1 task waits"
			if waiting.Tasks != 1 {
				tasks = fmt.Sprintf("%d tasks wait", waiting.Tasks)
			}
			fmt.Fprintf(w, "%s: %s (%s)\n", tasks, waiting.Means, waiting.Reason)
		}
	}
}

func reasons(all []run.Waiting) string {
	switch len(all) {
	case 0:
		return ""
	case 1:
		return " (" + all[0].Reason + ")"
	}
	var parts []string
	for _, w := range all {
		parts = append(parts, fmt.Sprintf("%d %s", w.Tasks, w.Reason))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func how(d run.DeadTask) string {
	parts := []string{string(d.Cause), "job " + d.Job}
	if d.Attempt > 1 {
		parts = append(parts, fmt.Sprintf("attempt %d", d.Attempt))
	}
	if d.State == "" {
		parts = append(parts, "Slurm has no record of the job")
	}
	for _, part := range []string{d.State, d.Reason, d.Node} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

func efficiency(c *cli.Context, s *run.Status, format string) error {
	e, err := journal.MeasureEfficiency(s)
	switch {
	case err != nil:
		return err
	case format == "json":
		return table.JSON(c.App.Writer, e)
	case e.Attempts == 0 && format == "text":
		_, err := fmt.Fprintf(c.App.Writer, "%s: no job has recorded its time and memory yet\n", s.Dir)
		return err
	}
	t := &table.Table{
		Title:    fmt.Sprintf("%s: %s at tasks: %s", s.Dir, message.Count(e.Attempts, "attempt"), ends(e)),
		Subtitle: "Lost: core-hours of jobs that ran out of memory or time before they finished a cell",
	}
	table.Fill(t, e.Kinds, []table.Field[journal.KindUse]{
		table.WordField("dataset", "Dataset", func(u *journal.KindUse) string { return u.Dataset }),
		table.WordField("memory", "Memory", func(u *journal.KindUse) string {
			if u.Memory == 0 {
				return "all"
			}
			return slurm.FormatMemory(u.Memory)
		}),
		table.CountField("attempts", "Attempts", func(u *journal.KindUse) int { return u.Attempts }),
		table.NumberField("core_hours_held", "Core-hours held", hours, func(u *journal.KindUse) float64 { return u.Held }),
		table.NumberField("core_hours_used", "Used", hours, func(u *journal.KindUse) float64 { return u.Used }),
		table.NumberField("core_hours_lost", "Lost", hours, func(u *journal.KindUse) float64 { return u.Lost }),
		table.NumberField("memory_gib_hours_held", "GiB-hours held", hours,
			func(u *journal.KindUse) float64 { return u.MemoryHeld }),
		table.NumberField("memory_gib_hours_used", "Used", hours, func(u *journal.KindUse) float64 { return u.MemoryUsed }),
	})
	return command.Tables(c, t)
}

// hours formats a number with three significant digits. For less than a thousandth it returns "< 0.001".
func hours(v float64) string {
	if v > 0 && v < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3g", v)
}

func ends(e *journal.Efficiency) string {
	var parts []string
	for _, end := range e.Ends {
		parts = append(parts, fmt.Sprintf("%d %s", end.Attempts, cmp.Or(string(end.Cause), "still running, or unknown")))
	}
	return strings.Join(parts, ", ")
}
