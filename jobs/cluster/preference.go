package cluster

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"graphda/jobs"
	"graphda/slurm"
)

// preferred divides a list of partitions into those that tasks go to first, and those that they go to
// once their job was preempted there. Slurm's own reading of a list is that a job starts wherever it
// can first, and it looks at those first that may preempt others. Thus a list that begins with
// partitions whose jobs are preempted by later ones is read as an order. Any other is left to Slurm.
func preferred(list string, known []slurm.Partition) (first, then string) {
	names := strings.Split(list, ",")
	tiers, highest := map[string]int{}, 0
	for _, p := range known {
		tiers[p.Name] = p.Tier
		highest = max(highest, p.Tier)
	}
	n := slices.IndexFunc(names, func(name string) bool {
		return !slices.ContainsFunc(known, func(p slurm.Partition) bool {
			return p.Name == name && p.Preempts && p.Tier < highest
		})
	})
	if n <= 0 {
		return list, ""
	}
	for _, name := range names[n:] {
		if !slices.ContainsFunc(names[:n], func(early string) bool { return tiers[early] >= tiers[name] }) {
			return strings.Join(names[:n], ","), strings.Join(names[n:], ",")
		}
	}
	return list, ""
}

// readSite asks what the options do not say of the cluster: which partitions are preemptible, and how many
// processors a whole node has.
func (s *Submission) readSite(at site) error {
	o := &s.options
	o.first, o.then = o.Resources.Partition, ""
	if !strings.Contains(o.Resources.Partition, ",") && !o.Resources.WholeNode {
		return nil
	}
	known, err := at.partitions()
	if err != nil && !errors.As(err, new(*slurm.Error)) {
		return err
	}
	o.first, o.then = preferred(o.Resources.Partition, known)
	if o.then != "" {
		s.Warnings = append(s.Warnings, fmt.Sprintf("jobs in %s may be preempted: tasks go there first, and after a "+
			"preemption to %s", o.first, o.then))
	}
	if !o.Resources.WholeNode {
		return nil
	}
	fewest := 0
	for _, p := range known {
		if p.CPUs > 0 && (p.Default || o.Resources.Partition != "") && (fewest == 0 || p.CPUs < fewest) {
			fewest = p.CPUs
		}
	}
	o.wholeNode(fewest, s.run.Plan)
	if o.Resources.CPUsPerTask == 0 {
		s.Warnings = append(s.Warnings, "how many processors a node has is not known; --cpus-per-task tells")
	}
	return nil
}

// wholeNode fills in what a task asks for that has a node of so many processors to itself: all of its memory,
// and so many cells that they take as long as those of one processor would.
func (o *SubmitOptions) wholeNode(cpus int, plan *jobs.Plan) {
	r := &o.Resources
	if r.CPUsPerTask == 0 {
		r.CPUsPerTask = cpus
	}
	if r.Mem == "" && r.MemPerCPU == "" {
		r.Mem = "0"
	}
	if o.Target == 0 {
		o.Target = o.target(plan) * time.Duration(max(1, r.CPUsPerTask))
	}
}

// among returns those of the partitions that a list names.
func among(known []slurm.Partition, list string) []slurm.Partition {
	names := strings.Split(list, ",")
	return slices.DeleteFunc(slices.Clone(known), func(p slurm.Partition) bool { return !slices.Contains(names, p.Name) })
}
