// Package learnertest tests the laws that every learning method must obey. learners/learner_test.go checks all methods.
//
// The typical steps, all in Check, are:
//
//  1. newSubject makes a subject: a method with settings, a loss and a small problem. subject.sample draws samples.
//  2. Each entry of the list laws checks the subject, mostly by comparing passes over the samples.
//
// A method's parameters and needs decide which laws apply, so a new method in learners.Methods is tested without a
// change here. A method with parameter s is sparse. A method with γ is a dual averaging method whose iterate scales
// with 1/γ. A method that needs the truth selects only features of the true support.
package learnertest

import (
	"testing"

	"graphda/learners"
)

var laws = []struct {
	name  string
	check func(t *testing.T, s *subject)
}{
	{"is described", checkDescription},
	{"refuses bad parameters", checkParams},
	{"refuses problems that lack its needs", checkNeeds},
	{"repeats itself", checkRepeats},
	{"shares a workspace", checkTurns},
	{"shares a problem", checkWorkers},
	{"leaves its inputs alone", checkInputs},
	{"retains no sample", checkRetains},
	{"may be looked at", checkReading},
	{"goes on from a snapshot", checkSnapshot},
	{"refuses another's snapshot", checkForeignSnapshot},
	{"may be endless", checkEndless},
	{"may do without accounts", checkUnaccounted},
	{"stays finite", checkFinite},
	{"supports what it says", checkSupport},
	{"never shrinks the intercept", checkIntercept},
	{"scales with its rate", checkRate},
	{"accounts as a plain driver does", checkAccounts},
	{"mirrors features", checkMirrorFeatures},
	{"mirrors targets", checkMirrorTargets},
	{"does not depend on the order of features", checkRelabel},
	{"ignores a feature that is always zero", checkZeroFeature},
	{"reports divergence", checkDivergence},
	{"refuses samples of a wrong length", checkLength},
	{"does not allocate", checkAllocations},
}

// Check checks all laws for the method m, with every loss and every word of m's parameters.
func Check(t *testing.T, m *learners.Method) {
	for _, loss := range learners.Losses {
		t.Run(loss.Name(), func(t *testing.T) { checkLaws(t, newSubject(m, loss)) })
		for _, p := range m.Params {
			for v := 1; v < len(p.Words); v++ {
				s := newSubject(m, loss).with(map[string]float64{p.Name: float64(v)})
				t.Run(loss.Name()+", "+p.Name+"="+p.Words[v], func(t *testing.T) { checkLaws(t, s) })
			}
		}
	}
}

func checkLaws(t *testing.T, s *subject) {
	for _, law := range laws {
		t.Run(law.name, func(t *testing.T) {
			own := *s
			own.sample()
			law.check(t, &own)
		})
	}
}
