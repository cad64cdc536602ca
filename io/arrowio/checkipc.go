package arrowio

import (
	"encoding/binary"
	"errors"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// Arrow describes its messages in FlatBuffers. Arrow v15 allocates as many elements as a vector claims to have. If a
// damaged file claims more than fits in memory, the process crashes. So checkMessage checks the vectors first. Like
// Arrow, it panics if an offset points outside the message.

const maxDepth = 64 // the largest number of levels of nested fields

var errVector = errors.New("a list in the metadata is longer than the metadata")

// These are positions of fields in the tables of Arrow's Message.fbs and Schema.fbs.
const (
	messageHeaderType, messageHeader = 1, 2
	schemaFields, schemaMetadata     = 1, 2
	fieldTypeID, fieldType           = 2, 3
	fieldChildren, fieldMetadata     = 5, 6
	unionTypeIDs                     = 1
	batchBuffers, batchVariadic      = 2, 4
	dictionaryData                   = 1

	footerSchemaField = 1 // position of the field "schema" in the table "Footer" of File.fbs

	headerSchema, headerDictionary, headerBatch = 1, 2, 3
	typeUnion                                   = 14
)

func checkMessage(meta []byte) error {
	message := rootTable(meta)
	header, ok := message.table(messageHeader)
	if !ok {
		return errors.New("a message has no header")
	}
	switch message.byte(messageHeaderType) {
	case headerSchema:
		budget := len(meta) / 4 // largest number of fields, because vectors of a damaged file may overlap
		return errors.Join(checkFields(header, schemaFields, &budget, 1), header.check(schemaMetadata, 4))
	case headerDictionary:
		if batch, ok := header.table(dictionaryData); ok {
			return checkBatch(batch)
		}
	case headerBatch:
		return checkBatch(header)
	}
	return nil
}

func checkFields(t flatTable, slot int, budget *int, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("its schema is more than %d levels deep", maxDepth)
	}
	start, n, err := t.vector(slot, 4)
	if err != nil {
		return err
	}
	if *budget -= n; *budget < 0 {
		return errVector
	}
	for i := range n {
		field := flatTable{flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(flatbuffers.UOffsetT(start + 4*i))}}
		err := errors.Join(checkFields(field, fieldChildren, budget, depth+1), field.check(fieldMetadata, 4))
		if union, ok := field.table(fieldType); ok && field.byte(fieldTypeID) == typeUnion {
			err = errors.Join(err, union.check(unionTypeIDs, 4))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkBatch checks that a batch has as many buffers as its columns need.
func checkBatch(t flatTable) error {
	_, buffers, err := t.vector(batchBuffers, 16)
	if err != nil {
		return err
	}
	start, n, err := t.vector(batchVariadic, 8)
	for i := range n {
		if binary.LittleEndian.Uint64(t.Bytes[start+8*i:]) > uint64(buffers) {
			return errVector
		}
	}
	return err
}

func isSchema(meta []byte) bool {
	message := rootTable(meta)
	return message.byte(messageHeaderType) == headerSchema
}

// schemaMessage turns the schema in a footer into a message, for a stream that does not begin with a schema.
func schemaMessage(footer []byte) ([]byte, error) {
	const (
		root, vtable, table, size = 0, 4, 16, 32 // positions in the message; the footer is at position size
		version, kind, header     = table + 8, table + 10, table + 4
		version5                  = 4
	)
	file := rootTable(footer)
	schema, ok := file.table(footerSchemaField)
	if !ok {
		return nil, errors.New("it has no schema, neither at its beginning nor in its footer")
	}
	m := append(make([]byte, size), footer...)
	le := binary.LittleEndian
	le.PutUint32(m[root:], table)
	for i, v := range []uint16{10, size - table, version - table, kind - table, header - table} {
		le.PutUint16(m[vtable+2*i:], v)
	}
	le.PutUint32(m[table:], table-vtable)
	le.PutUint32(m[header:], size+uint32(schema.Pos)-header)
	le.PutUint16(m[version:], version5)
	m[kind] = headerSchema
	return m, nil
}

// A flatTable is a FlatBuffers table. It follows offsets in the same way as the Arrow library.
type flatTable struct{ flatbuffers.Table }

func rootTable(data []byte) flatTable {
	return flatTable{flatbuffers.Table{Bytes: data, Pos: flatbuffers.GetUOffsetT(data)}}
}

// slot returns the position of a field's value in the table, or 0 if the table lacks the field.
func (t *flatTable) slot(field int) flatbuffers.UOffsetT {
	return flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*field)))
}

func (t *flatTable) byte(field int) byte {
	if at := t.slot(field); at > 0 {
		return t.GetByte(t.Pos + at)
	}
	return 0
}

func (t *flatTable) table(field int) (of flatTable, ok bool) {
	at := t.slot(field)
	if at > 0 {
		t.Union(&of.Table, at)
	}
	return of, at > 0
}

// vector returns the start and the number of a field's elements, which have the given size.
func (t *flatTable) vector(field, size int) (start, n int, err error) {
	at := t.slot(field)
	if at == 0 {
		return 0, 0, nil
	}
	start, n = int(t.Vector(at)), t.VectorLen(at)
	if n > (len(t.Bytes)-start)/size {
		return 0, 0, errVector
	}
	return start, n, nil
}

func (t *flatTable) check(field, size int) error {
	_, _, err := t.vector(field, size)
	return err
}
