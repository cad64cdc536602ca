package slurm

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func line(fields ...string) string {
	return record + strings.Join(fields, field) + field + "\n"
}

func TestParseQueue(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Entry
	}{
		{"", nil},
		{"CLUSTER: west\n", nil},
		{
			line("40", "3", "RUNNING", "None", "n1", "gd", "/r", "/r/1.sh") +
				line("40", "5", "RUNNING", "None", "n2", "gd", "/r", "/r/1.sh") +
				line("40", "4", "PENDING", "JobArrayTaskLimit", "", "gd", "/r", "/r/1.sh"),
			[]Entry{
				{ID: "40_3", Job: "40", Index: 3, State: Running, Reason: "None", Node: "n1", Name: "gd", Dir: "/r", Script: "/r/1.sh"},
				{ID: "40_5", Job: "40", Index: 5, State: Running, Reason: "None", Node: "n2", Name: "gd", Dir: "/r", Script: "/r/1.sh"},
				{ID: "40_4", Job: "40", Index: 4, State: Pending, Reason: "JobArrayTaskLimit", Name: "gd", Dir: "/r", Script: "/r/1.sh"},
			},
		},
		{
			line("41", "N/A", "FAILED", "launch failed requeued held", "n[1-2]", "a b|c\nd ", "/a b", "/a b/1.sh"),
			[]Entry{{ID: "41", Job: "41", Index: -1, State: Failed, Reason: "launch failed requeued held", Node: "n[1-2]", Name: "a b|c\nd ", Dir: "/a b", Script: "/a b/1.sh"}},
		},
	} {
		got, err := parseQueue(c.text)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v\ngot  %+v\nwant %+v", c.text, err, got, c.want)
		}
	}
	for _, text := range []string{
		record + "\n", record + "x", line("x", "1", "RUNNING", "", "", "", "", ""), line("1", "3-9%2", "PENDING", "", "", "", "", ""),
		line("1", "1", "RUNNING", "", "", "", ""), line("1", "1", "RUNNING", "", "", "", "", "", ""),
	} {
		if got, err := parseQueue(text); err == nil {
			t.Errorf("%q: %+v, want an error", text, got)
		}
	}
}

func FuzzParseQueue(f *testing.F) {
	f.Add(line("40", "3", "RUNNING", "None", "n1", "gd", "/r", "/r/1.sh"))
	f.Add(line("41", "N/A", "PENDING", "(x)", "", "a\nb", "/", "") + line("41", "0", "", "", "", "", "", ""))
	f.Add("CLUSTER: x\n" + record)
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := parseQueue(text)
		for _, e := range entries {
			if bad := e.ID.check(); bad != nil && err == nil {
				t.Errorf("%q: id %q", text, e.ID)
			}
		}
	})
}

func TestQueueCommands(t *testing.T) {
	f := &fake{answer: failing("slurm_load_jobs error: Invalid job id specified")}
	if entries, err := f.client().Queue(t.Context(), "7"); err != nil || entries != nil {
		t.Errorf("%v, %v", entries, err)
	}
	if _, err := f.client().TimeLeft(t.Context(), "7_1"); !IsKind(err, NoSuchJob) {
		t.Errorf("error %v", err)
	}
	if _, err := f.client().Queue(t.Context(), "7; rm"); err == nil {
		t.Error("took a bad id")
	}
	if err := f.client().Requeue(t.Context(), "7"); !IsKind(err, NoSuchJob) {
		t.Errorf("error %v", err)
	}
	if err := f.client().RequeueAfter(t.Context(), "7", 0, nil); !IsKind(err, NoSuchJob) {
		t.Errorf("error %v", err)
	}
	// The signal that ends the job may end scontrol before scontrol has its answer. The job then waits.
	f = &fake{answer: func(n int, _ string, _ []string) (Output, error) {
		if n == 1 {
			return Output{Code: -1}, errors.New("signal: terminated")
		}
		return Output{}, nil
	}}
	const update = "scontrol update JobId=7 Dependency=afterany:8:9 StartTime=now+60"
	err := f.client().RequeueAfter(t.Context(), "7", time.Minute, []JobID{"8", "9"})
	if last := f.calls[len(f.calls)-1]; err != nil || last != update {
		t.Errorf("%v, %q, want %q", err, last, update)
	}
	f = &fake{answer: failing("slurm_load_jobs error: Invalid job id specified")}
	if err := f.client().Cancel(t.Context(), "7"); err != nil {
		t.Error(err)
	}
	f = &fake{answer: failing("ok ")}
	ids := make([]JobID, 2500)
	for i := range ids {
		ids[i] = "7_1"
	}
	if err := f.client().Cancel(t.Context(), ids...); err != nil || len(f.calls) != 3 {
		t.Errorf("%d calls, %v", len(f.calls), err)
	}
}

func TestStates(t *testing.T) {
	for s, want := range map[State]bool{
		Pending: true, Running: true, Completing: true, Requeued: true, "NEW_IN_SLURM_99": true,
		Completed: false, Failed: false, Timeout: false, NodeFail: false, Cancelled: false, OutOfMemory: false,
	} {
		if got := s.Active(); got != want {
			t.Errorf("%s: active = %v, want %v", s, got, want)
		}
	}
}

func TestParseAccounting(t *testing.T) {
	start := time.Date(2025, 3, 4, 10, 0, 0, 0, time.Local)
	text := "40_3|COMPLETED|0:0|n1|2025-03-04T10:00:00\n40_4|CANCELLED by 1000|0:15|n2|2025-03-04T10:00:00\n" +
		"40_[5-9%2]|PENDING|0:0|None assigned|Unknown\n41|FAILED|75:0|None assigned|2025-03-04T10:00:00\n"
	want := []Record{{ID: "40_3", State: Completed, Node: "n1", Start: start}, {ID: "40_4", State: Cancelled, Signal: 15, Node: "n2", Start: start},
		{ID: "41", State: Failed, ExitCode: 75, Start: start}}
	got, err := parseAccounting(text)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
	}
	for at, want := range map[time.Duration]bool{-time.Hour: false, time.Minute: false, time.Hour: true} { // time after its start
		if got[0].BeganBefore(start.Add(at)) != want {
			t.Errorf("began before a submission %v after: %v", at, !want)
		}
	}
	if (&Record{}).BeganBefore(start) {
		t.Error("a record without a start began before")
	}
	for _, text := range []string{"x", "x||||", "1|A|0|n|", "1|A|x:0|n|", "1|A|0:0|n|x", "1|A|0:0|n||"} {
		if got, err := parseAccounting(text); err == nil {
			t.Errorf("%q: %+v, want an error", text, got)
		}
	}
}
