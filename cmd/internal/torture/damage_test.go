package torture

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// A damaged is a damaged content, and what was done to it.
type damaged struct {
	what    string
	content []byte
}

// damages are the faults that disks, copies and other programs make in a file, each at a given place.
var damages = []func(rng *rand.Rand, c []byte, at int) damaged{
	func(rng *rand.Rand, c []byte, at int) damaged {
		bit := rng.IntN(8)
		c[at] ^= 1 << bit
		return damaged{fmt.Sprintf("bit %d of byte %d flipped", bit, at), c}
	},
	func(_ *rand.Rand, c []byte, at int) damaged {
		return damaged{fmt.Sprintf("cut at byte %d of %d", at, len(c)), c[:at]}
	},
	func(rng *rand.Rand, c []byte, at int) damaged {
		n := min(1+rng.IntN(64), len(c)-at)
		for k := range n {
			c[at+k] = byte(rng.IntN(256))
		}
		return damaged{fmt.Sprintf("%d random bytes at %d", n, at), c}
	},
	func(rng *rand.Rand, c []byte, at int) damaged {
		n := min(1+rng.IntN(4096), len(c)-at)
		return damaged{fmt.Sprintf("%d bytes cut out at %d", n, at), append(c[:at], c[at+n:]...)}
	},
	func(_ *rand.Rand, c []byte, at int) damaged { // a sector that was never written
		n := min(512, len(c)-at)
		clear(c[at : at+n])
		return damaged{fmt.Sprintf("%d zeros at %d", n, at), c}
	},
	func(rng *rand.Rand, c []byte, at int) damaged { // a block that was written twice
		n := min(1+rng.IntN(512), len(c)-at)
		return damaged{fmt.Sprintf("%d bytes at %d doubled", n, at), append(c[:at+n:at+n], c[at:]...)}
	},
	func(rng *rand.Rand, c []byte, at int) damaged { // a very large size, as a varint and as an integer
		large := [][]byte{
			{0xff, 0xff, 0xff, 0xff, 0x0f}, {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
			{0xff, 0xff, 0xff, 0x7f}, {0, 0, 0, 0, 0xff, 0, 0, 0},
		}[rng.IntN(4)]
		n := copy(c[at:], large)
		return damaged{fmt.Sprintf("% x written at %d", large[:n], at), c}
	},
	func(_ *rand.Rand, c []byte, at int) damaged { // a very large size as text
		digits := "99999999999"
		return damaged{fmt.Sprintf("digits put in at %d", at), append(c[:at:at], digits+string(c[at:])...)}
	},
}

// damage applies one of damages to a copy of content. Files have their structure at both ends, so half of the
// damages are there.
func damage(rng *rand.Rand, content []byte) damaged {
	const ends = 700
	at := rng.IntN(len(content))
	switch rng.IntN(4) {
	case 0:
		at = len(content) - 1 - rng.IntN(min(ends, len(content)))
	case 1:
		at = rng.IntN(min(ends, len(content)))
	}
	return damages[rng.IntN(len(damages))](rng, bytes.Clone(content), at)
}
