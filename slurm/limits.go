package slurm

import (
	"context"
	"fmt"
	"strconv"
	"strings"
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
