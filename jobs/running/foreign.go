package running

import (
	"context"
	"errors"

	"graphda/jobs/program"
	"graphda/learners"
)

// A foreign is the Pass of programs, which are asked for a cell with all its checkpoints at once.
type foreign struct {
	cells       []asked
	data        *trial
	loss        learners.Loss
	checkpoints []int
	answers     [][]*program.Answer // by cell
	failures    []error
	accounts    []*learners.Account // up to the checkpoint; nil without online scores
	at          int                 // checkpoints that are reached
}

// asked is a cell of a foreign.
type asked struct {
	id       string
	settings learners.Settings
}

// Learn implements Pass.
func (f *foreign) Learn(ctx context.Context, checkpoint int) error {
	if f.at++; f.at > 1 {
		return nil
	}
	for _, c := range f.cells {
		answers, err := f.data.programs.ask(ctx, c.id, c.settings, f.checkpoints)
		if err != nil && !errors.As(err, new(*program.Failure)) {
			return err
		}
		f.answers, f.failures = append(f.answers, answers), append(f.failures, err)
		f.accounts = append(f.accounts, new(learners.Account))
	}
	return nil
}

// Answer implements Pass.
func (f *foreign) Answer(cell int) Answer {
	answers := f.answers[cell]
	if f.at > len(answers) {
		return Answer{Failure: f.failures[cell]}
	}
	given, from := answers[f.at-1], 0
	if f.at > 1 {
		from = f.checkpoints[f.at-2]
	}
	a := Answer{Seconds: given.CPU}
	if given.Weights != nil {
		a.W.Model = &learners.Model{W: given.Weights, Intercept: given.Intercept}
	}
	if given.Scores != nil {
		a.W.Valid, a.W.Test = given.Scores.Valid, given.Scores.Test
	}
	if given.Online == nil {
		f.accounts[cell] = nil
	}
	if a.W.Account = f.accounts[cell]; a.W.Account != nil {
		for i, z := range given.Online {
			y := f.data.Train.Y[from+i]
			value, _ := f.loss.Eval(z, y)
			a.W.Account.Enter(f.loss, value, z, y, from+i+1)
		}
	}
	return a
}
