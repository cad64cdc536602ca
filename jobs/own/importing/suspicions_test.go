package importing

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Few pairs are looked at in full, and none that is alike is missed.
func TestProjections(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	d := &suspects{Names: make([]string, 50)}
	for i := range 300 {
		x := make([]float64, 50)
		for j := range x {
			if x[j] = rng.NormFloat64(); i >= 150 {
				x[j] = d.X[i-150][j] + 0.08*x[j] // r = .997
			}
		}
		d.X, d.IDs = append(d.X, x), append(d.IDs, fmt.Sprint(i))
	}
	d.Features(true)
	found, _ := d.Mistakes(func(int32) int { return 1 })
	if len(found) != 1 || !strings.HasPrefix(found[0], "150 pairs") {
		t.Error(found)
	}
}
