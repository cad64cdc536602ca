package reports

import (
	"graphda/jobs/experiment"
	"graphda/jobs/reports/drawn"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tabled"
	"graphda/jobs/usage"
)

// A kind of report is what experiment files may say of it, and what makes it.
type kind struct {
	experiment.Kind
	print source.Printer
}

// kinds are the kinds of reports. A new kind is a file with what makes it and one line here.
var kinds = []kind{
	{experiment.Kind{Name: "classification", Takes: []string{"checkpoint", "published"}, Labels: true},
		tabled.Tables(&tabled.Classification)},
	{experiment.Kind{Name: "regression", Takes: []string{"checkpoint", "published"}},
		tabled.Tables(&tabled.Regression)},
	{experiment.Kind{Name: "checkpoints", Needs: []string{"measure"}, Takes: []string{"models", "log", "columns"},
		Curve: true},
		drawn.Figures(drawn.OverCheckpoints)},
	{experiment.Kind{Name: "parameter", Needs: []string{"measure", "parameter"},
		Takes: []string{"checkpoint", "models", "log", "columns"}},
		drawn.Figures(drawn.OverParameter)},
	{experiment.Kind{Name: "datasets", Needs: []string{"measure", "parameter"},
		Takes: []string{"checkpoint", "models", "log", "columns"}},
		drawn.Figures(drawn.OverDatasets)},
	{experiment.Kind{Name: "mistakes", Takes: []string{"checkpoint", "models", "columns"}, Labels: true},
		drawn.Figures(drawn.MistakeCurves)},
	{experiment.Kind{Name: "regret", Takes: []string{"checkpoint", "columns"}, Traces: true},
		drawn.Figures(drawn.RegretCurves)},
	{experiment.Kind{Name: "truth"}, drawn.Figures(drawn.TruthImages)},
	{experiment.Kind{Name: "models", Takes: []string{"checkpoint", "trials"}}, drawn.Figures(drawn.ModelImages)},
	{experiment.Kind{Name: "network", Takes: []string{"checkpoint", "trials"}}, drawn.Figures(drawn.Subnetworks)},
	{experiment.Kind{Name: "pairs", Needs: []string{"measure"}, Takes: []string{"checkpoint", "models", "columns"}},
		drawn.Figures(drawn.PairCurves)},
	{experiment.Kind{Name: "stability", Takes: []string{"checkpoint"}}, drawn.Stabilities},
	{experiment.Kind{Name: "ranks", Needs: []string{"measure"}, Takes: []string{"checkpoint", "models"},
		Datasets: drawn.FewestRanked}, drawn.Rankings},
	{experiment.Kind{Name: "sensitivity", Needs: []string{"measure"}, Takes: []string{"checkpoint", "columns"},
		Sweeps: true}, drawn.Sensitivities},
	{experiment.Kind{Name: "cost", Needs: []string{"measure"}, Takes: []string{"checkpoint", "columns"}}, drawn.Costs},
}

func init() {
	for i := range kinds {
		experiment.Register(kinds[i].Kind)
	}
}

// printerOf returns what makes a report.
func printerOf(r *experiment.Report) (source.Printer, error) {
	for i := range kinds {
		if kinds[i].Name == r.Kind {
			return kinds[i].print, nil
		}
	}
	return nil, usage.Errorf("report %s: nothing makes reports of kind %q", r.Name, r.Kind)
}
