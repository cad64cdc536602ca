package learners

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// A Memory lists by name the fields that a learner carries from one round to the next. Each part of the learner adds
// its fields. Snapshot reads the fields, and Restore writes them.
type Memory struct {
	vectors map[string][]float64
	sets    map[string]*[]int32
	numbers map[string]number
}

type number struct {
	get func() float64
	set func(float64)
}

// Vector adds v, which has a number for each feature, to the list.
func (m *Memory) Vector(name string, v []float64) { enter(m.vectors, name, v) }

// Set adds s, ascending indices of features, to the list.
func (m *Memory) Set(name string, s *[]int32) { enter(m.sets, name, s) }

// Number adds x to the list.
func (m *Memory) Number(name string, x *float64) {
	enter(m.numbers, name, number{func() float64 { return *x }, func(v float64) { *x = v }})
}

// Count adds n, which must stay below 2⁵³, to the list.
func (m *Memory) Count(name string, n *int) {
	enter(m.numbers, name, number{func() float64 { return float64(*n) }, func(v float64) { *n = max(0, int(v)) }})
}

// Flag adds b to the list. A snapshot stores b as 0 or 1.
func (m *Memory) Flag(name string, b *bool) {
	get := func() float64 {
		if *b {
			return 1
		}
		return 0
	}
	enter(m.numbers, name, number{get, func(v float64) { *b = v != 0 }})
}

func enter[T any](to map[string]T, name string, v T) {
	if _, twice := to[name]; twice {
		panic("learners: two parts of a learner remember " + name)
	}
	to[name] = v
}

// A Snapshot is a copy of the fields in a learner's memory.
type Snapshot struct {
	Vectors map[string][]float64 // a number for each feature
	Sets    map[string][]int32   // ascending indices of features
	Numbers map[string]float64
}

func (l *Learner) memory() *Memory {
	m := &Memory{map[string][]float64{}, map[string]*[]int32{}, map[string]number{}}
	m.Count("samples", &l.t)
	m.Vector("w", l.w.W)
	m.Number("intercept", &l.w.Intercept)
	m.Set("support", &l.w.Support) // stored, because sums of scores depend on its order
	m.Flag("sparse", &l.w.Sparse)
	m.Vector("w_sum", l.sum.W)
	m.Number("intercept_sum", &l.sum.Intercept)
	m.Number("loss", &l.account.Loss)
	m.Count("mistakes", &l.account.Mistakes)
	m.Number("loss_wbar", &l.accountBar.Loss)
	m.Count("mistakes_wbar", &l.accountBar.Mistakes)
	l.rule.Remember(m)
	return m
}

// Snapshot returns a copy of the learner's state. If a new learner with the same method, settings, loss and problem
// restores the copy, it continues like this learner, bit for bit.
func (l *Learner) Snapshot() *Snapshot {
	m := l.memory()
	s := &Snapshot{map[string][]float64{}, map[string][]int32{}, map[string]float64{}}
	for name, v := range m.vectors {
		s.Vectors[name] = slices.Clone(v)
	}
	for name, set := range m.sets {
		s.Sets[name] = append([]int32{}, *set...)
	}
	for name, x := range m.numbers {
		s.Numbers[name] = x.get()
	}
	return s
}

// Restore sets a new learner to the state of a snapshot. It restores the number of mistakes, but not their list. If the
// fields or their values do not fit the learner, the error names a field, and the learner is unusable.
func (l *Learner) Restore(s *Snapshot) error {
	m, p := l.memory(), len(l.w.W)
	if err := cmp.Or(sameNames("vector", m.vectors, s.Vectors), sameNames("set", m.sets, s.Sets),
		sameNames("number", m.numbers, s.Numbers)); err != nil {
		return err
	}
	for name, v := range s.Vectors {
		if len(v) != p {
			return fmt.Errorf("%s has %d entries, want one for each of %d features", name, len(v), p)
		}
		copy(m.vectors[name], v)
	}
	for name, set := range s.Sets {
		for k, i := range set {
			if i < 0 || int(i) >= p || k > 0 && set[k-1] >= i {
				return fmt.Errorf("%s is not an ascending list of features from 0 to %d", name, p-1)
			}
		}
		*m.sets[name] = append((*m.sets[name])[:0], set...)
	}
	for name, x := range s.Numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s is %v, want a finite number", name, x)
		}
		if m.numbers[name].set(x); m.numbers[name].get() != x {
			return fmt.Errorf("%s = %v, want a count", name, x)
		}
	}
	return nil
}

func sameNames[A, B any](kind string, memory map[string]A, snapshot map[string]B) error {
	for _, name := range slices.Sorted(maps.Keys(memory)) {
		if _, ok := snapshot[name]; !ok {
			return fmt.Errorf("the %s %q is missing", kind, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(snapshot)) {
		if _, ok := memory[name]; !ok {
			return fmt.Errorf("this method has no %s %q", kind, name)
		}
	}
	return nil
}
