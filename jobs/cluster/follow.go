package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// wakes is the delay of a follow-up job if arm cannot tell Slurm which jobs must end first.
const wakes = 2 * time.Minute

// Each follow-up job waits for all arrays of the run, and then counts the finished cells. It submits the missing cells
// and the next follow-up job, or merges the results, or records why it stops.

// follow decides the next step and makes the follow-up job.
func (s *Submission) follow(queue *journal.Queue) (err error) {
	o, f := &s.options, &s.round
	all := journal.Round{
		Cells: len(s.run.Plan.Cells), Done: s.Done, Failed: s.Failed, Queued: s.InQueue, Hidden: s.Hidden, Left: s.Left,
		GivenUp: s.GivenUp, Sends: s.Cells, Asked: s.asked(), ByHand: o.Follow == "", Partial: o.AllowPartial,
		Merged: s.journal.IsMerged(o.reportDir(), s.Done),
	}
	if !all.ByHand {
		all.Before = s.journal.LastRound()
	}
	for _, d := range s.deaths {
		if d.Cause == results.Cancelled {
			all.Cancelled++
		}
	}
	if s.Next, s.Word = all.Next(); s.Next != journal.Sends {
		s.Left, s.Jobs = s.Left+s.keep(nil), nil
	}
	if s.Next == journal.Stops {
		s.stop(&all)
		return nil
	}
	*f = journal.Follow{By: o.Follow, Ended: s.Done + s.Failed, Sent: s.Cells, Asked: all.Asked, Idle: all.Idle(),
		Limited: all.Before.Limited}
	old := s.journal.FollowUp()
	switch {
	case s.Next == journal.Nothing || s.Next == journal.Merges && !all.ByHand:
		return nil
	case s.Next == journal.Waits && all.ByHand && queue.Has(old) && queue.Shows(old) &&
		slices.Equal(o.Command, s.journal.Last().Command):
		s.Next, s.Following = journal.Nothing, old.ID // the user repeated the command
		return nil
	case s.Next == journal.Waits:
		*f = all.Before
		f.By = o.Follow
	case s.Next == journal.Sends && f.Idle > 0:
		for _, j := range s.Jobs {
			j.Submission.Begin = time.Minute // the last round finished no cell
		}
	}
	if s.FollowUp, err = s.batch.followUp(); err != nil {
		return err
	}
	if s.waitFor = queue.Local(false); all.ByHand {
		s.replaced = queue.Local(true)
	}
	if job := &s.FollowUp.Submission; s.Next == journal.Sends {
		job.Begin = wakes << min(f.Limited, 5)
	} else if job.After = s.waitFor; !all.ByHand {
		job.Begin = time.Minute // for a while, a lost job counts as waiting
	}
	return nil
}

func (s *Submission) isNewest() bool {
	newest := s.journal.FollowUp()
	return newest != nil && newest.Name == s.options.Follow
}

// acts reports whether this call may submit. Only the newest follow-up job on the cluster may submit.
func (s *Submission) acts(ctx context.Context) (bool, error) {
	if s.options.Follow == "" || s.isNewest() {
		return true, nil
	}
	for {
		queue, err := s.askQueue(ctx)
		newest := s.journal.FollowUp()
		switch {
		case err != nil || newest == nil || queue.Shows(newest):
			return false, err
		case !queue.Has(newest):
			return true, nil
		}
		if err := s.client.Wait(ctx, errors.New("a newer follow-up job may still appear"), time.Minute); err != nil {
			return false, err
		}
	}
}

// Fail stops the run because of a permanent error. If all cells are done, it merges the results instead.
func (s *Submission) Fail(err error) {
	s.Next, s.Word = journal.Stops, fmt.Sprintf("the follow-up job could not submit jobs from its node (%v)", err)
	if stock, err := s.run.TakeStock(false); err == nil && stock.IsDone() {
		s.Next, s.Done = journal.Merges, len(stock.State)
	}
}

// stop adds to the reason why the run stops: causes of deaths, and the cells that are given up.
func (s *Submission) stop(r *journal.Round) {
	if r.Cancelled == 0 {
		s.Word += journal.Why(s.deaths)
	}
	if s.reason != "" && r.Left > 0 {
		s.Word += ": " + s.reason
	}
	if r.IsIdle() && len(s.deaths) > 0 {
		s.needs.reasons = append(s.needs.reasons, run.GivenUp{Cause: s.deaths[0].Cause, Cells: r.Sends + r.Left,
			Why: "finished no cell in two rounds; to try again, submit with --until-done"})
	}
}

