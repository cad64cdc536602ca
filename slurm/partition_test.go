package slurm

import (
	"slices"
	"testing"
	"time"
)

func TestPartitions(t *testing.T) {
	got, err := parsePartitions("short*|30:00|16000\nshort*|30:00|64000\nlong|2-00:00:00|16000+\nspot|infinite|1000\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []Partition{
		{Name: "short", Default: true, Time: 30 * time.Minute, Memory: 64000},
		{Name: "long", Time: 48 * time.Hour, Memory: 16000},
		{Name: "spot", Time: Unlimited, Memory: 1000},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, bad := range []string{"short|30:00", "short|soon|16000", "short|30:00|much"} {
		if _, err := parsePartitions(bad); err == nil {
			t.Errorf("%q was read without an error", bad)
		}
	}
}

func TestMemory(t *testing.T) {
	for text, want := range map[string]int{"2G": 2048, "500": 500, "1K": 1, "1025k": 2, "3m": 3, "1T": 1 << 20, "0": 0} {
		if got, err := ParseMemory(text); err != nil || got != want {
			t.Errorf("%q: %d MiB, %v, want %d", text, got, err, want)
		}
	}
	for _, mib := range []int{1, 512, 1024, 1536, 4096} {
		if got, err := ParseMemory(FormatMemory(mib)); err != nil || got != mib {
			t.Errorf("%d MiB: %s, %d, %v", mib, FormatMemory(mib), got, err)
		}
	}
}

func TestIsAttempt(t *testing.T) {
	e := Env{ID: "7_1", Restarts: 2}
	for job, want := range map[JobID]bool{"7_1": true, "7_12": false, "7": false, "17_1": false} {
		if IsAttempt(e.Attempt(), job) != want {
			t.Errorf("%s is an attempt of job %s: %v", e.Attempt(), job, !want)
		}
	}
	if IsAttempt("host-7_1-2", "7_1") {
		t.Error("an attempt outside Slurm")
	}
}
