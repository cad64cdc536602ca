package gzfile

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"
)

// FuzzReader: what does not begin as gzip is read as it is; what does is an error, or the same
// as the standard library reads. Compressed, any content is read back.
func FuzzReader(f *testing.F) {
	whole := compress(f, "some content")
	for _, data := range [][]byte{nil, []byte("plain"), whole, whole[:len(whole)-3], append(whole[:len(whole):len(whole)], whole...), {0x1f, 0x8b}} {
		f.Add(data)
	}
	const most = 1 << 20
	f.Fuzz(func(t *testing.T, data []byte) {
		var got []byte
		r, err := newReader("f", bytes.NewReader(data))
		if err == nil {
			got, err = io.ReadAll(io.LimitReader(r, most))
		}
		if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
			if err != nil || !bytes.Equal(got, data) {
				t.Fatalf("plain content: %d bytes, %v, want %d", len(got), err, len(data))
			}
		} else if z, bad := gzip.NewReader(bytes.NewReader(data)); bad == nil {
			if want, bad := io.ReadAll(io.LimitReader(z, most)); (bad == nil) != (err == nil) || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, %v, want %d, %v", len(got), err, len(want), bad)
			}
		} else if err == nil {
			t.Fatalf("no error, want %v", bad)
		}
		r, err = newReader("f", bytes.NewReader(compress(t, string(data))))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("compressed: %d bytes, %v, want %d", len(got), err, len(data))
		}
	})
}
