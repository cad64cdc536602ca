package arrowio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// messages cuts a stream into its messages and checks each message. It does not copy a stream that is in memory.
type messages struct {
	schema []byte    // message to return first, if the stream begins without a schema
	rest   []byte    // the unread part of a stream that is in memory
	in     io.Reader // reads a stream that is still being written
	marked bool      // set if the stream must end with its end mark
}

// IPCStream returns the messages of a stream, which must end with its end mark.
func IPCStream(data []byte) ipc.MessageReader { return &messages{rest: data, marked: true} }

// IPCPart returns the messages of a stream, which may lack its end mark.
func IPCPart(data []byte) ipc.MessageReader { return &messages{rest: data} }

// IPCIncoming returns the messages of a stream that is still being written and may lack its end mark. A message takes
// at most about twice as much memory as the bytes that have arrived.
func IPCIncoming(in io.Reader) ipc.MessageReader { return &messages{in: in} }

// IPCFile returns the messages of a file's stream. Both arguments come from SplitIPC.
func IPCFile(stream, footer []byte) (_ ipc.MessageReader, err error) {
	first := &messages{rest: stream}
	if meta, err := first.metadata(); err == nil && isSchema(meta) {
		return IPCPart(stream), nil
	}
	m := &messages{rest: stream}
	m.schema, err = schemaMessage(footer)
	return m, err
}

var (
	errCut  = errors.New("a message is longer than the file")
	errTorn = errors.New("the stream is cut off within a message")
)

func (m *messages) Message() (_ *ipc.Message, err error) {
	meta := m.schema
	if m.schema = nil; meta == nil {
		meta, err = m.metadata()
	}
	if err == nil {
		err = checkMessage(meta)
	}
	if err != nil {
		return nil, err
	}
	head := memory.NewBufferBytes(meta)
	body, err := m.need(ipc.NewMessage(head, memory.NewBufferBytes(nil)).BodyLen())
	if err != nil {
		return nil, err
	}
	return ipc.NewMessage(head, memory.NewBufferBytes(body)), nil
}

// metadata returns the metadata of the next message, or io.EOF if there is none.
func (m *messages) metadata() ([]byte, error) {
	length, err := m.take(4)
	if err == io.EOF && m.marked {
		err = errors.New("the stream is cut off: its end mark is missing")
	}
	if err == nil && int32(binary.LittleEndian.Uint32(length)) == -1 { // mark of messages since Arrow 0.15
		length, err = m.need(4)
	}
	if err != nil {
		return nil, err
	}
	size := int32(binary.LittleEndian.Uint32(length))
	switch {
	case size == 0 && len(m.rest) > 8:
		return nil, errors.New("the stream ends before the file")
	case size == 0:
		return nil, io.EOF
	}
	return m.need(int64(size))
}

// need is like take, but at the end of the stream it returns an error other than io.EOF.
func (m *messages) need(n int64) ([]byte, error) {
	b, err := m.take(n)
	switch {
	case err == io.EOF && m.in == nil:
		err = errCut
	case err == io.EOF:
		err = errTorn
	}
	return b, err
}

// take returns the next n bytes of the stream, or io.EOF if the stream has ended.
func (m *messages) take(n int64) ([]byte, error) {
	switch {
	case n < 0:
		return nil, errors.New("a message has a negative length")
	case m.in != nil:
		var b bytes.Buffer
		have, err := io.CopyN(&b, m.in, n)
		if err == io.EOF && have > 0 {
			err = errTorn
		}
		return b.Bytes(), err
	case n > 0 && len(m.rest) == 0:
		return nil, io.EOF
	case n > int64(len(m.rest)):
		return nil, errCut
	}
	b := m.rest[:n]
	m.rest = m.rest[n:]
	return b, nil
}

// Retain and Release do nothing, because the bytes belong to the file or the garbage collector.
func (m *messages) Retain()  {}
func (m *messages) Release() {}

var _ ipc.MessageReader = (*messages)(nil)

// Allocator is Arrow's allocator. Tests replace it to detect unreleased memory.
var Allocator memory.Allocator = memory.DefaultAllocator

// Bounded returns an allocator for reading a file of size bytes. The allocator panics if a damaged file demands far
// more memory than its size allows.
func Bounded(size int) memory.Allocator {
	return &bounded{mem: Allocator, left: 64*int64(size) + 1<<30}
}

type bounded struct {
	mem  memory.Allocator
	left int64
}

var errMemory = errors.New("it needs more memory than a file of its size can need")

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
