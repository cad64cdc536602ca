package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"graphda/io/message"
	"graphda/io/safefile"
	"graphda/io/seal"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/executor"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// Empty reports whether there is nothing to submit.
func (s *Submission) Empty() bool { return len(s.Jobs) == 0 && s.FollowUp == nil }

// Send submits the jobs and calls sent after each job. All files and folders of the jobs exist before the first sbatch.
// If Send fails, the jobs that it has sent still run, and the next Submission sends the other jobs.
func (s *Submission) Send(ctx context.Context, sent func(*ProposedJob)) error {
	if err := s.prepare(); err != nil {
		return err
	}
	for _, f := range s.taken {
		if err := s.journal.Save(f); err != nil {
			return err
		}
	}
	f := s.file()
	s.noted = f
	if s.options.Follow == "" {
		if err := s.journal.Resume(); err != nil {
			return err
		}
	}
	if s.FollowUp != nil {
		f.Follow = &s.round
		if err := s.sendFollowUp(ctx, f); err != nil {
			return submitError(err, 0, 1+len(s.Jobs))
		}
		if s.FollowUp != nil {
			sent(s.FollowUp)
		}
	}
	for i := 0; i < len(s.Jobs); i++ { // cut adds a job
		j := s.Jobs[i]
		err := s.send(ctx, f, j)
		switch {
		case err == nil:
			sent(j)
		case s.dropGone(ctx, i, err):
			i--
		case slurm.IsKind(err, slurm.SubmitLimit) && j.Note.Count > 1:
			if err := s.cut(i); err != nil {
				return err
			}
			i--
		case i == 0 && s.FollowUp != nil && s.options.Follow == "" && slurm.IsKind(err, slurm.Refused):
			refused := fmt.Errorf("%w; the follow-up job was cancelled", err) // it would repeat the refused options
			return cmp.Or(s.withdraw(ctx, f, err), submitError(refused, 0, len(s.Jobs)))
		case !slurm.IsKind(err, slurm.SubmitLimit) || i == 0 && s.FollowUp == nil && s.options.Follow == "":
			return submitError(err, i, len(s.Jobs))
		case i == 0 && s.FollowUp != nil && (s.options.Follow != "" || s.hasNoRoom(ctx, err)):
			if err := s.withdraw(ctx, f, err); err != nil {
				return err
			}
			i--
		case i == 0 && s.FollowUp == nil && s.hasNoRoom(ctx, err):
			return userinput.Errorf("the cluster accepts no job of yours besides the follow-up job: %w", err)
		default:
			s.leave(i)
		}
	}
	return s.arm(ctx, f)
}

// dropGone handles sbatch's refusal of job i. If the reason is an excluded node that has left the cluster, dropGone no
// longer excludes the node and returns true. The caller then sends the jobs from i on again.
func (s *Submission) dropGone(ctx context.Context, i int, refused error) bool {
	if !slurm.IsKind(refused, slurm.Refused) || !strings.Contains(refused.Error(), "Invalid node name") {
		return false
	}
	there, err := s.client.Nodes(ctx, s.needs.exclude)
	if err != nil || len(there) >= len(s.needs.exclude) {
		return false
	}
	s.needs.exclude = there
	for _, j := range s.Jobs[i:] {
		if r := &j.Submission.Script.Resources; r.Exclude != "" {
			r.Exclude = strings.Join(there, ",")
		}
		err = errors.Join(err, s.writeScript(j))
	}
	return err == nil
}

// cut halves the array with index i, because a limit on the user's jobs leaves no room for the whole array.
func (s *Submission) cut(i int) error {
	head, rest := s.Jobs[i], *s.Jobs[i].Submission.Script.Array
	half := rest.Count / 2
	rest.Offset, rest.Count = rest.Offset+half, rest.Count-half
	head.Submission.Script.Array.Count, head.Note.Count = half, half
	tail := s.batch.array(&rest, head.asks, fmt.Sprintf("%s.%d", strings.TrimSuffix(head.Note.Script, ".sh"), rest.Offset))
	tail.Submission.After = slices.Clone(head.Submission.After)
	if rest.Parallelism > 0 {
		tail.after = []int{i}
	}
	for _, later := range s.Jobs[i+1:] {
		for k, at := range later.after {
			if at > i {
				later.after[k]++
			} else if at == i {
				later.after = append(later.after, i+1)
			}
		}
	}
	s.Jobs = slices.Insert(s.Jobs, i+1, tail)
	return errors.Join(s.writeScript(head), s.writeScript(tail))
}

// leave leaves the jobs from index i on for another submission.
func (s *Submission) leave(i int) {
	for _, j := range s.Jobs[i:] {
		for index := range j.Note.Count {
			if t := s.run.Task(j.Note.Task(index)); t != nil {
				s.Left += len(t.Cells)
				s.Cells -= len(t.Cells)
			}
		}
	}
	s.Jobs = s.Jobs[:i]
}

