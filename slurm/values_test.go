package slurm

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"30": 30 * time.Minute, "1:30": 90 * time.Second, "01:00:00": time.Hour, "1-2": 26 * time.Hour, "1-2:3": 26*time.Hour + 3*time.Minute,
		"1-02:03:04": 26*time.Hour + 3*time.Minute + 4*time.Second, "UNLIMITED": Unlimited, "infinite": Unlimited, "0-1": time.Hour, "90:90:90": 90*time.Hour + 91*time.Minute + 30*time.Second,
	} {
		if got, err := ParseTime(text); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "0:0", "x", "1.5", "-1", "1-", "-", "1:", ":1", "1:2:3:4", "1-1:1:1:1", "1-2-3", " 1", "+1", "3000000000", "99999999-0", "2h"} {
		if got, err := ParseTime(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

func TestParseLeft(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0:59": 59 * time.Second, "1:00": time.Minute, "59:59": 59*time.Minute + 59*time.Second, "1:00:00": time.Hour, "1-00:00:01": 24*time.Hour + time.Second,
		"365-23:59:59": 366*24*time.Hour - time.Second, "UNLIMITED": Unlimited, "NOT_SET": Unlimited, "INVALID": 0, "0:00": 0,
	} {
		if got, err := parseLeft(text); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "5", "1-2", "1-2:3", "x", "-0:01", "1:2:3:4", "N/A"} {
		if got, err := parseLeft(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

func FuzzTimes(f *testing.F) {
	for _, text := range []string{"30", "1-02:03:04", "UNLIMITED", "2147483647-2147483647:2147483647:2147483647", "59:59", "INVALID"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ParseTime(text); err == nil && d <= 0 {
			t.Errorf("ParseTime(%q) = %v", text, d)
		}
		if d, err := parseLeft(text); err == nil && d < 0 {
			t.Errorf("parseLeft(%q) = %v", text, d)
		}
	})
}

func TestParseConfig(t *testing.T) {
	const config = "Configuration data as of 2025-03-04T10:00:00\nKillWait                = 30 sec\n" +
		"MaxArraySize            = 1001\nMaxJobCount             = 10000\nSchedulerParameters     = bf_continue,max_array_tasks=500,x\nSLURM_VERSION           = 22.05.8\n\nSlurmctld(primary) at a is UP\n"
	for text, want := range map[string]int{config: 500, "MaxArraySize = 50\nSchedulerParameters = (null)": 50,
		"MaxArraySize = 10\nSchedulerParameters = MAX_ARRAY_TASKS=20": 10} {
		if c, err := parseConfig(text); err != nil || c.Longest != want {
			t.Errorf("%q: %+v, %v, want %d", text, c, err, want)
		}
	}
	for _, text := range []string{"", "MaxArraySize = many", "MaxArraySize = 5\nSchedulerParameters = max_array_tasks"} {
		if c, err := parseConfig(text); err == nil {
			t.Errorf("%q: %+v, want an error", text, c)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add("MaxArraySize = 50\nSchedulerParameters = max_array_tasks=3\nKillWait = 5 sec\n")
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := parseConfig(text); err == nil && c.Longest < 0 {
			t.Errorf("%q: %+v", text, c)
		}
	})
}

// TestSplit checks many numbers of tasks. The arrays must cover the tasks once, in order and within the limits. If
// arrays share a parallelism, no more elements may run at once.
func TestSplit(t *testing.T) {
	for _, longest := range []int{1, 10, 20, 50} {
		for _, count := range []int{0, 1, 9, 10, 11, 49, 50, 51, 99, 100, 101, 1000} {
			for _, parallelism := range []int{0, 1, 2, 3, 7, 1000} {
				arrays := must1(SplitTasks(7, count, longest))
				next, places := 7, make([]*Array, len(arrays))
				for i, a := range arrays {
					if a.Offset != next || a.Count < 1 || a.Count > longest {
						t.Fatalf("%d at most, %d tasks: array %d is %+v", longest, count, i, a)
					}
					next += a.Count
					places[i] = &arrays[i]
				}
				if next != 7+count {
					t.Errorf("%d at most, %d tasks: %d covered", longest, count, next-7)
				}
				most := make([]int, Share(places, parallelism)) // by chain of arrays, each waiting for the last
				for i, a := range arrays {
					most[i%len(most)] = max(most[i%len(most)], a.Parallelism)
				}
				sum := 0
				for _, n := range most {
					sum += n
				}
				if sum > parallelism {
					t.Errorf("%d at most, %d tasks: %d at once, want at most %d", longest, count, sum, parallelism)
				}
			}
		}
	}
	if _, err := SplitTasks(0, 1, 0); err == nil {
		t.Error("no arrays, and no error")
	}
	if got := (&Array{Count: 50, Parallelism: 3}).option() + (&Array{Count: 1}).option(); got != "--array=0-49%3--array=0-0" {
		t.Error(got)
	}
}

// Longer arrays get a larger part of the parallelism.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		counts      []int
		parallelism int
		want        []int
		lanes       int
	}{
		{[]int{50, 50, 10}, 11, []int{5, 5, 1}, 3},
		{[]int{50, 50, 50}, 2, []int{1, 1, 1}, 2},
		{[]int{1000, 1}, 10, []int{9, 1}, 2},
		{[]int{5}, 3, []int{3}, 1},
		{[]int{5, 2}, 1_000_000_000, []int{5, 2}, 2},
		{[]int{5, 2}, 0, []int{0, 0}, 2},
		{nil, 3, nil, 0},
	} {
		var arrays []*Array
		for _, n := range c.counts {
			arrays = append(arrays, &Array{Count: n})
		}
		lanes := Share(arrays, c.parallelism)
		var got []int
		for _, a := range arrays {
			got = append(got, a.Parallelism)
		}
		if lanes != c.lanes || !slices.Equal(got, c.want) {
			t.Errorf("%v with %d: %v, %d arrays at once, want %v and %d", c.counts, c.parallelism, got, lanes, c.want, c.lanes)
		}
	}
}

func TestReadEnv(t *testing.T) {
	for _, c := range []struct {
		env  string
		want Env
	}{
		{"", Env{Index: -1}},
		{"SLURM_ARRAY_TASK_ID=3", Env{Index: -1}}, // a variable that was left over outside a job
		{"SLURM_JOB_ID=12", Env{ID: "12", Index: -1}},
		{"SLURM_JOB_ID=12 SLURM_RESTART_COUNT=2 SLURMD_NODENAME=n1 SLURM_CLUSTER_NAME=west", Env{ID: "12", Index: -1, Restarts: 2, Node: "n1", Cluster: "west"}},
		{"SLURM_JOB_ID=12 SLURM_JOB_END_TIME=1795348087", Env{ID: "12", Index: -1, End: time.Unix(1795348087, 0)}},
		{"SLURM_JOB_ID=12 SLURM_ARRAY_JOB_ID=10 SLURM_ARRAY_TASK_ID=0", Env{ID: "10_0", Index: 0}},
		{"SLURM_JOB_ID=10 SLURM_ARRAY_JOB_ID=10 SLURM_ARRAY_TASK_ID=5", Env{ID: "10_5", Index: 5}},
	} {
		got, err := ReadEnv(lookup(c.env))
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.env, got, err, c.want)
		}
	}
	for _, env := range []string{"SLURM_JOB_ID=x", "SLURM_JOB_ID=1 SLURM_RESTART_COUNT=-1"} {
		if got, err := ReadEnv(lookup(env)); err == nil {
			t.Errorf("%s: %+v, want an error", env, got)
		}
	}
	e := Env{ID: "10_5", Restarts: 1}
	for cluster, want := range map[string]string{"": "slurm-10_5-1", "my-west": "slurm-10_5-1-my-west"} {
		e.Cluster = cluster
		if e.Attempt() != want || AttemptOf(want) != (Life{"10_5", cluster}) {
			t.Errorf("%s, of %+v", e.Attempt(), AttemptOf(want))
		}
	}
}

