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

// SplitTasks divides the tasks first to first+count−1 into arrays of no more elements than the cluster accepts.
func SplitTasks(first, count, longest int) (arrays []Array, err error) {
	if longest < 1 {
		return nil, errors.New("this cluster takes no job arrays (MaxArraySize = 0)")
	}
	for ; count > 0; first, count = first+longest, count-longest {
		arrays = append(arrays, Array{Offset: first, Count: min(longest, count)})
	}
	return arrays, nil
}

// Share divides among arrays, by their lengths, the number of elements of them all that may run at once; 0: any
// number. It returns how many arrays run at once. The others must each wait for the end of the one that many places
// before it.
func Share(arrays []*Array, parallelism int) (lanes int) {
	if parallelism == 0 || len(arrays) == 0 {
		return len(arrays)
	}
	lanes = min(parallelism, len(arrays))
	for _, a := range arrays {
		a.Parallelism = 1
	}
	rounds := func(a *Array) float64 { return float64(a.Count) / float64(a.Parallelism) }
	for range parallelism - lanes { // one more for the array that would take longest
		slowest := slices.MaxFunc(arrays[:lanes], func(a, b *Array) int { return cmp.Compare(rounds(a), rounds(b)) })
		if rounds(slowest) <= 1 {
			break // all elements of these run at once
		}
		slowest.Parallelism++
	}
	return lanes
}
