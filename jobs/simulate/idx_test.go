package simulate

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"

	"graphda/io/seal/sealtest"
)

// file returns the bytes of a file: a header of 32-bit numbers, then data.
func file(header []uint32, data ...byte) []byte {
	var b []byte
	for _, n := range header {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return append(b, data...)
}

var (
	twoImages   = file([]uint32{0x803, 2, 2, 3}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255)
	threeLabels = file([]uint32{0x801, 3}, 7, 0, 9)
)

func write(tb testing.TB, data []byte) string { return sealtest.File(tb, "file.gz", data) }

func TestRead(t *testing.T) {
	for _, pack := range []func([]byte) []byte{slices.Clone[[]byte], sealtest.Gzip[[]byte]} {
		m, err := readImages(write(t, pack(twoImages)))
		if err != nil {
			t.Fatal(err)
		}
		if m.N != 2 || m.Rows != 2 || m.Cols != 3 || !bytes.Equal(m.image(0), []byte{1, 2, 3, 4, 5, 6}) || !bytes.Equal(m.image(1), []byte{7, 8, 9, 10, 11, 255}) {
			t.Errorf("images %+v", m)
		}
		labels, err := readLabels(write(t, pack(threeLabels)))
		if err != nil || !bytes.Equal(labels, []byte{7, 0, 9}) {
			t.Errorf("labels %v, error %v", labels, err)
		}
	}
}

// A header may promise any size. Memory is allocated only for data that exist.
func TestMemoryFollowsData(t *testing.T) {
	path := write(t, file([]uint32{0x803, 2000, 1000, 1000}, 1, 2, 3))
	var err error
	n := sealtest.Allocated(func() { _, err = readImages(path) })
	if err == nil || !strings.Contains(err.Error(), "ends at byte 19, want 2000000016") {
		t.Errorf("error %v", err)
	}
	if n > 1<<20 {
		t.Errorf("%d bytes were allocated for a file of 19", n)
	}
}

// If a file is read without an error, all of it was read, and nothing else.
func FuzzImages(f *testing.F) {
	f.Add(twoImages)
	f.Add(threeLabels)
	f.Add(twoImages[:20])
	f.Add(file([]uint32{0x803, 0xffffffff, 2, 0x80000000}))
	path := write(f, nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasPrefix(data, []byte("\x1f\x8b")) || os.WriteFile(path, data, 0o666) != nil {
			return
		}
		if m, err := readImages(path); err == nil {
			if back := file([]uint32{0x803, uint32(m.N), uint32(m.Rows), uint32(m.Cols)}, m.Pixels...); !bytes.Equal(back, data) {
				t.Errorf("%x is read as %+v", data, m)
			}
			m.image(m.N - 1)
		}
		if labels, err := readLabels(path); err == nil {
			if back := file([]uint32{0x801, uint32(len(labels))}, labels...); !bytes.Equal(back, data) {
				t.Errorf("%x is read as %v", data, labels)
			}
		}
	})
}
