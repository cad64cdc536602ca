package learners_test

import (
	"testing"

	"graphda/learners"
	"graphda/learners/learnertest"
)

func TestMethods(t *testing.T) {
	for _, m := range learners.Methods {
		t.Run(m.Name, func(t *testing.T) { learnertest.Check(t, m) })
	}
}