// asked lists the memory, time and excluded nodes that the jobs ask for.
func (s *Submission) asked() string {
	var all []string
	for _, j := range s.Jobs {
		r := &j.Submission.Script.Resources
		all = append(all, strings.Join([]string{r.Mem, r.MemPerCPU, r.Time, r.Exclude}, " "))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

// followUp makes the follow-up job. It can run on any node, and needs neither setup file nor launcher.
func (b *batch) followUp() (*ProposedJob, error) {
	const limit = 30 * time.Minute
	stem, r := fmt.Sprintf("%04d-follow", b.number), b.options.Resources
	r.CPUsPerTask, r.WholeNode, r.MemPerCPU = 1, false, ""
	r.Extra = slurm.OfAllJobs(r.Extra)
	r.Time = slurm.FormatTime(min(limit, b.ceiling.time))
	rows := len(b.run.Plan.Cells) * len(b.run.Plan.Checkpoints) // gdmerge never holds all rows in memory
	r.Mem = slurm.FormatMemory(min(512+rows*3/1024, 2048, b.ceiling.memory))
	script := &slurm.Script{
		Name: b.name(stem), About: fmt.Sprintf("gdrun: when the jobs of the run %s have ended, submits its missing cells "+
			"or merges the results", b.run.Plan.Experiment.Name),
		Program: b.options.Program, Args: []string{"submit", ".", "--follow", b.name(stem)}, Resources: r,
	}
	j := b.job(stem, script, filepath.Join(journal.LogsDir, stem+"-%j.log"))
	j.Note.Follows = true
	j.Submission.Env = slurm.KeptEnvironment()
	if err := j.Submission.Validate(); err != nil {
		return nil, &userinput.Error{Err: err}
	}
	return j, nil
}

// sendFollowUp submits the follow-up job. If the user has reached a limit on jobs, it withdraws the job.
func (s *Submission) sendFollowUp(ctx context.Context, f *journal.File) error {
	err := s.send(ctx, f, s.FollowUp)
	if slurm.IsKind(err, slurm.SubmitLimit) && (s.options.Follow != "" || len(s.Jobs) > 0) {
		return s.withdraw(ctx, f, err)
	}
	return err
}

// hasNoRoom reports whether the cluster refuses an array although the user has only follow-up jobs.
func (s *Submission) hasNoRoom(ctx context.Context, limit error) bool {
	if strings.Contains(strings.ToLower(limit.Error()), "grp") { // a group limit counts jobs of other users too
		return false
	}
	all, err := s.client.QueueOf(ctx, []int{os.Getuid()})
	return err == nil && !slices.ContainsFunc(all, func(e slurm.Entry) bool {
		return e.State.Active() && e.Name != s.options.Follow && (s.FollowUp == nil || e.Name != s.FollowUp.Note.Name)
	})
}

// withdraw gives up the new follow-up job, because the cluster does not admit both this job and the arrays. If a
// follow-up job calls withdraw, this job continues the run itself.
func (s *Submission) withdraw(ctx context.Context, f *journal.File, limit error) error {
	id := s.FollowUp.Note.ID
	s.FollowUp, f.Jobs = nil, f.Jobs[1:]
	if s.options.Follow == "" {
		s.Alone, f.Follow = limit, nil
	}
	if err := s.journal.Save(f); err != nil || id == "" {
		return err
	}
	return s.client.Cancel(ctx, id)
}

// arm tells Slurm to start the new follow-up job when all arrays have ended. If arm fails, the follow-up job starts
// after a delay of at least two minutes, and then waits for arrays that are still in the queue. arm also cancels older
// follow-up jobs. If there is no new follow-up job, or the cluster has lost it, the calling job requeues itself, which
// ends this process.
func (s *Submission) arm(ctx context.Context, f *journal.File) error {
	if s.FollowUp == nil && s.options.Follow == "" {
		return nil
	}
	for _, j := range s.Jobs {
		s.waitFor = append(s.waitFor, j.Note.ID)
	}
	err := s.client.Cancel(ctx, s.replaced...)
	if err != nil {
		s.Warnings = append(s.Warnings, fmt.Sprintf("an earlier follow-up job stays in the queue, and will do nothing (%v)",
			err))
	}
	begin := wakes << min(s.round.Limited, 5)
	if s.Next == journal.Sends {
		s.round.Sent = s.Cells
		if s.round.Limited++; len(s.waitFor) > 0 {
			s.round.Limited = 0
		}
		if err := s.journal.Save(f); err != nil {
			return err
		}
	}
	if len(s.waitFor) > 0 {
		begin = 0
	}
	if s.FollowUp != nil && s.Next == journal.Sends && begin == 0 {
		err = s.client.StartAfter(ctx, s.FollowUp.Note.ID, 0, s.waitFor)
		if err != nil && !slurm.IsKind(err, slurm.NoSuchJob) {
			s.Warnings = append(s.Warnings, fmt.Sprintf("the follow-up job starts in two minutes, and then waits for the "+
				"other jobs (%v)", err))
		}
	}
	switch lost := slurm.IsKind(err, slurm.NoSuchJob); {
	case lost && s.options.Follow == "":
		return submitError(err, 0, 1+len(s.Jobs))
	case s.FollowUp != nil && !lost:
		return nil
	case ctx.Err() != nil || s.journal.IsStopped():
		return cmp.Or(ctx.Err(), errCancelled)
	}
	return s.client.RequeueAfter(context.WithoutCancel(ctx), s.journal.Job(s.options.Follow).ID, begin, s.waitFor)
}

// Finish records why no follow-up job continues the run. merged is set if the report has all finished cells.
func (s *Submission) Finish(ctx context.Context, word string, merged bool) error {
	f := cmp.Or(s.noted, s.file())
	f.Follow = &journal.Follow{By: s.options.Follow, Word: word}
	if merged {
		f.Follow.Merged, f.Follow.Out = s.Done, s.options.reportDir()
	}
	if s.FollowUp != nil && s.FollowUp.Note.ID != "" { // the new follow-up job has nothing to do
		if err := s.client.Cancel(ctx, s.FollowUp.Note.ID); err != nil {
			s.Warnings = append(s.Warnings, err.Error())
		}
	}
	return s.journal.Save(f)
}
