package reports

import (
	"path/filepath"
	"strings"
	"testing"

	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/reports/figures"
)

// Features that were not measured are marked; of data that do not note which, it is said if their
// generator fills in values.
func TestUnmeasuredFeatures(t *testing.T) {
	before, _, _ := strings.Cut(pageExperiment, "reports:")
	of := func(measured []bool, generator string) *figures.Networks {
		f := placed()
		f.Measured = measured
		data := dataFolder(t, jobstest.Spec{Trials: 1, Seed: 1})
		must(t, samples.WriteFeatures(filepath.Join(data, "grid", "features.parquet"), f))
		run := finished(t, data, before+"reports: [{name: net, kind: network}]\n")
		run.Plan.Datasets[0].Trials[0].Metadata = map[string]string{"generator": generator}
		net := reportsOf(t, run)[0].Figures[0].(*figures.Networks)
		return net
	}
	measured := make([]bool, 16)
	for i := range measured {
		measured[i] = i%2 == 0
	}
	net, marked, all := of(measured, "kegg"), 0, 0
	for _, cell := range net.Cells[0] {
		for _, v := range cell.Nodes {
			all++
			if v.Unmeasured {
				marked++
			}
			if odd := strings.ContainsAny(v.Name[len(v.Name)-1:], "13579"); v.Unmeasured != odd {
				t.Errorf("%s is marked: %t", v.Name, v.Unmeasured)
			}
		}
	}
	if marked == 0 || marked == all || net.Unmeasured == "" || !strings.Contains(net.Caption, "Outlines: features that were not measured") {
		t.Errorf("%d of %d nodes are marked; %q", marked, all, net.Caption)
	}
	if net := of(nil, "benchmark"); strings.Contains(net.Caption, "measured") {
		t.Errorf("of data without a word of it: %q", net.Caption)
	}
}
