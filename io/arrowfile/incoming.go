package arrowfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// incoming reads the messages of a stream as they come, and checks each.
type incoming struct{ in io.Reader }

// Incoming returns the messages of a stream that is still being written. It may lack the mark of its end. A
// message takes no more memory than about twice the bytes of it that have come.
func Incoming(in io.Reader) ipc.MessageReader { return &incoming{in} }

var errTorn = errors.New("the stream is cut off within a message")

func (m *incoming) Message() (*ipc.Message, error) {
	size, err := m.int32()
	if err == nil && size == -1 { // the mark of a message since Arrow 0.15
		if size, err = m.int32(); err == io.EOF {
			err = errTorn
		}
	}
	switch {
	case err != nil:
		return nil, err
	case size == 0:
		return nil, io.EOF
	case size < 0:
		return nil, errors.New("a message has a negative length")
	}
	meta, err := m.bytes(int64(size))
	if err != nil {
		return nil, err
	}
	if err := checkMessage(meta); err != nil {
		return nil, err
	}
	head := memory.NewBufferBytes(meta)
	n := ipc.NewMessage(head, memory.NewBufferBytes(nil)).BodyLen()
	if n < 0 {
		return nil, errors.New("a message has a negative length")
	}
	body, err := m.bytes(n)
	if err != nil {
		return nil, err
	}
	return ipc.NewMessage(head, memory.NewBufferBytes(body)), nil
}

// int32 reads a length; io.EOF says that the stream has ended before it.
func (m *incoming) int32() (int32, error) {
	var b [4]byte
	_, err := io.ReadFull(m.in, b[:])
	if err == io.ErrUnexpectedEOF {
		err = errTorn
	}
	return int32(binary.LittleEndian.Uint32(b[:])), err
}

func (m *incoming) bytes(n int64) ([]byte, error) {
	var b bytes.Buffer
	_, err := io.CopyN(&b, m.in, n)
	if err == io.EOF {
		err = errTorn
	}
	return b.Bytes(), err
}

// Retain and Release have nothing to count: the bytes are the garbage collector's.
func (m *incoming) Retain()  {}
func (m *incoming) Release() {}

var _ ipc.MessageReader = (*incoming)(nil)
