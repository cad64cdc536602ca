package samples

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// messages cuts a stream in memory into its messages without copying.
type messages struct {
	rest    []byte
	current *ipc.Message
}

func (m *messages) Message() (*ipc.Message, error) {
	if len(m.rest) == 0 { // a file may end its stream without a mark
		return nil, io.EOF
	}
	size, err := m.int32()
	if err == nil && size == -1 { // the mark of a message since Arrow 0.15
		size, err = m.int32()
	}
	switch {
	case err != nil:
		return nil, err
	case size == 0 && len(m.rest) > 8:
		return nil, errors.New("the stream ends before the footer")
	case size == 0:
		return nil, io.EOF
	case size < 0 || int(size) > len(m.rest):
		return nil, errCut
	}
	if err := checkMessage(m.rest[:size]); err != nil {
		return nil, err
	}
	meta := memory.NewBufferBytes(m.rest[:size])
	m.rest = m.rest[size:]
	n := ipc.NewMessage(meta, memory.NewBufferBytes(nil)).BodyLen()
	if n < 0 || n > int64(len(m.rest)) {
		return nil, errCut
	}
	m.current = ipc.NewMessage(meta, memory.NewBufferBytes(m.rest[:n]))
	m.rest = m.rest[n:]
	return m.current, nil
}

var errCut = errors.New("a message is longer than the file")

func (m *messages) int32() (int32, error) {
	if len(m.rest) < 4 {
		return 0, errCut
	}
	v := int32(binary.LittleEndian.Uint32(m.rest))
	m.rest = m.rest[4:]
	return v, nil
}

// Retain and Release have nothing to count: the bytes are the file's.
func (m *messages) Retain()  {}
func (m *messages) Release() {}

var _ ipc.MessageReader = (*messages)(nil)
