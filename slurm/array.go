package slurm

import (
	"errors"
	"fmt"
	"strconv"
)

// An Array is a job array. Its elements have the indices 0 to Count−1, whatever they
// stand for: element i runs task Offset + i.
type Array struct {
	Offset      int
	Count       int
	Parallelism int // elements that run at once; 0: as many as the cluster lets
	After       int // number of the array of a Split that must end first; −1: none
}

// Last returns the number of the last element's task.
func (a *Array) Last() int { return a.Offset + a.Count - 1 }

// Option returns the option of sbatch that asks for the array.
func (a *Array) Option() string {
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
		errs = append(errs, fmt.Errorf("slurm: array offset = %d, want at least 0", a.Offset))
	}
	if a.Count < 1 {
		errs = append(errs, fmt.Errorf("slurm: array count = %d, want at least 1", a.Count))
	}
	if a.Parallelism < 0 {
		errs = append(errs, fmt.Errorf("slurm: array parallelism = %d, want at least 0", a.Parallelism))
	}
	return errors.Join(errs...)
}

// Split divides the tasks first to first+count−1 into arrays that the cluster accepts.
//
// If parallelism is positive, no more than that many elements of all arrays run at once.
// The arrays share it; if it is less than their number, some wait for others (After).
func (l *Limits) Split(first, count, parallelism int) ([]Array, error) {
	longest := l.longest()
	if longest < 1 {
		return nil, errors.New("slurm: this cluster takes no job arrays (MaxArraySize = 0)")
	}
	if count < 0 || first < 0 || parallelism < 0 {
		return nil, fmt.Errorf("slurm: %d tasks from %d with parallelism %d, want none negative", count, first, parallelism)
	}
	arrays := make([]Array, (count+longest-1)/longest)
	lanes := min(parallelism, len(arrays))
	for i := range arrays {
		a := &arrays[i]
		*a = Array{Offset: first + i*longest, Count: min(longest, count-i*longest), After: -1}
		if lanes == 0 {
			continue
		}
		a.Parallelism = parallelism / lanes
		if i%lanes < parallelism%lanes {
			a.Parallelism++
		}
		if i >= lanes {
			a.After = i - lanes
		}
	}
	return arrays, nil
}
