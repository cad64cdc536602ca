package slurm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Unlimited is the time limit of a job that has none, and the time it has left.
const Unlimited = time.Duration(math.MaxInt64)

// ParseTime reads a time limit as sbatch takes it: minutes, minutes:seconds,
// hours:minutes:seconds, days-hours, days-hours:minutes, days-hours:minutes:seconds, or
// UNLIMITED.
func ParseTime(s string) (time.Duration, error) {
	if strings.EqualFold(s, "UNLIMITED") || strings.EqualFold(s, "INFINITE") {
		return Unlimited, nil
	}
	days, rest, hasDays := strings.Cut(s, "-")
	if !hasDays {
		days, rest = "0", s
	}
	parts := strings.Split(rest, ":")
	units := []time.Duration{time.Hour, time.Minute, time.Second}
	switch {
	case hasDays:
	case len(parts) == 1:
		units = units[1:2]
	case len(parts) == 2:
		units = units[1:]
	}
	d, ok := sum(append([]string{days}, parts...), append([]time.Duration{24 * time.Hour}, units...))
	if !ok || d == 0 {
		return 0, fmt.Errorf("time = %q, want a time above 0, as minutes, hours:minutes:seconds or "+
			"days-hours:minutes:seconds", s)
	}
	return d, nil
}

// parseLeft reads the time left as squeue prints it: [days-][hours:]minutes:seconds, or
// a word.
func parseLeft(s string) (time.Duration, error) {
	switch s {
	case "UNLIMITED", "NOT_SET":
		return Unlimited, nil
	case "INVALID": // the limit is behind it
		return 0, nil
	}
	days, rest, hasDays := strings.Cut(s, "-")
	if !hasDays {
		days, rest = "0", s
	}
	parts := append([]string{days}, strings.Split(rest, ":")...)
	units := []time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second}
	if len(parts) == 3 && !hasDays {
		units = append(units[:1], units[2:]...)
	}
	d, ok := sum(parts, units)
	if !ok || len(parts) != len(units) {
		return 0, fmt.Errorf("time left = %q, want [days-]hh:mm:ss", s)
	}
	return d, nil
}

// sum adds up numbers, each of its unit. There may be more units than numbers.
func sum(numbers []string, units []time.Duration) (time.Duration, bool) {
	const most = 1 << 31 // of any unit; Slurm's own limit for minutes
	if len(numbers) > len(units) {
		return 0, false
	}
	total := 0.0
	for i, s := range numbers {
		n, err := strconv.ParseUint(s, 10, 31)
		if err != nil || n >= most {
			return 0, false
		}
		total += float64(n) * units[i].Seconds()
	}
	if total > math.MaxInt64/float64(2*time.Second) {
		return 0, false
	}
	return time.Duration(total) * time.Second, true
}

// dateLayout is how squeue and sacct write a moment.
const dateLayout = "2006-01-02T15:04:05"

// parseDate reads a moment as squeue and sacct print it, without a zone. What is unknown
// is the zero time.
func parseDate(s string) (time.Time, error) {
	switch s {
	case "N/A", "NONE", "Unknown", "None", "":
		return time.Time{}, nil
	}
	t, err := time.ParseInLocation(dateLayout, s, time.Local)
	if err != nil {
		return time.Time{}, fmt.Errorf("time = %q, want the form 2006-01-02T15:04:05", s)
	}
	return t, nil
}
