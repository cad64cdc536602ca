package journal

import (
	"cmp"
	"path/filepath"
	"slices"

	"graphda/jobs/run"
	"graphda/slurm"
)

// Merging returns the job that merges all that is in the queue, and whether such a job is
// lacking: none of the submissions brought one, or it was refused or cancelled, or it died.
func (j *Journal) Merging(q *Queue) (id slurm.JobID, lacks bool) {
	if n := len(q.Jobs); n > 0 { // one that merges waits for all that was in the queue before it
		if last := q.Jobs[n-1]; last.Count == 0 {
			return last.ID, false
		}
		return "", true
	}
	for _, job := range slices.Backward(j.Jobs()) {
		if job.ID != "" && !job.foreign {
			return "", job.Count > 0 || !j.isMerged(job)
		}
	}
	return "", true
}

// merge tells how the last job that merges stands; nil if there was none. Without a queue it is told by its files.
func (j *Journal) merge(q *Queue) *run.MergeStatus {
	for _, job := range slices.Backward(j.Jobs()) {
		if job.ID == "" || job.Count > 0 || job.foreign {
			continue
		}
		m := &run.MergeStatus{Job: string(job.ID), State: run.MergeDied, Log: job.LogOf(0)}
		if j.isMerged(job) {
			m.State = run.MergeDone
			return m
		}
		for _, a := range q.Jobs {
			if a.Job == job {
				m.State = run.MergeWaits
			}
		}
		if m.State == run.MergeDied {
			m.Last = cmp.Or(lastLine(logEnd(filepath.Join(j.home, m.Log))), "it has written no log")
		}
		return m
	}
	return nil
}
