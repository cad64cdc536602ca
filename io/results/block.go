package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The blocks of a part. A block is the bytes that one append adds to the file: a
// record batch, the first one after the stream's schema. The first text in its body is
// its mark:
//
//	graphda-block:<length of the block>:<SHA-256>
//
// in hex, the sum taken over the sum of the block before (for the first, 32 zero
// bytes) and this block with the mark's own sum read as zeros. A reader thus knows
// where a block ends and that all of its bytes, and all before it, are those that were
// written, without parsing any.
const (
	blockColumn  = "graphda.block" // holds the mark in the batch's first row, null below
	blockPrefix  = "graphda-block:"
	lengthDigits = 8
	sumDigits    = 2 * sha256.Size
)

// blankBlock is the mark of a block that is not complete yet.
var blankBlock = blockPrefix + strings.Repeat("0", lengthDigits) + ":" + strings.Repeat("0", sumDigits)

type blockSum [sha256.Size]byte

// stampBlock fills in the mark of a block and returns its sum.
func stampBlock(block []byte, before blockSum) (blockSum, error) {
	at := bytes.Index(block, []byte(blankBlock))
	if at < 0 || uint64(len(block)) >= 1<<(4*lengthDigits) {
		return blockSum{}, errors.New("results: a batch of 4 GiB or without its mark")
	}
	at += len(blockPrefix)
	copy(block[at:], fmt.Sprintf("%0*x", lengthDigits, len(block)))
	at += lengthDigits + 1
	sum := sumBlock(block, at, before)
	hex.Encode(block[at:], sum[:])
	return sum, nil
}

// nextBlock returns the length and the sum of the block that data begins with, or
// false if it is torn, damaged or not the next block of this part.
func nextBlock(data []byte, before blockSum) (int, blockSum, bool) {
	at := bytes.Index(data, []byte(blockPrefix))
	if at < 0 || len(data)-at < len(blankBlock) {
		return 0, blockSum{}, false
	}
	at += len(blockPrefix)
	n, err := strconv.ParseUint(string(data[at:at+lengthDigits]), 16, 64)
	at += lengthDigits + 1
	if err != nil || n > uint64(len(data)) || n < uint64(at+sumDigits) {
		return 0, blockSum{}, false
	}
	sum := sumBlock(data[:n], at, before)
	return int(n), sum, hex.EncodeToString(sum[:]) == string(data[at:at+sumDigits])
}

// sumBlock sums a block whose mark has the digits of its sum at the given offset.
func sumBlock(block []byte, at int, before blockSum) (sum blockSum) {
	h := sha256.New()
	h.Write(before[:])
	h.Write(block[:at])
	h.Write([]byte(blankBlock[len(blankBlock)-sumDigits:]))
	h.Write(block[at+sumDigits:])
	h.Sum(sum[:0])
	return sum
}

// soundBlocks returns how many bytes of a part are whole, undamaged blocks.
func soundBlocks(data []byte) int {
	end, sum := 0, blockSum{}
	for {
		n, next, ok := nextBlock(data[end:], sum)
		if !ok {
			return end
		}
		end, sum = end+n, next
	}
}
