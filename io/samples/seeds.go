package samples

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
)

// TrialRandom returns the random numbers of one trial of a dataset. They come from a hash of the seed, the dataset's
// name and the trial, and depend on nothing else: trial 7 is the same whether or not trial 6 was drawn.
func TrialRandom(seed uint64, dataset string, trial int) *rand.Rand {
	return PartRandom(seed, dataset, strconv.Itoa(trial))
}

// PartRandom returns the random numbers of a part of a dataset that all its trials have in common.
// The part's name is no number.
func PartRandom(seed uint64, dataset, part string) *rand.Rand {
	h := sha256.Sum256(fmt.Appendf(nil, "graphda %d %s %s", seed, part, dataset))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])))
}
