package slurm

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Limits are what a cluster's configuration says about job arrays.
type Limits struct {
	MaxArraySize  int // one more than the highest index; 0: no arrays
	MaxArrayTasks int // elements of one array; 0: no limit of its own
}

// DefaultMaxArraySize is what Slurm takes where nobody configured another.
const DefaultMaxArraySize = 1001

// longest is the length of the longest array that the cluster accepts.
func (l *Limits) longest() int {
	if l.MaxArrayTasks > 0 {
		return min(l.MaxArraySize, l.MaxArrayTasks)
	}
	return l.MaxArraySize
}

// Limits asks the cluster.
func (c *Client) Limits(ctx context.Context) (*Limits, error) {
	out, err := c.query(ctx, "scontrol", "show", "config")
	if err != nil {
		return nil, err
	}
	return parseLimits(out)
}

// parseLimits reads lines of the form "Name = value".
func parseLimits(config string) (*Limits, error) {
	values := map[string]string{}
	for line := range strings.Lines(config) {
		if name, value, ok := strings.Cut(line, "="); ok {
			values[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	var l Limits
	var err error
	if l.MaxArraySize, err = number(values, "MaxArraySize"); err != nil {
		return nil, err
	}
	for option := range strings.SplitSeq(values["SchedulerParameters"], ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(option), "=")
		if strings.EqualFold(name, "max_array_tasks") {
			if l.MaxArrayTasks, err = number(map[string]string{name: value}, name); err != nil {
				return nil, err
			}
		}
	}
	return &l, nil
}

func number(values map[string]string, name string) (int, error) {
	n, err := strconv.ParseUint(values[name], 10, 31)
	if err != nil {
		return 0, fmt.Errorf("scontrol show config: %s = %q, want a number", name, values[name])
	}
	return int(n), nil
}

// A Partition is what a job may ask for in a partition of a cluster at most.
type Partition struct {
	Name    string
	Default bool          // of jobs that name none
	Time    time.Duration // limit, or Unlimited
	Memory  int           // of its largest node, in MiB
}

// Partitions asks for the cluster's partitions, or for some by their names with commas between.
func (c *Client) Partitions(ctx context.Context, names string) ([]Partition, error) {
	args := []string{"--noheader", "--exact", "--format=%P|%l|%m"}
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
		} else {
			all = append(all, p)
		}
	}
	return all, nil
}

func parsePartition(line string) (p Partition, err error) {
	f := strings.Split(line, "|")
	if len(f) != 3 {
		return p, fmt.Errorf("%d fields, want 3", len(f))
	}
	p.Name, p.Default = strings.CutSuffix(f[0], "*")
	if p.Time, err = ParseTime(f[1]); err != nil {
		return p, err
	}
	if p.Memory, err = strconv.Atoi(strings.TrimSuffix(f[2], "+")); err != nil {
		return p, fmt.Errorf("%q MiB of memory", f[2])
	}
	return p, nil
}
