package arrowfile

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// messages cuts a stream in memory into its messages without copying, and checks each.
type messages struct {
	schema []byte // the first message, if the stream begins without a schema
	rest   []byte
	framed bool // the stream stands in a file, of which it may fill all before the footer
}

// Stream returns the messages of a stream, which must have the mark of its end.
func Stream(data []byte) ipc.MessageReader { return &messages{rest: data} }

// Part returns the messages of a stream, which may lack the mark of its end.
func Part(data []byte) ipc.MessageReader { return &messages{rest: data, framed: true} }

// File returns the messages of the stream in a file, which Split has given.
func File(stream, footer []byte) (_ ipc.MessageReader, err error) {
	m := &messages{rest: stream, framed: true}
	if meta, _, err := m.cut(); err == nil && isSchema(meta) {
		return m, nil
	}
	m.schema, err = schemaMessage(footer)
	return m, err
}

func (m *messages) Message() (*ipc.Message, error) {
	meta, rest := m.schema, m.rest
	if meta != nil {
		m.schema = nil
	} else {
		var err error
		if meta, rest, err = m.cut(); err != nil {
			return nil, err
		}
	}
	if err := checkMessage(meta); err != nil {
		return nil, err
	}
	buf := memory.NewBufferBytes(meta)
	n := ipc.NewMessage(buf, memory.NewBufferBytes(nil)).BodyLen()
	if n < 0 || n > int64(len(rest)) {
		return nil, errCut
	}
	m.rest = rest[n:]
	return ipc.NewMessage(buf, memory.NewBufferBytes(rest[:n])), nil
}

// cut returns the metadata of the next message and what follows them.
func (m *messages) cut() (meta, rest []byte, err error) {
	if len(m.rest) == 0 && m.framed {
		return nil, nil, io.EOF
	}
	size, rest, err := cutInt32(m.rest)
	if err == nil && size == -1 { // the mark of a message since Arrow 0.15
		size, rest, err = cutInt32(rest)
	}
	switch {
	case err != nil && len(m.rest) == 0:
		return nil, nil, errors.New("the stream is cut off: it does not end with the mark of its end")
	case err != nil:
		return nil, nil, err
	case size == 0 && len(rest) > 8:
		return nil, nil, errors.New("the stream ends before the file")
	case size == 0:
		return nil, nil, io.EOF
	case size < 0 || int(size) > len(rest):
		return nil, nil, errCut
	}
	return rest[:size], rest[size:], nil
}

var errCut = errors.New("a message is longer than the file")

func cutInt32(data []byte) (v int32, rest []byte, err error) {
	if len(data) < 4 {
		return 0, nil, errCut
	}
	return int32(binary.LittleEndian.Uint32(data)), data[4:], nil
}

// Retain and Release have nothing to count: the bytes are the file's.
func (m *messages) Retain()  {}
func (m *messages) Release() {}

var _ ipc.MessageReader = (*messages)(nil)
