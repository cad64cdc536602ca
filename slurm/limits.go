package slurm

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// DefaultMaxArraySize is what Slurm takes where nobody configured another.
const DefaultMaxArraySize = 1001

// LongestArray asks the cluster how many elements a job array may have; 0: it takes none.
func (c *Client) LongestArray(ctx context.Context) (int, error) {
	out, err := c.query(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	return parseLongest(out)
}

// parseLongest reads lines of the form "Name = value", and options of the scheduler among them.
func parseLongest(config string) (int, error) {
	values := map[string]string{}
	for line := range strings.Lines(config) {
		name, value, _ := strings.Cut(line, "=")
		values[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	for option := range strings.SplitSeq(values["SchedulerParameters"], ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(option), "=")
		values[strings.ToLower(name)] = value
	}
	longest, err := strconv.ParseUint(values["MaxArraySize"], 10, 31) // one more than the highest index
	if err != nil {
		return 0, fmt.Errorf("scontrol show config: MaxArraySize = %q, want a number", values["MaxArraySize"])
	}
	if text, given := values["max_array_tasks"]; given {
		most, err := strconv.ParseUint(text, 10, 31) // 0: no limit of its own
		if err != nil {
			return 0, fmt.Errorf("scontrol show config: max_array_tasks = %q, want a number", text)
		}
		longest = min(longest, cmp.Or(most, longest))
	}
	return int(longest), nil
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
