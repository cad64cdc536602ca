package tuning

import (
	"context"
	"slices"

	"graphda/graph"
	"graphda/jobs/metrics"
	"graphda/jobs/own/choice"
	"graphda/jobs/own/learning"
	"graphda/learners"
)

func (t *Tuner) reach(s learning.Setting) int { return t.Answer.Network.Reach(s, t.varying) }

func (t *Tuner) survey(sp *learning.Split) {
	t.rows = sp.Train.Rows()
	t.Answer.Network, t.varying = choice.Survey(sp)
}

// gate compares the network with networks whose names are permuted. It runs a few fixed settings on each network, and
// compares the highest stability × (score − guessing). The network passes if it beats nearly all permuted networks. If
// it fails, or if no setting selects along an edge, tuning tries GraphDA only if the user asked for GraphDA.
func (t *Tuner) gate(ctx context.Context, g *choice.Grid) error {
	n, trials := t.Answer.Network, t.dataset.Trials[:min(len(t.dataset.Trials), choice.GateSplits)]
	if len(trials) < 2 {
		return nil
	}
	if n.Tells(g.Method) {
		f, err := t.withoutNetwork(ctx, g)
		if err != nil {
			return err
		}
		n.Splits, n.F = len(trials), f
		var all []choice.Benefit
		for next := n.Next(); next > 0; next = n.Next() {
			more, err := t.compare(ctx, trials, n.Settings(g.Method, f, t.Answer.Passes), len(all), 1+next)
			if err != nil {
				return err
			}
			all = append(all, more...)
			n.Given, n.Permuted = all[0], all[1:]
		}
	}
	if n.Dropped = !n.Passes() && len(t.Methods) == 0 && len(t.grids) > 1; n.Dropped {
		t.Answer.Notes = append(t.Answer.Notes, g.Method.Label+" was not tried, because the network is not shown to help")
	}
	return nil
}

// compare returns the benefits of the networks `from` to until−1. Network 0 is the given network, and the others have
// permuted names.
func (t *Tuner) compare(ctx context.Context, trials []int, settings []learning.Setting, from, until int) (
	[]choice.Benefit, error) {
	tried, graphs := make([]Tried, (until-from)*len(settings)), make([]*graph.Graph, until-from)
	t.Crew.Total += len(tried) * len(trials)
	for _, trial := range trials {
		sp, err := t.split(trial)
		if err != nil {
			return nil, err
		}
		for i := 0; i < len(graphs) && err == nil && graphs[i] == nil; i++ {
			if graphs[i] = sp.Problem.Graph; from+i > 0 {
				graphs[i], err = t.Answer.Network.Permute(sp.Problem.Graph, from+i)
			}
		}
		if err != nil {
			return nil, err
		}
		err = t.onSplit(ctx, trial, len(tried), func() func(int) outcome {
			e, on, ws := &metrics.Evaluator{}, -1, (*learners.Workspace)(nil)
			return func(i int) outcome {
				if of := i / len(settings); of != on {
					problem := *sp.Problem
					problem.Graph, on = graphs[of], of
					ws = learners.NewWorkspace(&problem)
				}
				return outcomeOf(sp, ws, e, settings[i%len(settings)], t.Answer.Passes)
			}
		}, func(i int) *Tried { return &tried[i] })
		if err != nil {
			return nil, err
		}
	}
	benefits := make([]choice.Benefit, len(graphs))
	for i := range benefits {
		benefits[i] = t.benefit(settings, tried[i*len(settings):][:len(settings)])
	}
	return benefits, nil
}

// benefit returns a network's benefit, which is the highest among the given settings.
func (t *Tuner) benefit(settings []learning.Setting, tried []Tried) (best choice.Benefit) {
	guess := learning.OutcomeOf(t.Answer.Loss).Guess
	best.Score = guess
	for i, s := range settings {
		of := &tried[i]
		of.Setting = s
		t.settle(of)
		if of.Failed != "" || t.Answer.Network.TakesAll(s, of.Size, t.varying) || !(of.Stability > 0) {
			continue // no stability, or a product of two negative numbers
		}
		if product := of.Stability * (of.Score - guess); product > best.Product {
			best = choice.Benefit{Score: of.Score, Stability: of.Stability, Product: product}
		}
	}
	return best
}

// withoutNetwork returns the best value of f for DA-IHT.
func (t *Tuner) withoutNetwork(ctx context.Context, on *choice.Grid) (float64, error) {
	g, err := choice.NewGrid(without, learning.OutcomeOf(t.Answer.Loss), t.p)
	if err != nil {
		return 0, err
	}
	kept := *t.Answer
	if !slices.ContainsFunc(t.Answer.Tried, func(s Tried) bool { return s.Method == g.Method }) {
		err = t.search(ctx, []*choice.Grid{g})
	}
	f := on.F[len(on.F)/2]
	if b := best(t.Answer.Tried, g.Method); b != nil {
		f = b.F
	}
	*t.Answer = kept
	return f, err
}

// without is the name of DA-IHT, which is GraphDA without a network.
const without = "da-iht"
