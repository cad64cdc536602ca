package samples

import (
	"encoding/binary"
	"errors"
)

// Arrow describes its messages in FlatBuffers, and Arrow v15 makes slices as long as a
// vector there says it is: after damage, longer than any memory, which ends the process.
// checkMessage looks at the vectors first. It panics where an offset leaves the message,
// as Arrow would.

var errVector = errors.New("a list in the metadata is longer than the metadata")

// Places of fields in the tables of Arrow's Message.fbs and Schema.fbs.
const (
	messageHeaderType, messageHeader = 1, 2
	schemaFields, schemaMetadata     = 1, 2
	fieldTypeID, fieldType           = 2, 3
	fieldChildren, fieldMetadata     = 5, 6
	unionTypeIDs                     = 1
	batchBuffers, batchVariadic      = 2, 4
	dictionaryData                   = 1

	headerSchema, headerDictionary, headerBatch = 1, 2, 3
	typeUnion                                   = 14
)

func checkMessage(meta []byte) error {
	message := flatTable{meta, int(binary.LittleEndian.Uint32(meta))}
	header, ok := message.table(messageHeader)
	if !ok {
		return errors.New("a message has no header")
	}
	switch message.byte(messageHeaderType) {
	case headerSchema:
		budget := len(meta) / 4 // of fields: vectors that overlap after damage must not multiply
		return errors.Join(checkFields(header, schemaFields, &budget), header.check(schemaMetadata, 4))
	case headerDictionary:
		if batch, ok := header.table(dictionaryData); ok {
			return checkBatch(batch)
		}
	case headerBatch:
		return checkBatch(header)
	}
	return nil
}

func checkFields(t flatTable, slot int, budget *int) error {
	start, n, err := t.vector(slot, 4)
	if err != nil {
		return err
	}
	if *budget -= n; *budget < 0 {
		return errVector
	}
	for i := range n {
		at := start + 4*i
		field := flatTable{t.data, at + t.offset(at)}
		err := errors.Join(checkFields(field, fieldChildren, budget), field.check(fieldMetadata, 4))
		if union, ok := field.table(fieldType); ok && field.byte(fieldTypeID) == typeUnion {
			err = errors.Join(err, union.check(unionTypeIDs, 4))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkBatch sees to it that no column of a batch asks for more buffers than there are.
func checkBatch(t flatTable) error {
	_, buffers, err := t.vector(batchBuffers, 16)
	if err != nil {
		return err
	}
	start, n, err := t.vector(batchVariadic, 8)
	for i := range n {
		if binary.LittleEndian.Uint64(t.data[start+8*i:]) > uint64(buffers) {
			return errVector
		}
	}
	return err
}

// A flatTable is a FlatBuffers table: its place in the data.
type flatTable struct {
	data []byte
	at   int
}

// slot returns the place of a field's value, or 0 if the table does not have the field.
func (t flatTable) slot(field int) int {
	vtable := t.at - int(int32(binary.LittleEndian.Uint32(t.data[t.at:])))
	entry := 4 + 2*field
	if entry >= int(binary.LittleEndian.Uint16(t.data[vtable:])) {
		return 0
	}
	if o := int(binary.LittleEndian.Uint16(t.data[vtable+entry:])); o > 0 {
		return t.at + o
	}
	return 0
}

func (t flatTable) offset(at int) int { return int(binary.LittleEndian.Uint32(t.data[at:])) }

func (t flatTable) byte(field int) byte {
	if at := t.slot(field); at > 0 {
		return t.data[at]
	}
	return 0
}

func (t flatTable) table(field int) (flatTable, bool) {
	at := t.slot(field)
	if at == 0 {
		return flatTable{}, false
	}
	return flatTable{t.data, at + t.offset(at)}, true
}

// vector returns where a field's elements of the given size begin and how many they are.
func (t flatTable) vector(field, size int) (start, n int, err error) {
	at := t.slot(field)
	if at == 0 {
		return 0, 0, nil
	}
	at += t.offset(at)
	n = t.offset(at)
	if n > (len(t.data)-at-4)/size {
		return 0, 0, errVector
	}
	return at + 4, n, nil
}

func (t flatTable) check(field, size int) error {
	_, _, err := t.vector(field, size)
	return err
}
