package slurm

import (
	"context"
	"strings"
	"time"
)

// A Limit is the time and memory that a quality of service (QOS) allows one job.
type Limit struct {
	Time   time.Duration // Unlimited means no limit
	Memory int           // in MiB; 0 means no limit
}

// QOSLimit returns the limits of the named QOS, or no limits if the query fails.
func (c *Client) QOSLimit(ctx context.Context, name string) Limit {
	limit := Limit{Time: Unlimited}
	brief := *c
	brief.Tries = 1
	out, err := brief.query(ctx, "sacctmgr", "--noheader", "--parsable2", "show", "qos", "where", "name="+name,
		"format=MaxWall,MaxTRES")
	wall, tres, _ := strings.Cut(strings.TrimSpace(out), "|")
	if err != nil {
		return limit
	}
	if longest, err := ParseTime(wall); err == nil {
		limit.Time = longest
	}
	for resource := range strings.SplitSeq(tres, ",") {
		if size, ok := strings.CutPrefix(resource, "mem="); ok {
			limit.Memory, _ = ParseMemory(size)
		}
	}
	return limit
}

// LimitMemory lowers the memory of each partition to the partition's limit (MaxMemPerNode).
func (c *Client) LimitMemory(ctx context.Context, partitions []Partition) error {
	out, err := c.query(ctx, "scontrol", "--oneliner", "show", "partition")
	limits := map[string]int{}
	for line := range strings.Lines(out) {
		name := ""
		for word := range strings.FieldsSeq(line) {
			key, value, _ := strings.Cut(word, "=")
			switch key {
			case "PartitionName":
				name = value
			case "MaxMemPerNode":
				if mib, err := ParseMemory(value); err == nil {
					limits[name] = mib
				}
			}
		}
	}
	for i := range partitions {
		p := &partitions[i]
		if limit := limits[p.Name]; limit > 0 && (limit < p.Memory || p.Memory == 0) {
			p.Memory = limit
		}
	}
	return err
}
