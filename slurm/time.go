package slurm

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Unlimited is the time limit, and the time left, of a job without a limit.
const Unlimited = time.Duration(math.MaxInt64)

// ParseTime reads a time limit in sbatch's format: minutes, minutes:seconds, hours:minutes:seconds, days-hours,
// days-hours:minutes, days-hours:minutes:seconds, or UNLIMITED.
func ParseTime(s string) (time.Duration, error) {
	if strings.EqualFold(s, "UNLIMITED") || strings.EqualFold(s, "INFINITE") {
		return Unlimited, nil
	}
	d, ok := sum(s)
	if !ok || d == 0 {
		return 0, fmt.Errorf("time = %q, want more than 0 as minutes, hours:minutes:seconds or days-hours:minutes:seconds", s)
	}
	return d, nil
}

// FormatTime returns the limit in whole minutes, in sbatch's format, such as 0:50:00.
func FormatTime(limit time.Duration) string {
	minutes := int(limit.Minutes())
	return fmt.Sprintf("%d:%02d:00", minutes/60, minutes%60)
}

var left = regexp.MustCompile(`^((\d+-)?\d+:)?\d+:\d+$`)

// parseLeft reads the time left of a job in squeue's format: [days-][hours:]minutes:seconds, or a word.
func parseLeft(s string) (time.Duration, error) {
	switch s {
	case "UNLIMITED", "NOT_SET":
		return Unlimited, nil
	case "INVALID": // the time limit has passed
		return 0, nil
	}
	d, ok := sum(s)
	if !ok || !left.MatchString(s) {
		return 0, fmt.Errorf("time left = %q, want [days-]hh:mm:ss", s)
	}
	return d, nil
}

// sum returns the duration of a text such as 1-02:03:04: days, hours, minutes and seconds. Without days, two numbers
// are minutes and seconds, and one number is minutes. It returns false for other texts and for too large sums.
func sum(s string) (time.Duration, bool) {
	days, rest, hasDays := strings.Cut(s, "-")
	if !hasDays {
		days, rest = "0", s
	}
	units := []time.Duration{time.Hour, time.Minute, time.Second}
	numbers := strings.Split(rest, ":")
	if !hasDays && len(numbers) < len(units) {
		units = units[1:]
	}
	if len(numbers) > len(units) {
		return 0, false
	}
	numbers, units = append(numbers, days), append(units[:len(numbers):len(numbers)], 24*time.Hour)
	total := 0.0
	for i, number := range numbers {
		n, err := strconv.ParseUint(number, 10, 31) // Slurm has 31 bits for the minutes
		if err != nil {
			return 0, false
		}
		total += float64(n) * units[i].Seconds()
	}
	if total > math.MaxInt64/float64(2*time.Second) {
		return 0, false
	}
	return time.Duration(total) * time.Second, true
}

// dateLayout is the format in which squeue and sacct print times.
const dateLayout = "2006-01-02T15:04:05"

// parseDate reads a time in the format of squeue and sacct. It returns the zero time if the time is unknown.
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
