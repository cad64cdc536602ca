package inspect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/results"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

func describeRun(dir string) ([]Line, error) {
	r, err := run.Open(dir)
	if err != nil {
		return nil, err
	}
	s, err := r.Status(false)
	if err != nil {
		return nil, err
	}
	plan := r.Plan
	lines := []Line{
		{"run", fmt.Sprintf("%s, planned by %s", plan.Experiment.Name, plan.Version)},
		{"cells", fmt.Sprintf("%s in %s: %s done, %s failed, %s missing", message.Number(s.Total.Cells),
			message.Count(s.Tasks, "task"), message.Number(s.Total.Done), message.Number(s.Total.Failed),
			message.Number(s.Undone()))},
		{"loss", plan.Experiment.Loss},
		{"checkpoints", numbers(plan.Checkpoints)},
	}
	for _, d := range plan.Datasets {
		lines = append(lines, Line{"dataset", fmt.Sprintf("%s: %s, %s, %s; %s", d.Name, message.Count(d.Features, "feature"),
			message.Count(d.Edges, "edge"), message.Count(d.Rows, "sample"), message.Count(len(d.Trials), "trial"))})
	}
	for _, g := range s.Groups {
		lines = append(lines, Line{"method", fmt.Sprintf("%s on %s: %s of %s done", g.Method, g.Dataset,
			message.Number(g.Done), message.Count(g.Cells, "cell"))})
	}
	for _, d := range s.Damaged {
		lines = append(lines, Line{"damaged", d})
	}
	return lines, nil
}

func describeShard(path string) ([]Line, error) {
	rows, info, err := results.ReadShard(path, plan.Layout())
	if err != nil {
		return nil, err
	}
	methods, checkpoints := map[string]map[string]bool{}, map[int]bool{}
	data, failed := map[string]bool{}, map[string]bool{}
	for _, r := range rows {
		if methods[r.Method] == nil {
			methods[r.Method] = map[string]bool{}
		}
		methods[r.Method][r.Cell] = true
		data[fmt.Sprintf("%s, trial %d", r.Dataset, r.Trial)] = true
		checkpoints[r.Checkpoint] = true
		if r.Failed() {
			failed[r.Error] = true
		}
	}
	lines := []Line{
		{"shard", fmt.Sprintf("task %d of plan %.12s…, written by %s", info.Task, info.Plan, info.Version)},
		{"cells", fmt.Sprintf("%s done, %s failed; %s; learned in %.1f s of CPU time", message.Number(info.Done),
			message.Number(info.Failed), message.Count(info.Rows, "row"), info.Seconds)},
		{"dataset", strings.Join(slices.Sorted(maps.Keys(data)), "; ")},
		{"checkpoints", numbers(slices.Sorted(maps.Keys(checkpoints)))},
	}
	for _, m := range slices.Sorted(maps.Keys(methods)) {
		lines = append(lines, Line{"method", fmt.Sprintf("%s: %s", m, message.Count(len(methods[m]), "cell"))})
	}
	for _, e := range slices.Sorted(maps.Keys(failed)) {
		lines = append(lines, Line{"failed", e})
	}
	return lines, nil
}

func numbers(all []int) string {
	texts := make([]string, len(all))
	for i, n := range all {
		texts[i] = message.Number(n)
	}
	return dataframe.Some(texts)
}