func lookup(env string) func(string) string {
	values := map[string]string{}
	for _, v := range strings.Fields(env) {
		name, value, _ := strings.Cut(v, "=")
		values[name] = value
	}
	return func(name string) string { return values[name] }
}

func FuzzParseSubmitted(f *testing.F) {
	for _, text := range []string{"17\n", "17;west\n", "hello\n17\n", ";", "-1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if job, err := parseSubmitted(text); err == nil {
			if err := job.ID.check(); err != nil {
				t.Errorf("%q: %+v", text, job)
			}
		}
	})
}

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, " a\tb\n": {"a", "b"}, `a 'b "c' --d="e  f"'g' ''`: {"a", `b "c`, "--d=e  fg", ""}, `a\ b`: {`a\`, "b"},
	} {
		if got, err := Words(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"it's", `"`, `a "b' c`} {
		if got, err := Words(text); err == nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestReasonMeans(t *testing.T) {
	for reason, word := range map[string]string{
		"Priority": "first", "Resources": "free", "QOSMaxCpuPerUserLimit": "quality of service", "AssocGrpCpuLimit": "account",
		"PartitionTimeLimit": "time limit", "ReqNodeNotAvail, UnavailableNodes:n1": "down", "JobHeldUser": "user",
		"launch failed requeued held": "start", "PartitionConfig": "no nodes", "RESV_DEL_HOLD": "ended",
		"SUSPENDED": "suspended",
	} {
		if got := ReasonMeans(reason); !strings.Contains(got, word) {
			t.Errorf("%s means %q", reason, got)
		}
	}
	if got := ReasonMeans("SomethingNew"); got != "" {
		t.Errorf("%q", got)
	}
	for i, r := range reasons {
		for _, earlier := range reasons[:i] {
			if strings.HasPrefix(r.begins, earlier.begins) {
				t.Errorf("%s is never reached after %s", r.begins, earlier.begins)
			}
		}
	}
}

func TestPartitions(t *testing.T) {
	got := must1(parsePartitions("short*|30:00|16000\nshort*|30:00|64000\nlong|2-00:00:00|16000+\nspot|infinite|1000\n"))
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

func TestAttemptOf(t *testing.T) {
	for name, want := range map[string]JobID{(&Env{ID: "7_1", Restarts: 2}).Attempt(): "7_1", "slurm-7_12-0": "7_12",
		"host-7_1-2": "", "slurm-7": ""} {
		if got := AttemptOf(name).ID; got != want {
			t.Errorf("%s is an attempt of job %q, want %q", name, got, want)
		}
	}
}

// FuzzSh checks that a real shell reads a quoted word back.
func FuzzSh(f *testing.F) {
	for _, name := range awkward {
		f.Add(name)
	}
	f.Add("")
	f.Add("'\\''\n\n")
	f.Add("\xff\xfe")
	f.Fuzz(func(t *testing.T, v string) {
		if strings.ContainsRune(v, 0) {
			t.Skip() // arguments of programs cannot contain it
		}
		out, err := exec.Command("sh", "-c", "printf '%s|' -- "+Quote(v)+" x").Output()
		if want := "--|" + v + "|x|"; err != nil || string(out) != want {
			t.Errorf("Quote(%q) = %s: %v, got %q, want %q", v, Quote(v), err, out, want)
		}
	})
}
