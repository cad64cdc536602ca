package slurm

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Partition is what a job may ask for in a partition of a cluster at most.
type Partition struct {
	Name    string
	Default bool          // of jobs that name none
	Time    time.Duration // limit, or Unlimited
	Memory  int           // of its largest node, in MiB
	Nodes   int
	CPUs    int // of the node that has the fewest
	Tier    int // jobs of a higher one may preempt those of a lower one

	// Preempts tells whether jobs that are preempted there end, or go back into the queue. It says
	// nothing of who preempts.
	Preempts bool
}

// Partitions asks for the cluster's partitions, or for some by their names with commas between.
func (c *Client) Partitions(ctx context.Context, names string) ([]Partition, error) {
	args := []string{"--noheader", "--exact", "--format=%P|%l|%m|%D|%c|%p|%M"}
	if names != "" {
		args = append(args, "--partition="+names)
	}
	out, err := c.query(ctx, "sinfo", args...)
	if err != nil {
		return nil, err
	}
	return parsePartitions(out)
}

// parsePartitions reads a line for each kind of node in each partition.
func parsePartitions(text string) ([]Partition, error) {
	var all []Partition
	for line := range strings.Lines(text) {
		p, err := parsePartition(strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("sinfo printed %q: %w", line, err)
		}
		if n := len(all); n > 0 && all[n-1].Name == p.Name {
			all[n-1].Memory = max(all[n-1].Memory, p.Memory)
			all[n-1].Nodes += p.Nodes
			all[n-1].CPUs = min(all[n-1].CPUs, p.CPUs)
		} else {
			all = append(all, p)
		}
	}
	return all, nil
}

func parsePartition(line string) (p Partition, err error) {
	f := strings.Split(line, "|")
	if len(f) != 7 {
		return p, fmt.Errorf("%d fields, want 7", len(f))
	}
	p.Name, p.Default = strings.CutSuffix(f[0], "*")
	if p.Time, err = ParseTime(f[1]); err != nil {
		return p, err
	}
	for _, n := range []struct {
		to         *int
		text, what string
	}{
		{&p.Memory, f[2], "MiB of memory"}, {&p.Nodes, f[3], "nodes"}, {&p.CPUs, f[4], "processors"},
		{&p.Tier, f[5], "as its tier"},
	} {
		if *n.to, err = strconv.Atoi(strings.TrimSuffix(n.text, "+")); err != nil {
			return p, fmt.Errorf("%q %s", n.text, n.what)
		}
	}
	mode := strings.ToUpper(f[6])
	p.Preempts = strings.Contains(mode, "CANCEL") || strings.Contains(mode, "REQUEUE")
	return p, nil
}
