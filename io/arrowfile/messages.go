package arrowfile

import (
	"bytes"
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

// Bounded returns an allocator that panics where a damaged length in a file of that many bytes
// would make Go end the process for lack of memory.
func Bounded(mem memory.Allocator, size int) memory.Allocator {
	return &bounded{mem: mem, left: 64*int64(size) + 1<<30}
}

type bounded struct {
	mem  memory.Allocator
	left int64
}

var errMemory = errors.New("it asks for more memory than a file of its size can need")

func (b *bounded) take(n int) {
	if n < 0 || int64(n) > b.left {
		panic(errMemory)
	}
	b.left -= int64(n)
}

func (b *bounded) Allocate(size int) []byte {
	b.take(size)
	return b.mem.Allocate(size)
}

func (b *bounded) Reallocate(size int, old []byte) []byte {
	b.left += int64(len(old))
	b.take(size)
	return b.mem.Reallocate(size, old)
}

func (b *bounded) Free(old []byte) {
	b.left += int64(len(old))
	b.mem.Free(old)
}

var _ memory.Allocator = (*bounded)(nil)
