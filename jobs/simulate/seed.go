package simulate

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// source returns the random numbers of one trial of a dataset. They depend on nothing
// else: trial 7 is the same whether or not trial 6 was drawn.
func source(seed uint64, dataset string, trial int) *rand.Rand {
	h := sha256.Sum256(fmt.Appendf(nil, "graphda %d %d %s", seed, trial, dataset))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])))
}
