package simulate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
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

func TestRefuse(t *testing.T) {
	images := func(path string) error { _, err := readImages(path); return err }
	labels := func(path string) error { _, err := readLabels(path); return err }
	for name, c := range map[string]struct {
		read func(string) error
		data []byte
		want string
	}{
		"empty":           {images, nil, "ends at byte 0, want a header of 16 bytes"},
		"header cut":      {images, twoImages[:11], "ends at byte 11, want a header of 16 bytes"},
		"magic cut":       {labels, threeLabels[:3], "ends at byte 3, want a header of 8 bytes"},
		"labels":          {images, threeLabels, "is an IDX file of labels, want one of images"},
		"images":          {labels, twoImages, "is an IDX file of images, want one of labels"},
		"text":            {images, []byte("0,1,2,3"), "begins with 0x302c312c, want 0x00000803, an IDX file of images"},
		"floats":          {images, file([]uint32{0xd03, 1, 1, 1}, 0), "begins with 0x00000d03, want 0x00000803"},
		"no images":       {images, file([]uint32{0x803, 0, 28, 28}), "byte 4: 0 images, want at least 1"},
		"no columns":      {images, file([]uint32{0x803, 1, 28, 0}), "byte 12: 0 columns, want at least 1"},
		"no labels":       {labels, file([]uint32{0x801, 0}), "byte 4: 0 labels, want at least 1"},
		"absurd":          {images, file([]uint32{0x803, 60000, 65536, 28}), "byte 8: 65536 rows, want at least 1 and at most 2147483648 bytes of data in all"},
		"overflow":        {images, file([]uint32{0x803, 0xffffffff, 0xffffffff, 0xffffffff}), "byte 4: 4294967295 images"},
		"pixels cut":      {images, twoImages[:27], "ends at byte 27, want 28 bytes for 2 images of 2 × 3 pixels"},
		"no pixels":       {images, twoImages[:16], "ends at byte 16, want 28 bytes"},
		"labels cut":      {labels, threeLabels[:10], "ends at byte 10, want 11 bytes for 3 labels"},
		"trailing":        {images, append(slices.Clone(twoImages), 0), "has more bytes after byte 28, where its 2 images of 2 × 3 pixels end"},
		"trailing labels": {labels, append(slices.Clone(threeLabels), 0), "has more bytes after byte 11, where its 3 labels end"},
	} {
		for _, data := range [][]byte{c.data, sealtest.Gzip(c.data)} {
			path := write(t, data)
			err := c.read(path)
			if err == nil || !strings.HasPrefix(err.Error(), path+": "+c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: error %v, want %q", name, err, c.want)
			}
		}
	}
	whole := sealtest.Gzip(twoImages)
	if err := images(write(t, whole[:len(whole)-5])); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "cut off after 28 bytes") {
		t.Errorf("a truncated gzip file: error %v", err)
	}
	if err := images("absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: error %v", err)
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
