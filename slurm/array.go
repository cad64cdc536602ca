package slurm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Array is a job array whose elements have the indices 0 to Count−1. Element i runs the task Offset + i.
type Array struct {
	Offset      int
	Count       int
	Parallelism int // number of elements that may run at once; 0 means no limit
}

// Last returns the number of the task that the last element runs.
func (a *Array) Last() int { return a.Offset + a.Count - 1 }

func (a *Array) option() string {
	option := "--array=0-" + strconv.Itoa(a.Count-1)
	if a.Parallelism > 0 {
		option += "%" + strconv.Itoa(a.Parallelism)
	}
	return option
}

// Validate returns an error that names every number out of range.
func (a *Array) Validate() error {
	var errs []error
	if a.Offset < 0 {
		errs = append(errs, fmt.Errorf("array offset = %d, want at least 0", a.Offset))
	}
	if a.Count < 1 {
		errs = append(errs, fmt.Errorf("array count = %d, want at least 1", a.Count))
	}
	if a.Parallelism < 0 {
		errs = append(errs, fmt.Errorf("array-parallelism = %d, want at least 0", a.Parallelism))
	}
	return errors.Join(errs...)
}

// SplitTasks divides the tasks from first to first+count−1 among arrays of at most longest elements.
func SplitTasks(first, count, longest int) (arrays []Array, err error) {
	if longest < 1 {
		return nil, errors.New("this cluster allows no job arrays (MaxArraySize = 0); run the plan on one machine with " +
			"gdrun local")
	}
	for ; count > 0; first, count = first+longest, count-longest {
		arrays = append(arrays, Array{Offset: first, Count: min(longest, count)})
	}
	return arrays, nil
}

// Share divides parallelism, the number of elements that may run at once, among the arrays. Longer arrays get a larger
// part. If parallelism is 0, there is no limit. Only `lanes` arrays may run at once: array i + lanes must wait for the
// end of array i.
func Share(arrays []*Array, parallelism int) (lanes int) {
	if parallelism == 0 || len(arrays) == 0 {
		return len(arrays)
	}
	lanes = min(parallelism, len(arrays))
	for _, a := range arrays {
		a.Parallelism = 1
	}
	rounds := func(a *Array) float64 { return float64(a.Count) / float64(a.Parallelism) }
	for range parallelism - lanes { // the longest array gets the next slot
		slowest := slices.MaxFunc(arrays[:lanes], func(a, b *Array) int { return cmp.Compare(rounds(a), rounds(b)) })
		if rounds(slowest) <= 1 {
			break // all elements run at once
		}
		slowest.Parallelism++
	}
	return lanes
}

// DefaultMaxArraySize is Slurm's default of MaxArraySize.
const DefaultMaxArraySize = 1001

// A Config holds parts of a cluster's configuration.
type Config struct {
	Cluster string // name of the cluster; "" if unknown
	Private bool   // whether users cannot see the jobs of other users
	Limits  bool   // whether the cluster enforces limits of accounts and QOS
	Longest int    // largest number of elements of a job array; 0 if the cluster accepts no arrays

	Remembers time.Duration // how long the queue at least shows an ended job (MinJobAge); 0 if unknown
}

// Config asks the cluster for its configuration.
func (c *Client) Config(ctx context.Context) (Config, error) {
	out, err := c.query(ctx, "scontrol", "show", "config")
	if err != nil {
		return Config{}, err
	}
	return parseConfig(out)
}

func parseConfig(config string) (c Config, err error) {
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
		return c, fmt.Errorf("scontrol show config: MaxArraySize = %q, want a number", values["MaxArraySize"])
	}
	if text, given := values["max_array_tasks"]; given {
		most, err := strconv.ParseUint(text, 10, 31) // 0 means no limit
		if err != nil {
			return c, fmt.Errorf("scontrol show config: max_array_tasks = %q, want a number", text)
		}
		longest = min(longest, cmp.Or(most, longest))
	}
	remembers, _ := strconv.Atoi(strings.TrimSuffix(values["MinJobAge"], " sec"))
	private := strings.Split(strings.ToLower(values["PrivateData"]), ",")
	enforced := strings.Split(strings.ToLower(values["AccountingStorageEnforce"]), ",")
	return Config{Cluster: values["ClusterName"], Longest: int(longest), Remembers: time.Duration(remembers) * time.Second,
		Limits:  slices.Contains(enforced, "limits") || slices.Contains(enforced, "safe") || slices.Contains(enforced, "all"),
		Private: slices.Contains(private, "jobs") || slices.Contains(private, "all")}, nil
}

// A Partition says how much memory and time one job may ask for.
type Partition struct {
	Name    string
	Default bool          // whether jobs go to this partition by default
	Time    time.Duration // limit, or Unlimited
	Memory  int           // memory of the largest node, in MiB; 0 without nodes
}

// Most returns the largest memory, in MiB, and the longest time that any partition allows a job. If byDefault is true,
// only the default partition counts.
func Most(partitions []Partition, byDefault bool) (memory int, limit time.Duration) {
	for _, p := range partitions {
		if p.Memory == 0 {
			p.Memory = math.MaxInt
		}
		if p.Default || !byDefault {
			memory, limit = max(memory, p.Memory), max(limit, p.Time)
		}
	}
	if memory == 0 && limit == 0 { // unknown
		return math.MaxInt, Unlimited
	}
	return memory, limit
}

// Partitions returns the partitions with the given names, separated by commas. If names is "", it returns all
// partitions.
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

// Nodes returns the names that belong to nodes of the cluster.
func (c *Client) Nodes(ctx context.Context, names []string) (there []string, err error) {
	out, err := c.query(ctx, "sinfo", "--noheader", "--Node", "--exact", "--format=%N",
		"--nodes="+strings.Join(names, ","))
	known := strings.Fields(out)
	for _, name := range names {
		if slices.Contains(known, name) {
			there = append(there, name)
		}
	}
	return there, err
}

// parsePartitions reads the output of sinfo, with a line for each kind of node in each partition.
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
