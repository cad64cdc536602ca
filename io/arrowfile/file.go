package arrowfile

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/apache/arrow/go/v15/arrow/ipc"
)

const (
	headSize = 8     // magic and padding
	tailSize = 4 + 6 // the footer's length and magic
)

// EndMark ends a stream.
var EndMark = []byte{0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}

// IsStream tells whether data, or what there is of a message's mark, begins as a stream.
func IsStream(data []byte) bool { return bytes.HasPrefix(data, EndMark[:min(4, len(data))]) }

// IsFile tells whether data begins and ends as a file.
func IsFile(data []byte) bool {
	return len(data) >= headSize+tailSize && bytes.HasPrefix(data, ipc.Magic) && bytes.HasSuffix(data, ipc.Magic)
}

// Split returns the stream and the footer of a file or of a file's end; of an end that holds no
// more than the footer the stream is not to be used.
func Split(data []byte) (stream, footer []byte, err error) {
	if len(data) < headSize+tailSize || !bytes.HasSuffix(data, ipc.Magic) {
		return nil, nil, errors.New("not an Arrow file")
	}
	end := len(data) - tailSize
	size := int64(binary.LittleEndian.Uint32(data[end:]))
	if size > int64(end-headSize) {
		return nil, nil, errors.New("its footer is longer than the file")
	}
	return data[headSize : end-int(size)], data[end-int(size) : end], nil
}
