package cluster

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/jobs/cluster"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/reports"
	"graphda/jobs/run"
)

// followTries limits the tries of a follow-up job's requests to Slurm. All tries take about twenty minutes.
const followTries = 26

// follow does the next step of a follow-up job. After a permanent error it stops the run and records the error as the
// reason, unless all cells are done.
func follow(c *cli.Context, r *run.Run, s *cluster.Submission) (err error) {
	command.Notes(c, "", s.Warnings)
	told := len(s.Warnings)
	if s.Next == journal.Sends || s.Next == journal.Waits {
		err = send(c, s)
		command.Notes(c, "", s.Warnings[told:])
		if journal.IsLasting(err) {
			s.Fail(err)
		}
	}
	if s.Next == journal.Merges { // Fail sets this too if all cells are done
		out := cmp.Or(c.String("merge-out"), journal.DefaultMergeOut)
		err = command.Report(c.Context, c.App.Writer, c.App.ErrWriter, r, command.ReportOptions{
			Options: reports.Options{AllowPartial: c.Bool("allow-partial")}, Format: "text", Out: out, Place: command.Place(c),
		})
		if err == nil {
			return s.Finish(c.Context, "merged into "+out, true)
		}
		s.Next, s.Word = journal.Stops, fmt.Sprintf("the results could not be merged: %v", err)
	}
	if s.Next != journal.Stops || command.Interruption(c.Context) != nil {
		return err
	}
	return errors.Join(message.Because(run.ErrGivenUp, "stopped: %s", s.Word), s.Finish(c.Context, s.Word, false))
}

func send(c *cli.Context, s *cluster.Submission) error {
	return s.Send(c.Context, func(j *cluster.ProposedJob) {
		what := j.Note.What()
		if j.Note.Follows {
			what += ", which starts when all other jobs have ended; you may log out"
		}
		fmt.Fprintf(c.App.Writer, "job %s: %s\n", j.Note.ID, what)
		if j.Said != "" {
			command.Note(c.App.ErrWriter, "sbatch: %s", j.Said)
		}
	})
}
