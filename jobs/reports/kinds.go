package reports

import (
	"graphda/jobs/experiment"
	"graphda/jobs/reports/figurekinds"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tablekinds"
	"graphda/jobs/userinput"
)

// A kind is a kind of report: the keys that it allows in experiment files, and the function that makes the report.
type kind struct {
	experiment.Kind
	print source.Printer
}

var kinds = []kind{
	{experiment.Kind{Name: "classification", Takes: []string{"checkpoint", "published"}, Labels: true},
		tablekinds.Tables(&tablekinds.Classification)},
	{experiment.Kind{Name: "regression", Takes: []string{"checkpoint", "published"}, Numbers: true},
		tablekinds.Tables(&tablekinds.Regression)},
	{experiment.Kind{Name: "checkpoints", Needs: []string{"measure"}, Takes: []string{"models", "log", "columns"},
		Curve: true},
		figurekinds.Figures(figurekinds.OverCheckpoints)},
	{experiment.Kind{Name: "parameter", Needs: []string{"measure", "parameter"},
		Takes: []string{"checkpoint", "models", "log", "columns"}},
		figurekinds.Figures(figurekinds.OverParameter)},
	{experiment.Kind{Name: "datasets", Needs: []string{"measure", "parameter"},
		Takes: []string{"checkpoint", "models", "log", "columns"}},
		figurekinds.Figures(figurekinds.OverDatasets)},
	{experiment.Kind{Name: "mistakes", Takes: []string{"checkpoint", "models", "columns"}, Labels: true},
		figurekinds.Figures(figurekinds.MistakeCurves)},
	{experiment.Kind{Name: "regret", Takes: []string{"checkpoint", "columns"}, Traces: true},
		figurekinds.Figures(figurekinds.RegretCurves)},
	{experiment.Kind{Name: "truth"}, figurekinds.Figures(figurekinds.TruthImages)},
	{experiment.Kind{Name: "models", Takes: []string{"checkpoint", "trials"}},
		figurekinds.Figures(figurekinds.ModelImages)},
	{experiment.Kind{Name: "network", Takes: []string{"checkpoint", "trials"}},
		figurekinds.Figures(figurekinds.Subnetworks)},
	{experiment.Kind{Name: "ranks", Needs: []string{"measure"}, Takes: []string{"checkpoint", "models"},
		Datasets: figurekinds.FewestRanked}, figurekinds.Rankings},
	{experiment.Kind{Name: "sensitivity", Needs: []string{"measure"}, Takes: []string{"checkpoint", "columns"},
		Sweeps: true}, figurekinds.Sensitivities},
}

func init() {
	for i := range kinds {
		experiment.Register(kinds[i].Kind)
	}
}

func printerOf(r *experiment.Report) (source.Printer, error) {
	for i := range kinds {
		if kinds[i].Name == r.Kind {
			return kinds[i].print, nil
		}
	}
	return nil, userinput.Errorf("report %s: nothing makes reports of kind %q", r.Name, r.Kind)
}
