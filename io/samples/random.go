package samples

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
)

// TrialRand returns the random numbers for drawing a trial of a dataset. They depend only on the arguments.
func TrialRand(seed uint64, dataset string, trial int) *rand.Rand {
	return PartRand(seed, dataset, strconv.Itoa(trial))
}

// PartRand returns the random numbers for a part that all trials share. The part's name must not be a number.
func PartRand(seed uint64, dataset, part string) *rand.Rand {
	h := sha256.Sum256(fmt.Appendf(nil, "graphda %d %s %s", seed, part, dataset))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])))
}
