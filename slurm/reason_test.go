package slurm

import (
	"strings"
	"testing"
)

func TestReasonMeans(t *testing.T) {
	for reason, word := range map[string]string{
		"Priority": "before", "Resources": "free", "QOSMaxCpuPerUserLimit": "quality of service", "AssocGrpCpuLimit": "account",
		"PartitionTimeLimit": "time limit", "ReqNodeNotAvail, UnavailableNodes:n1": "down", "JobHeldUser": "user",
		"launch failed requeued held": "begin",
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
