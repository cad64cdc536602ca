package arrowio

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/thrift/lib/go/thrift"
)

// The footer of a Parquet file describes the file in Thrift's compact protocol. Arrow v15 trusts the footer: it
// allocates as many children as a group claims, and follows nested groups to any depth. So a few bad bytes could
// exhaust the memory or overflow the stack. CheckFooter checks the schema before Arrow reads it.

const (
	manyColumns  = 1 << 12
	bytesAColumn = 32 // smallest number of bytes that describe a column in a file
	parquetTail  = 8  // bytes at the end of a file that hold the footer's length and the magic
)

// These are field ids in Parquet's FileMetaData and SchemaElement.
const (
	footerSchema   = 2
	schemaChildren = 5
)

// CheckFooter refuses a footer with more columns than a file of this size can have, or with more than maxDepth levels
// of columns.
func CheckFooter(data []byte) error {
	end := len(data) - parquetTail
	size := int64(binary.LittleEndian.Uint32(data[max(end, 0):]))
	if end < 0 || size > int64(end) {
		return errors.New("its footer is longer than the file")
	}
	children, err := readShape(data[int64(end)-size : end])
	if err != nil {
		return err
	}
	if n, most := len(children), manyColumns+len(data)/bytesAColumn; n > most {
		return fmt.Errorf("it has %d columns in %d bytes, want at most %d in a file of its size", n, len(data), most)
	}
	return checkTree(children)
}

// checkTree checks the tree of columns. children[i] is the number of children of node i. Parents come before children.
func checkTree(children []int64) error {
	var open []int64 // for each group that encloses the current node: how many children are still missing
	for i, n := range children {
		for len(open) > 0 && open[len(open)-1] == 0 {
			open = open[:len(open)-1]
		}
		if i > 0 && len(open) == 0 {
			return fmt.Errorf("its schema has %d columns that belong to no group", len(children)-i)
		}
		if i > 0 {
			open[len(open)-1]--
		}
		if left := int64(len(children) - i - 1); n < 0 || n > left {
			return fmt.Errorf("a group of its schema says %d columns, but has %d", n, left)
		}
		if open = append(open, n); len(open) > maxDepth {
			return fmt.Errorf("its schema is more than %d levels deep", maxDepth)
		}
	}
	return nil
}

// readShape returns the number of children of each element of the schema. Thrift itself refuses a list that is longer
// than the remaining bytes.
func readShape(footer []byte) (children []int64, err error) {
	in := &thrift.TMemoryBuffer{Buffer: bytes.NewBuffer(footer)}
	r := shapeReader{thrift.NewTCompactProtocolConf(in, nil)}
	err = r.fields(func(id int16, kind thrift.TType) (done bool, err error) {
		if id != footerSchema || kind != thrift.LIST {
			return false, r.Skip(background, kind)
		}
		element, n, err := r.ReadListBegin(background)
		for ; n > 0 && err == nil; n-- {
			if element != thrift.STRUCT {
				return true, errors.New("its schema is not a list of columns")
			}
			var below int64
			below, err = r.element()
			children = append(children, below)
		}
		return true, err
	})
	return children, err
}

var background = context.Background()

type shapeReader struct{ thrift.TProtocol }

func (r shapeReader) element() (children int64, err error) {
	err = r.fields(func(id int16, kind thrift.TType) (bool, error) {
		if id != schemaChildren || kind != thrift.I32 {
			return false, r.Skip(background, kind)
		}
		n, err := r.ReadI32(background)
		children = int64(n)
		return false, err
	})
	return children, err
}

// fields calls read for each field of a structure, until read returns true or an error.
func (r shapeReader) fields(read func(id int16, kind thrift.TType) (done bool, err error)) error {
	if _, err := r.ReadStructBegin(background); err != nil {
		return err
	}
	for {
		_, kind, id, err := r.ReadFieldBegin(background)
		if err != nil || kind == thrift.STOP {
			return errors.Join(err, r.ReadStructEnd(background))
		}
		if done, err := read(id, kind); done || err != nil {
			return err
		}
	}
}
