package simulate

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
)

// source returns the random numbers of one trial of a dataset. They depend on nothing
// else: trial 7 is the same whether or not trial 6 was drawn.
func source(seed uint64, dataset string, trial int) *rand.Rand {
	return shared(seed, dataset, strconv.Itoa(trial))
}

// shared returns the random numbers of a part of a dataset that all its trials have in
// common. The part's name is no number.
func shared(seed uint64, dataset, part string) *rand.Rand {
	h := sha256.Sum256(fmt.Appendf(nil, "graphda %d %s %s", seed, part, dataset))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])))
}
