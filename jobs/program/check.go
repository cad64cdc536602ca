package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"graphda/graph"
	"graphda/io/message"
	"graphda/io/samples"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// ErrLaw is the cause of the error of a program that breaks a law which every method must hold.
var ErrLaw = errors.New("a law is broken")

// Check tries the laws of methods with the programs of an experiment, each with the first value of its parameters, on
// small data: 60 training samples, 20 of validation and 20 of test, of six features on a path, the last one constant.
// A table for each program tells which laws are held.
func Check(ctx context.Context, e *experiment.Experiment) (tables []*table.Table, broken error) {
	loss, err := learners.LookupLoss(e.Loss)
	if err != nil {
		return nil, err
	}
	for _, g := range e.Programs() {
		c := &check{g: g, loss: loss, Table: table.Table{Name: g.Method, Title: g.Method, Columns: []table.Column{
			{Key: "law", Head: "law", Words: true}, {Key: "held", Head: "held", Words: true}}}}
		if err := c.try(ctx); err != nil {
			return nil, err
		}
		tables, broken = append(tables, &c.Table), errors.Join(broken, c.broken)
	}
	if len(tables) == 0 {
		return nil, userinput.Errorf("%s has no program: an entry of methods with method: program", e.Name)
	}
	return tables, broken
}

// A check tries the laws with a program.
type check struct {
	table.Table
	g      *experiment.Grid
	loss   learners.Loss
	broken error
}

// try enters the laws. The error is not the program's.
func (c *check) try(ctx context.Context) error {
	places, moved := []int{0, 1, 2, 3, 4, 5}, []int{3, 5, 1, 0, 2, 4}
	var told [4][]*Answer // at 30 and 60 samples, and at these asked again
	var err error
	for k, t := range []*samples.Trial{small(c.loss, places, 60), small(c.loss, places, 60), small(c.loss, places, 30),
		small(c.loss, moved, 60)} {
		if told[k], err = c.ask(ctx, t); err != nil {
			break
		}
	}
	if err != nil && !errors.As(err, new(*Failure)) {
		return err
	}
	c.law(true, "answers every checkpoint, and nothing before its question", err == nil, fmt.Sprint(err))
	if err != nil {
		return nil
	}
	again, by := 0.0, 0.0
	for k, a := range slices.Concat(told[0][2:], told[1]) {
		again = max(again, difference(told[0][k%2], a))
	}
	behind, w := difference(told[0][0], told[2][0]), told[0][1].Weights
	c.law(true, "at checkpoint t only the first t samples matter", behind <= 1e-9+10*again,
		fmt.Sprintf("with others behind them the answer differs by %.3g", behind))
	c.law(false, "the same seed gives the same answer", again == 0, fmt.Sprintf(
		"answers differ by %.3g; write deterministic: false, and the run is marked as not deterministic", again))
	if w == nil {
		return nil
	}
	for j, at := range moved {
		by = max(by, math.Abs(w[j]-told[3][1].Weights[at]))
	}
	c.law(false, "features in another order have their weights in that order", by <= 1e-6+10*again,
		fmt.Sprintf("weights differ by %.3g", by))
	c.law(false, "a constant feature has weight 0", math.Abs(w[5]) <= 1e-6+10*again, fmt.Sprintf("it has %.3g", w[5]))
	return nil
}

// law enters a law, and why it is not held. A program must hold some.
func (c *check) law(must bool, text string, held bool, why string) {
	word := "yes"
	if !held {
		word = "no"
		c.Notes = append(c.Notes, text+": "+why)
	}
	c.Rows = append(c.Rows, []table.Cell{table.Word(text), table.Word(word)})
	if must && !held {
		c.broken = message.Because(ErrLaw, "program %s breaks a law of methods: %s", c.g.Method, text)
	}
}

// ask starts the program on a trial and asks it twice. It must say nothing after its last answer.
func (c *check) ask(ctx context.Context, t *samples.Trial) (told []*Answer, err error) {
	files, err := WriteTrial("", c.g.Program.Data, t, t.Train.Rows())
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(files.Dir)
	q := Question{Cell: "check", Seed: 1, Checkpoints: []int{30, 60}, Data: files.Data}
	method, _ := c.g.Lookup() // of a program it does not fail
	err = errors.Join(c.g.Program.Install(files.Dir), c.g.Expand(func(values []float64) {
		if q.Parameters == nil {
			q.Parameters = json.RawMessage(plan.FreeSettings(learners.Settings{Method: method, Values: values}))
		}
	}))
	if err != nil {
		return nil, err
	}
	files.Loss = c.loss.Name()
	p, err := Start(ctx, Spec{Program: c.g.Program, Dir: files.Dir}, files.Hello)
	if p != nil {
		defer p.Close()
	}
	for range 2 {
		if err == nil {
			var answers []*Answer
			answers, err = p.Ask(ctx, &q, Shape{t.Train.P, t.Valid.Rows(), t.Test.Rows()})
			told = append(told, answers...)
		}
	}
	if err != nil {
		return nil, err
	}
	return told, p.finish()
}

// difference is the largest difference between numbers of two answers; infinite where one has more of them.
func difference(a, b *Answer) (most float64) {
	if len(a.numbers()) != len(b.numbers()) {
		return math.Inf(1)
	}
	for i, v := range a.numbers() {
		most = max(most, math.Abs(v-b.numbers()[i]))
	}
	return most
}

// numbers are all numbers of an answer.
func (a *Answer) numbers() []float64 {
	all := slices.Concat(a.Weights, numbers{a.Intercept}, a.Online)
	if a.Scores != nil {
		all = slices.Concat(all, a.Scores.Valid, a.Scores.Test)
	}
	return all
}

// small is the trial of Check. Feature j has place places[j]. Training samples behind the first so many are others.
func small(loss learners.Loss, places []int, same int) *samples.Trial {
	random := rand.New(rand.NewPCG(1, 2))
	block := func(rows, same int) samples.Block {
		b := samples.Block{P: len(places), X: make([]float64, rows*len(places)), Y: make([]float64, rows)}
		for i := range rows {
			score, sign := random.NormFloat64()/2, 1.0
			if i >= same {
				sign = -3
			}
			for j, at := range places {
				v := random.NormFloat64()
				switch j {
				case 0, 1:
					score += v * float64(1-2*j)
				case len(places) - 1:
					v = sign // constant among the same samples
				}
				b.X[i*b.P+at] = v * sign
			}
			if b.Y[i] = score * sign; loss.Classifies() {
				b.Y[i] = math.Copysign(1, b.Y[i])
			}
		}
		return b
	}
	t := &samples.Trial{Features: &samples.Features{Names: make([]string, len(places))}, Train: block(60, same),
		Valid: block(20, 20), Test: block(20, 20)}
	var path []graph.Edge
	for j, at := range places {
		t.Features.Names[at] = fmt.Sprint("feature", j)
		if j > 0 {
			path = append(path, graph.Edge{U: int32(places[j-1]), V: int32(at)})
		}
	}
	t.Graph, _ = graph.New(len(places), path, []float64{1, 1, 1, 1, 1}) // of a path it does not fail
	return t
}
