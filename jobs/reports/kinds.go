package reports

import (
	"errors"

	"graphda/jobs/experiment"
	"graphda/jobs/usage"
)

// A kind of report is what experiment files may say of it, and what makes it.
type kind struct {
	experiment.Kind
	print printer
}

// A printer makes what a report prints.
type printer func(mk *maker, rep *experiment.Report) ([]Printed, error)

// kinds are the kinds of reports. A new kind is a file with what makes it and one line here.
var kinds = []kind{
	{experiment.Kind{Name: "classification", Takes: []string{"checkpoint", "published"}, Labels: true},
		tabled(&classification)},
	{experiment.Kind{Name: "regression", Takes: []string{"checkpoint", "published"}},
		tabled(&regression)},
	{experiment.Kind{Name: "checkpoints", Needs: []string{"measure"}, Takes: []string{"models", "log", "columns"}},
		drawn(overCheckpoints)},
	{experiment.Kind{Name: "parameter", Needs: []string{"measure", "parameter"},
		Takes: []string{"checkpoint", "models", "log", "columns"}},
		drawn(overParameter)},
	{experiment.Kind{Name: "datasets", Needs: []string{"measure", "parameter"},
		Takes: []string{"checkpoint", "models", "log", "columns"}},
		drawn(overDatasets)},
	{experiment.Kind{Name: "mistakes", Takes: []string{"checkpoint", "models", "columns"}, Labels: true},
		drawn(mistakeCurves)},
	{experiment.Kind{Name: "regret", Takes: []string{"checkpoint", "columns"}, Traces: true}, drawn(regretCurves)},
	{experiment.Kind{Name: "truth"}, drawn(truthImages)},
	{experiment.Kind{Name: "models", Takes: []string{"checkpoint", "trials"}}, drawn(modelImages)},
	{experiment.Kind{Name: "network", Takes: []string{"checkpoint", "trials"}}, drawn(subnetworks)},
	{experiment.Kind{Name: "pairs", Needs: []string{"measure"}, Takes: []string{"checkpoint", "models", "columns"}},
		drawn(pairCurves)},
	{experiment.Kind{Name: "stability", Takes: []string{"checkpoint"}}, stabilities},
	{experiment.Kind{Name: "ranks", Needs: []string{"measure"}, Takes: []string{"checkpoint", "models"},
		Datasets: fewestRanked}, rankings},
	{experiment.Kind{Name: "sensitivity", Needs: []string{"measure"}, Takes: []string{"checkpoint", "columns"},
		Sweeps: true}, sensitivities},
	{experiment.Kind{Name: "cost", Needs: []string{"measure"}, Takes: []string{"checkpoint", "columns"}}, costs},
}

func init() {
	for i := range kinds {
		experiment.Register(kinds[i].Kind)
	}
}

// printerOf returns what makes a report.
func printerOf(r *experiment.Report) (printer, error) {
	for i := range kinds {
		if kinds[i].Name == r.Kind {
			return kinds[i].print, nil
		}
	}
	return nil, usage.Errorf("report %s: nothing makes reports of kind %q", r.Name, r.Kind)
}

// drawn prints a report by drawing its figures.
func drawn(draw figureMaker) printer {
	return func(mk *maker, rep *experiment.Report) ([]Printed, error) {
		p := Printed{Report: *rep}
		var err error
		var reason *notDrawn
		if p.Figures, err = draw(mk, rep); errors.As(err, &reason) {
			p.NotDrawn = reason.Error()
		} else if err != nil {
			return nil, err
		}
		p.Lacks = mk.lacks()
		return []Printed{p}, nil
	}
}

// tabled prints a report as a table for each of its datasets, with what stands beside it.
func tabled(of *tableKind) printer {
	return func(mk *maker, rep *experiment.Report) ([]Printed, error) {
		var printed []Printed
		datasets := mk.datasets(rep)
		for _, d := range datasets {
			p, err := of.print(mk, rep, mk.tableOptions(rep, d, len(datasets) > 1))
			if err != nil {
				return nil, err
			}
			printed = append(printed, p)
		}
		return printed, nil
	}
}
