package jobs

import (
	"graphda/io/prometheus"
	"graphda/io/results"
)

// Gauges are what the status tells in numbers, for Prometheus. All have the run's name and folder.
func (s *Status) Gauges() []prometheus.Gauge {
	of := func(value float64, pairs ...string) prometheus.Sample {
		return prometheus.Sample{Value: value,
			Labels: prometheus.Labels(append([]string{"run", s.Name, "dir", s.Dir}, pairs...)...)}
	}
	cells := prometheus.Gauge{Name: "graphda_cells", Help: "Cells of the plan, by how far they have come."}
	for _, g := range s.Groups {
		for _, c := range []struct {
			state string
			n     int
		}{
			{"done", g.Done}, {"failed", g.Failed}, {"running", g.Running}, {"queued", g.Queued}, {"missing", g.Missing},
		} {
			cells.Samples = append(cells.Samples, of(float64(c.n), "dataset", g.Dataset, "method", g.Method, "state", c.state))
		}
	}
	one := func(name, help string, value float64) prometheus.Gauge {
		return prometheus.Gauge{Name: name, Help: help, Samples: []prometheus.Sample{of(value)}}
	}
	gauges := []prometheus.Gauge{
		cells,
		{Name: "graphda_tasks", Help: "Tasks that were sealed, begun, or are needed.", Samples: []prometheus.Sample{
			of(float64(s.Sealed), "state", "sealed"), of(float64(s.Begun), "state", "begun"),
			of(float64(s.Tasks-s.Sealed-s.Begun), "state", "needed"),
		}},
		one("graphda_cpu_seconds_used", "CPU time of the cells that have results.", s.Used),
		one("graphda_cpu_seconds_left", "Estimated CPU time of the cells that have none.", s.Left),
		one("graphda_damaged_files", "Files of results that cannot be read.", float64(len(s.Damaged))),
	}
	if s.Queue == nil {
		return gauges
	}
	waiting := prometheus.Gauge{Name: "graphda_queue_waiting_tasks", Help: "Tasks in the queue, by reason to wait."}
	for _, w := range s.Queue.Waiting {
		waiting.Samples = append(waiting.Samples, of(float64(w.Tasks), "reason", w.Reason))
	}
	dead := prometheus.Gauge{Name: "graphda_queue_dead_tasks", Help: "Tasks whose jobs have died, by cause."}
	count, order := map[results.Cause]int{}, []results.Cause(nil)
	for _, d := range s.Queue.Dead {
		if count[d.Cause]++; count[d.Cause] == 1 {
			order = append(order, d.Cause)
		}
	}
	for _, cause := range order {
		dead.Samples = append(dead.Samples, of(float64(count[cause]), "cause", string(cause)))
	}
	gauges = append(gauges,
		one("graphda_queue_running_tasks", "Tasks that run in jobs.", float64(s.Queue.Running)),
		one("graphda_queue_queued_tasks", "Tasks in the queue.", float64(s.Queue.Queued)), waiting, dead)
	if !s.Queue.Finish.IsZero() {
		gauges = append(gauges, one("graphda_finish_time_seconds", "When all is expected to be done, since 1970.",
			float64(s.Queue.Finish.Unix())))
	}
	return gauges
}
