package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"

	"graphda/io/columnar"
)

// A Trained identifies the samples that a model learned from. A sample's digest has four bytes for its id and four
// bytes for its measured values.
type Trained struct {
	Features []string `json:"features"` // the features whose values are in the digests
	Digests  []byte   `json:"digests"`  // eight bytes for each sample, ascending
}

const trainedKey = "trained"

const digestSize = 8

// Digest returns the digest of a sample. It compares values as 32-bit numbers, so a table may be saved in single
// precision. All missing values are equal.
func Digest(id string, values []float64) (d [digestSize]byte) {
	name, all := sha256.Sum256([]byte(id)), sha256.New()
	for _, v := range values {
		bits := math.Float32bits(float32(v))
		if v == 0 {
			bits = 0 // so that −0 has the same digest as 0
		} else if v != v {
			bits = math.Float32bits(float32(math.NaN()))
		}
		_ = binary.Write(all, binary.LittleEndian, bits) // a hash returns no error
	}
	copy(d[:], append(name[:digestSize/2], all.Sum(nil)[:digestSize/2]...))
	return d
}

// NewTrained returns a Trained of samples with these digests.
func NewTrained(features []string, digests [][digestSize]byte) *Trained {
	t := &Trained{Features: features}
	slices.SortFunc(digests, func(a, b [digestSize]byte) int { return bytes.Compare(a[:], b[:]) })
	for _, d := range digests {
		t.Digests = append(t.Digests, d[:]...)
	}
	return t
}

// Has reports whether the model learned from a sample with this digest, and whether it learned from a sample with the
// same id. A nil Trained has no samples.
func (t *Trained) Has(digest [digestSize]byte) (sample, id bool) {
	if t == nil {
		return false, false
	}
	low, high := 0, len(t.Digests)/digestSize
	at := func(k int) []byte { return t.Digests[k*digestSize : (k+1)*digestSize] }
	for low < high {
		if middle := (low + high) / 2; bytes.Compare(at(middle), digest[:digestSize/2]) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for ; low < len(t.Digests)/digestSize && bytes.HasPrefix(at(low), digest[:digestSize/2]); low++ {
		sample, id = sample || bytes.Equal(at(low), digest[:]), true
	}
	return sample, id
}

// Values returns the digests of the training samples' values, without ids. It returns nil if values cannot identify
// samples: if there are few samples, or if many samples share values.
func (t *Trained) Values() map[[digestSize / 2]byte]bool {
	const few = 20
	if t == nil || len(t.Digests) < few*digestSize {
		return nil
	}
	values := map[[digestSize / 2]byte]bool{}
	for d := range slices.Chunk(t.Digests, digestSize) {
		values[[digestSize / 2]byte(d[digestSize/2:])] = true
	}
	if n := len(t.Digests) / digestSize; 50*(n-len(values)) > n {
		return nil
	}
	return values
}

// tell stores t in the metadata. If t is nil, it does nothing.
func (t *Trained) tell(metadata map[string]string) error {
	if t == nil {
		return nil
	}
	text, err := json.Marshal(t)
	metadata[trainedKey] = string(text)
	return err
}

// readTrained reads a Trained. It returns nil for a file of an older version, which has none.
func readTrained(f *columnar.File) (*Trained, error) {
	text, told := f.Metadata[trainedKey]
	if !told {
		return nil, nil
	}
	t := &Trained{}
	if err := json.Unmarshal([]byte(text), t); err != nil || len(t.Digests)%digestSize != 0 ||
		!slices.IsSortedFunc(slices.Collect(slices.Chunk(t.Digests, digestSize)), bytes.Compare) {
		return nil, f.Bad("", "its metadata about training samples cannot be read: %d bytes, %v", len(t.Digests), err)
	}
	return t, nil
}
