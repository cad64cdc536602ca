package executor

import (
	"context"
	"errors"

	"graphda/jobs/program"
	"graphda/learners"
)

// A foreign is the Pass of a user's program. For each cell, the program gets one question about all checkpoints.
type foreign struct {
	cells       []told
	data        *trial
	loss        learners.Loss
	checkpoints []int
	at          int // number of checkpoints reached
}

// A told is a cell with the program's answers about it.
type told struct {
	id       string
	settings learners.Settings

	answers []*program.Answer
	failure error
	account *learners.Account // nil if the program sends no online scores
}

func (f *foreign) Learn(ctx context.Context, _ int) error {
	if f.at++; f.at > 1 {
		return nil
	}
	for i := range f.cells {
		t := &f.cells[i]
		t.account = new(learners.Account)
		t.answers, t.failure = f.data.ask(ctx, t.id, t.settings, f.checkpoints)
		if t.failure != nil && !errors.As(t.failure, new(*program.Failure)) {
			return t.failure
		}
	}
	return nil
}

func (f *foreign) Answer(cell int) Answer {
	t, from := &f.cells[cell], 0
	if f.at > len(t.answers) {
		return Answer{Failure: t.failure}
	}
	if f.at > 1 {
		from = f.checkpoints[f.at-2]
	}
	given := t.answers[f.at-1]
	a := Answer{Seconds: given.CPU}
	if given.Weights != nil {
		a.W.Model = &learners.Model{W: given.Weights, Intercept: given.Intercept}
	}
	if given.Scores != nil {
		a.W.Valid, a.W.Test = given.Scores.Valid, given.Scores.Test
	}
	if given.Online == nil {
		t.account = nil
	}
	if a.W.Account = t.account; t.account != nil {
		for i, z := range given.Online {
			y := f.data.Train.Y[from+i]
			value, _ := f.loss.Eval(z, y)
			t.account.Enter(f.loss, value, z, y, from+i+1)
		}
	}
	return a
}
