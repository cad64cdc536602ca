package samples

import "testing"

// Random numbers of trials and of what they share are told apart, and from other seeds.
func TestRandomNumbersDiffer(t *testing.T) {
	seen := map[uint64]string{}
	see := func(what string, v uint64) {
		if other, ok := seen[v]; ok {
			t.Errorf("%s has the numbers of %s", what, other)
		}
		seen[v] = what
	}
	for _, dataset := range []string{"kegg-1", "kegg-2", "graph01-mu0.3"} {
		for _, seed := range []uint64{0, 1, 11} {
			for _, part := range []string{"null", "delta"} {
				see(dataset+" "+part, PartRand(seed, dataset, part).Uint64())
			}
			for trial := range 20 {
				see(dataset, TrialRand(seed, dataset, trial).Uint64())
			}
		}
	}
}

// The numbers of datasets that were drawn before stay what they were.
func TestRandomNumbersStay(t *testing.T) {
	if got, want := TrialRand(1, "graph01-mu0.3", 7).Uint64(), uint64(851925781892062129); got != want {
		t.Errorf("the first number is %d, want %d", got, want)
	}
	if got, want := PartRand(1, "kegg-1", "delta").Uint64(), uint64(9367179981795332786); got != want {
		t.Errorf("the first number is %d, want %d", got, want)
	}
}