func (s *Submission) file() *journal.File {
	f := s.journal.NewFile()
	f.Command, f.Deaths = s.options.Command, s.deaths
	if s.needs != nil {
		f.GivenUp = s.needs.reasons
	}
	return f
}

// GiveUp records which cells are given up, and why. Call it if nothing is submitted.
func (s *Submission) GiveUp() error {
	if n := len(s.journal.Files); s.options.DryRun ||
		len(s.deaths) == 0 && n > 0 && slices.Equal(s.journal.Files[n-1].GivenUp, s.needs.reasons) {
		return nil
	}
	return s.journal.Save(s.file())
}

// errCancelled is the error if somebody cancels the run while jobs are sent.
var errCancelled = fmt.Errorf("somebody has cancelled the run: %w", executor.ErrStopped)

// send submits a job, and writes the journal before and after the call of sbatch.
func (s *Submission) send(ctx context.Context, f *journal.File, j *ProposedJob) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.journal.IsStopped() {
		return errCancelled
	}
	for _, i := range j.after {
		j.Submission.After = append(j.Submission.After, s.Jobs[i].Note.ID)
	}
	j.after = nil
	here, err := s.journal.Here(ctx, s.client)
	if err != nil {
		return err
	}
	j.Note.Cluster, j.Note.At = here.Cluster, s.client.Now().Truncate(time.Second)
	f.Jobs = append(f.Jobs, j.Note)
	if err := s.journal.Save(f); err != nil {
		return err
	}
	note := &f.Jobs[len(f.Jobs)-1]
	job, err := s.client.Submit(ctx, &j.Submission)
	switch {
	case err == nil:
		note.ID, note.Cluster = job.ID, cmp.Or(job.Cluster, here.Cluster)
		note.At = s.client.Now().Truncate(time.Second)
		j.Note, j.Said = *note, job.Said
	case slurm.IsKind(err, slurm.Refused), slurm.IsKind(err, slurm.SubmitLimit):
		note.Error = err.Error()
	default: // sbatch's answer is unknown; the next submission looks for the job
		return err
	}
	return errors.Join(err, s.journal.Save(f))
}

func submitError(err error, sent, all int) error {
	err = fmt.Errorf("%d of %s submitted: %w", sent, message.Count(all, "job"), err)
	switch {
	case slurm.IsKind(err, slurm.SubmitLimit):
		return fmt.Errorf("%w (repeat the command when some of your jobs have ended): %w", err, executor.ErrStopped)
	case slurm.IsKind(err, slurm.Transient), slurm.IsKind(err, slurm.NoSuchJob): // the cluster has lost its newest jobs
		return fmt.Errorf("%w: %w", err, executor.ErrStopped)
	case slurm.IsKind(err, slurm.Refused):
		return &userinput.Error{Err: err}
	}
	return err
}

// prepare makes the folders, tasks and scripts that the jobs need.
func (s *Submission) prepare() error {
	for _, d := range s.Damaged {
		if err := os.Rename(d.Path, d.Path+run.DamagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	folders := map[string]bool{}
	for _, t := range s.Tasks {
		folders[s.run.Folder(t)] = true
	}
	for dir := range folders {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	for kept, source := range s.options.sources {
		if err := journal.KeepProgram(kept, source); err != nil {
			return err
		}
	}
	if s.List != "" {
		if err := s.run.AddTasks(s.packed); err != nil {
			return err
		}
	}
	if s.options.Setup != "" && len(s.Jobs) > 0 {
		kept := filepath.Join(s.run.Dir, s.Jobs[0].Submission.Script.Setup)
		if err := safefile.CopyProgram(s.options.Setup, kept); err != nil {
			return err
		}
	}
	for _, j := range s.all() {
		if err := s.writeScript(j); err != nil {
			return err
		}
	}
	return nil
}

func (s *Submission) all() []*ProposedJob {
	if s.FollowUp == nil {
		return s.Jobs
	}
	return slices.Insert(slices.Clone(s.Jobs), 0, s.FollowUp)
}

func (s *Submission) writeScript(j *ProposedJob) error {
	if err := os.MkdirAll(filepath.Dir(filepath.Join(s.run.Dir, j.Note.Log)), 0o777); err != nil {
		return err
	}
	return seal.Write(filepath.Join(s.journal.Dir, j.Note.Script), j.Submission.Script.Render)
}

// Write prints the scripts and the commands that submit them. It prints an unknown job id as ID_OF_ followed by the
// script's name.
func (s *Submission) Write(w io.Writer) error {
	all := s.all()
	for i, j := range all {
		sub := j.Submission
		for _, k := range j.after {
			sub.After = append(sub.After[:len(sub.After):len(sub.After)], slurm.JobID("ID_OF_"+s.Jobs[k].Note.Script))
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "==> %s\n", filepath.Join(journal.SubmissionsDir, j.Note.Script))
		if err := sub.Script.Render(w); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "==> command\n%s\n", sub.Line()); err != nil {
			return err
		}
	}
	return nil
}
