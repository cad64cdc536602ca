package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"graphda/io/plain"
	"graphda/io/regular"
	"graphda/io/seal"
	"graphda/jobs"
	"graphda/jobs/usage"
	"graphda/slurm"
)

// Empty tells whether there is nothing to submit.
func (s *Submission) Empty() bool { return len(s.Jobs) == 0 }

// Send submits the jobs and calls sent after each. All files and folders that the jobs
// need are there before the first sbatch. If it fails, what was submitted runs, and the
// next Submission has the rest.
func (s *Submission) Send(ctx context.Context, sent func(*ProposedJob)) error {
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.tryMerge(ctx); err != nil {
		return err
	}
	f := &journalFile{Version: jobs.Version, Plan: s.run.Plan.Hash, Dir: s.options.dir, Deaths: s.deaths,
		path: filepath.Join(s.journal.dir, fmt.Sprintf("%04d.json", s.number))}
	for i, j := range s.Jobs {
		err := s.send(ctx, f, j)
		if err != nil {
			if j.Note.Count == 0 && i > 0 {
				err = fmt.Errorf("%w (only the job that merges is lacking; submit --merge again sends it alone)", err)
			}
			return submitError(err, i, len(s.Jobs))
		}
		sent(j)
	}
	return nil
}

// tryMerge asks whether the job that merges would be taken, before arrays are submitted
// that would have nobody to merge them. While nodes are drained or down the cluster refuses
// everything that is only tried, so that the answer counts if it would take an array.
func (s *Submission) tryMerge(ctx context.Context) error {
	if len(s.Jobs) < 2 || s.Jobs[len(s.Jobs)-1].Note.Count > 0 {
		return nil
	}
	first, last := s.Jobs[0], s.Jobs[len(s.Jobs)-1]
	_, refusal := s.client.TestOnly(ctx, &last.Submission)
	if refusal == nil {
		return nil
	}
	if slurm.IsKind(refusal, slurm.Refused) {
		if _, err := s.client.TestOnly(ctx, &first.Submission); err == nil {
			return &usage.Error{Err: fmt.Errorf("nothing was submitted, for the job that merges would be refused: %w", refusal)}
		}
	}
	return ctx.Err()
}

// send submits a job, between two entries in the journal.
func (s *Submission) send(ctx context.Context, f *journalFile, j *ProposedJob) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, i := range j.after {
		j.Submission.After = append(j.Submission.After, s.Jobs[i].Note.ID)
	}
	j.Note.At = time.Now().Truncate(time.Second)
	f.Jobs = append(f.Jobs, j.Note)
	if err := s.journal.save(f); err != nil {
		return err
	}
	note := &f.Jobs[len(f.Jobs)-1]
	job, err := s.client.Submit(ctx, &j.Submission)
	switch {
	case err == nil:
		note.ID = job.ID
		j.Note = *note
	case slurm.IsKind(err, slurm.Refused), slurm.IsKind(err, slurm.SubmitLimit):
		note.Error = err.Error()
	default: // whether there is a job is not known; the next submission looks for it
		return err
	}
	return errors.Join(err, s.journal.save(f))
}

// submitError says how far a submission has come, and what kind of error it is.
func submitError(err error, sent, all int) error {
	err = fmt.Errorf("%d of %s submitted: %w", sent, plain.Count(all, "job"), err)
	switch {
	case slurm.IsKind(err, slurm.SubmitLimit):
		return fmt.Errorf("%w (more fit when some of your jobs have ended; a longer --target-time makes fewer tasks): %w",
			err, jobs.ErrStopped)
	case slurm.IsKind(err, slurm.Transient):
		return fmt.Errorf("%w: %w", err, jobs.ErrStopped)
	case slurm.IsKind(err, slurm.Refused):
		return &usage.Error{Err: err}
	default:
		return err
	}
}

// prepare makes all that the jobs need: folders, tasks, scripts.
func (s *Submission) prepare() error {
	for _, d := range s.damaged {
		if err := os.Rename(d.Path, d.Path+".damaged"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := s.makeFolders(); err != nil {
		return err
	}
	if s.List != "" {
		if err := s.run.AddTasks(s.packed); err != nil {
			return err
		}
	}
	if s.options.Setup != "" {
		text, err := regular.ReadFile(s.options.Setup)
		if err != nil {
			return err
		}
		to := filepath.Join(s.run.Dir, s.Jobs[0].Submission.Script.Setup)
		fill := func(w io.Writer) error { _, err := w.Write(text); return err }
		if err := seal.Write(to, fill); err != nil {
			return err
		}
	}
	for _, j := range s.Jobs {
		if err := seal.Write(filepath.Join(s.journal.dir, j.Note.Script), j.Submission.Script.Render); err != nil {
			return err
		}
	}
	return nil
}

func (s *Submission) makeFolders() error {
	folders := map[string]bool{}
	for _, t := range s.Tasks {
		folders[s.run.Folder(t)] = true
	}
	for _, j := range s.Jobs {
		folders[filepath.Dir(filepath.Join(s.run.Dir, j.Note.Log))] = true
	}
	for dir := range folders {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	return nil
}

// Write writes the scripts and the commands that submit them. The ids of jobs that are
// still to be submitted are written as ID_OF_ and the script's name.
func (s *Submission) Write(w io.Writer) error {
	for i, j := range s.Jobs {
		sub := j.Submission
		for _, k := range j.after {
			sub.After = append(sub.After[:len(sub.After):len(sub.After)], slurm.JobID("ID_OF_"+s.Jobs[k].Note.Script))
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "==> %s\n", filepath.Join(submissionsDir, j.Note.Script))
		if err := sub.Script.Render(w); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "==> command\n%s\n", sub.Line()); err != nil {
			return err
		}
	}
	return nil
}
