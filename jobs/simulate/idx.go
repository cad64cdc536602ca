package simulate

import (
	"encoding/binary"
	"fmt"
	"io"

	"graphda/io/safefile"
)

// mostBytes is the largest size of a file's data, because a damaged header could claim any size.
const mostBytes = 1 << 31

type imageSet struct {
	N, Rows, Cols int
	Pixels        []uint8 // image by image, then row by row
}

// image returns the pixels of image i, row by row, without a copy.
func (m *imageSet) image(i int) []uint8 {
	size := m.Rows * m.Cols
	return m.Pixels[i*size : (i+1)*size : (i+1)*size]
}

func readImages(path string) (*imageSet, error) {
	data, dims, err := readIDX(path, imageFile)
	if err != nil {
		return nil, err
	}
	return &imageSet{N: dims[0], Rows: dims[1], Cols: dims[2], Pixels: data}, nil
}

func readLabels(path string) ([]uint8, error) {
	data, _, err := readIDX(path, labelFile)
	return data, err
}

// An idxKind is a kind of IDX file (Y. LeCun, C. Cortes, C. Burges, The MNIST database of handwritten digits). A file
// may be compressed with gzip. Its bytes are:
//
//	bytes    images             labels
//	0-3      0x00000803         0x00000801    unsigned bytes, three dimensions or one
//	4-7      number of images   number of labels
//	8-11     rows
//	12-15    columns
//	then     pixels, row by row, 0 to 255     labels
//
// Numbers have 32 bits, highest byte first. Offsets in errors refer to the uncompressed content.
type idxKind struct {
	magic uint32
	what  string
	dims  []string
}

var (
	imageFile = idxKind{0x803, "images", []string{"images", "rows", "columns"}}
	labelFile = idxKind{0x801, "labels", []string{"labels"}}
)

// readIDX reads an IDX file, which must be of the kind k.
func readIDX(path string, k idxKind) (data []byte, dims []int, err error) {
	r, err := safefile.OpenUnpacked(path)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	size := 4 * (1 + len(k.dims))
	header, err := io.ReadAll(io.LimitReader(r, int64(size))) // needs no more memory than the file's size
	if err != nil {
		return nil, nil, err
	}
	if len(header) >= 4 {
		if err := k.checkMagic(binary.BigEndian.Uint32(header)); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if len(header) < size {
		return nil, nil, fmt.Errorf("%s: ends at byte %d, want a header of %d bytes", path, len(header), size)
	}
	total := 1
	for i, name := range k.dims {
		n := binary.BigEndian.Uint32(header[4*(i+1):])
		if n == 0 || int64(n) > mostBytes/int64(total) {
			return nil, nil, fmt.Errorf("%s: byte %d: %d %s, want at least 1 and at most %d bytes of data in all", path, 4*(i+1),
				n, name, mostBytes)
		}
		total *= int(n)
		dims = append(dims, int(n))
	}
	data, err = io.ReadAll(io.LimitReader(r, int64(total)+1))
	switch {
	case err != nil:
		return nil, nil, err
	case len(data) < total:
		return nil, nil, fmt.Errorf("%s: ends at byte %d, want %d bytes for %s", path, size+len(data), size+total,
			k.describe(dims))
	case len(data) > total:
		return nil, nil, fmt.Errorf("%s: has more bytes after byte %d, where its %s end", path, size+total, k.describe(dims))
	}
	return data, dims, nil
}

func (k idxKind) checkMagic(magic uint32) error {
	if magic == k.magic {
		return nil
	}
	for _, other := range []idxKind{imageFile, labelFile} {
		if magic == other.magic {
			return fmt.Errorf("is an IDX file of %s, want one of %s", other.what, k.what)
		}
	}
	return fmt.Errorf("begins with 0x%08x, want 0x%08x, an IDX file of %s", magic, k.magic, k.what)
}

func (k idxKind) describe(dims []int) string {
	if len(dims) == 3 {
		return fmt.Sprintf("%d images of %d × %d pixels", dims[0], dims[1], dims[2])
	}
	return fmt.Sprintf("%d %s", dims[0], k.what)
}
