package slurm

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// An Array is a job array. Its elements have the indices 0 to Count−1, whatever they
// stand for: element i runs task Offset + i.
type Array struct {
	Offset      int
	Count       int
	Parallelism int // elements that run at once; 0: as many as the cluster lets
	After       int // place of the array that must end first among those of a Share; −1: none
}

// Last returns the number of the last element's task.
func (a *Array) Last() int { return a.Offset + a.Count - 1 }

// option returns the option of sbatch that asks for the array.
func (a *Array) option() string {
	option := "--array=0-" + strconv.Itoa(a.Count-1)
	if a.Parallelism > 0 {
		option += "%" + strconv.Itoa(a.Parallelism)
	}
	return option
}

// Validate reports impossible numbers.
func (a *Array) Validate() error {
	var errs []error
	if a.Offset < 0 {
		errs = append(errs, fmt.Errorf("array offset = %d, want at least 0", a.Offset))
	}
	if a.Count < 1 {
		errs = append(errs, fmt.Errorf("array count = %d, want at least 1", a.Count))
	}
	if a.Parallelism < 0 {
		errs = append(errs, fmt.Errorf("array parallelism = %d, want at least 0", a.Parallelism))
	}
	return errors.Join(errs...)
}

// SplitTasks divides the tasks first to first+count−1 into arrays that the cluster accepts.
func (l *Limits) SplitTasks(first, count int) ([]Array, error) {
	longest := l.longest()
	if longest < 1 {
		return nil, errors.New("this cluster takes no job arrays (MaxArraySize = 0)")
	}
	if count < 0 || first < 0 {
		return nil, fmt.Errorf("%d tasks from %d, want neither negative", count, first)
	}
	arrays := make([]Array, (count+longest-1)/longest)
	for i := range arrays {
		arrays[i] = Array{Offset: first + i*longest, Count: min(longest, count-i*longest), After: -1}
	}
	return arrays, nil
}

// Share divides among arrays the number of elements of them all that may run at once, by
// their lengths. If there are more arrays than that, some wait for others (After). With a
// parallelism of 0 there is nothing to divide.
func Share(arrays []*Array, parallelism int) {
	lanes := min(parallelism, len(arrays))
	if lanes <= 0 {
		return
	}
	for i, a := range arrays {
		a.Parallelism, a.After = 1, -1
		if i >= lanes {
			a.After = i - lanes
		}
	}
	rounds := func(a *Array) float64 { return float64(a.Count) / float64(a.Parallelism) }
	for range parallelism - lanes { // one more for the array that would take longest
		slowest := slices.MaxFunc(arrays[:lanes], func(a, b *Array) int { return cmp.Compare(rounds(a), rounds(b)) })
		if rounds(slowest) <= 1 {
			return // all elements of these run at once
		}
		slowest.Parallelism++
	}
}
