package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"graphda/io/arrowio"
	"graphda/io/safefile"
	"graphda/io/seal"
)

const (
	partSuffix = ".arrows.part"

	partRows  = 4096            // largest number of pending rows
	partDelay = 2 * time.Second // a killed attempt loses at most this much work
)

// A part is a sequence of blocks, each with a record batch. The first block begins with the stream's schema. The first
// text in the batch is the mark of the block:
//
//	graphda-block:<length of the block>:<SHA-256>
//
// Length and sum are in hex. The sum covers the previous block's sum (32 zero bytes for the first block) and this
// block, whose mark has zeros instead of the sum. So a reader can find and verify a block without parsing it.
const (
	blockPrefix  = "graphda-block:"
	lengthDigits = 8
	sumDigits    = 2 * sha256.Size
)

// blankBlock is the mark of an incomplete block.
var blankBlock = blockPrefix + strings.Repeat("0", lengthDigits) + ":" + strings.Repeat("0", sumDigits)

type blockSum [sha256.Size]byte

// stampBlock fills in a block's mark and returns its sum.
func stampBlock(block []byte, before blockSum) (blockSum, error) {
	at := bytes.Index(block, []byte(blankBlock))
	if at < 0 || uint64(len(block)) >= 1<<(4*lengthDigits) {
		return blockSum{}, errors.New("results: a batch of 4 GiB or without its mark")
	}
	at += len(blockPrefix)
	copy(block[at:], fmt.Sprintf("%0*x", lengthDigits, len(block)))
	at += lengthDigits + 1
	sum := sumBlock(block, at, before)
	hex.Encode(block[at:], sum[:])
	return sum, nil
}

// nextBlock returns the length and the sum of the first block in data. It returns false if the block is torn or
// damaged, or if the previous block does not have the sum `before`.
func nextBlock(data []byte, before blockSum) (int, blockSum, bool) {
	at := bytes.Index(data, []byte(blockPrefix))
	if at < 0 || len(data)-at < len(blankBlock) {
		return 0, blockSum{}, false
	}
	at += len(blockPrefix)
	n, err := strconv.ParseUint(string(data[at:at+lengthDigits]), 16, 64)
	at += lengthDigits + 1
	if err != nil || n > uint64(len(data)) || n < uint64(at+sumDigits) {
		return 0, blockSum{}, false
	}
	sum := sumBlock(data[:n], at, before)
	return int(n), sum, hex.EncodeToString(sum[:]) == string(data[at:at+sumDigits])
}

// sumBlock returns the sum of a block. The digits of the sum begin at block[at].
func sumBlock(block []byte, at int, before blockSum) (sum blockSum) {
	h := sha256.New()
	h.Write(before[:])
	h.Write(block[:at])
	h.Write([]byte(blankBlock[len(blankBlock)-sumDigits:]))
	h.Write(block[at+sumDigits:])
	h.Sum(sum[:0])
	return sum
}

// A Part is the file to which one attempt appends finished rows. It is safe for concurrent use.
type Part struct {
	mu      sync.Mutex
	file    *os.File
	layout  Layout
	columns []Field
	now     func() time.Time

	rows    *array.RecordBuilder // pending rows; the first column holds the marks
	pending int
	last    time.Time // time of the last append to the file

	encoder *ipc.Writer
	encoded bytes.Buffer // the encoder's output for the current block
	begun   bool
	sum     blockSum
	err     error // error of the first failed append
}

// CreatePart creates the part of an attempt at a task in dir, and dir if it does not exist. The attempt's name may be
// any text: in the file name, characters other than letters, digits and - become -. If the file exists, CreatePart
// appends -2, -3 and so on.
func CreatePart(dir string, task int, attempt string, layout Layout) (*Part, error) {
	if err := layout.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	f, err := createNumbered(filepath.Join(dir, taskName(task)+"."+safeName(attempt)), partSuffix)
	if err != nil {
		return nil, err
	}
	if err := seal.SyncDir(dir); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return NewPart(f, layout)
}

// NewPart returns a part in an empty file. Close closes the file.
func NewPart(f *os.File, layout Layout) (*Part, error) {
	if err := layout.Validate(); err != nil {
		return nil, err
	}
	p := &Part{file: f, layout: layout, columns: Fields(layout), now: time.Now, last: time.Now()}
	schema := partSchema(layout)
	p.rows = array.NewRecordBuilder(arrowio.Allocator, schema)
	p.encoder = ipc.NewWriter(&p.encoded, ipc.WithSchema(schema), ipc.WithAllocator(arrowio.Allocator))
	return p, nil
}

// partSchema returns the schema of parts: the column of marks, then all columns of result files. Columns of text have
// no dictionaries, because a stream would have to repeat them.
func partSchema(layout Layout) *arrow.Schema {
	mark := arrow.Field{Name: blockColumn, Type: arrow.BinaryTypes.String, Nullable: true}
	fields := append([]arrow.Field{mark}, schema(layout).Fields()...)
	for i, f := range fields {
		if d, ok := f.Type.(*arrow.DictionaryType); ok {
			fields[i].Type = d.ValueType
		}
	}
	return describe(arrow.NewSchema(fields, nil), kindPart)
}

// createNumbered creates a file with the first free name of stem+suffix, stem-2+suffix and so on.
func createNumbered(stem, suffix string) (*os.File, error) {
	for n := 1; ; n++ {
		name := stem + suffix
		if n > 1 {
			name = stem + "-" + strconv.Itoa(n) + suffix
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Path returns the path of the part's file.
func (p *Part) Path() string { return p.file.Name() }

// Append adds rows. It writes pending rows to disk once there are 4,096 of them, or 2 s after the last write.
// If a row does not fit the layout, Append adds no row at all. After an error of the disk, every later call
// returns the same error.
func (p *Part) Append(rows ...Row) error {
	if err := check(p.layout, rows); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(rows) > 0 && p.err == nil {
		n := min(len(rows), partRows-p.pending)
		for i, c := range p.columns {
			p.err = errors.Join(p.err, c.write(p.rows.Field(i+1), rows[:n]))
		}
		p.pending += n
		rows = rows[n:]
		if p.pending == partRows || p.now().Sub(p.last) >= partDelay {
			p.flush()
		}
	}
	return p.err
}

// Flush writes the pending rows and waits until they are on disk.
func (p *Part) Flush() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush()
	return p.err
}

// flush appends the pending rows as one block.
func (p *Part) flush() {
	if p.pending == 0 || p.err != nil {
		return
	}
	mark := p.rows.Field(0).(*array.StringBuilder)
	mark.Append(blankBlock)
	for range p.pending - 1 {
		mark.AppendNull()
	}
	rec := p.rows.NewRecord()
	defer rec.Release()
	p.encoded.Reset()
	p.begun = true
	if p.err = p.encoder.Write(rec); p.err != nil {
		return
	}
	if p.sum, p.err = stampBlock(p.encoded.Bytes(), p.sum); p.err == nil {
		p.sync()
	}
	p.pending, p.last = 0, p.now()
}

func (p *Part) sync() {
	if _, p.err = p.file.Write(p.encoded.Bytes()); p.err == nil {
		p.err = p.file.Sync()
	}
}

// Close writes the pending rows and the stream's end mark, and closes the file. Further calls do nothing.
func (p *Part) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rows == nil {
		return nil
	}
	p.flush()
	p.rows.Release()
	p.rows = nil
	p.encoded.Reset()
	err := p.encoder.Close()
	if p.begun && p.err == nil && err == nil {
		p.sync()
	}
	err = errors.Join(p.err, err, p.file.Close())
	p.err = fs.ErrClosed
	return err
}

// Parts holds the content of a task's parts.
type Parts struct {
	Rows  []Row    // rows of all parts, by file name, then in order of appending
	Paths []string // paths of all parts, sorted
}

// ReadParts reads all parts of a task in dir, even parts that other attempts are writing. It reads each part up to the
// first torn or damaged batch, without an error, because killed attempts leave torn parts. Rows that do not fit the
// layout are an error. dir need not exist.
func ReadParts(dir string, task int, layout Layout) (Parts, error) {
	var parts Parts
	names, err := namesOf(dir, taskName(task)+".", partSuffix)
	if err != nil {
		return parts, err
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		data, err := safefile.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another attempt has just sealed the task
		}
		if err != nil {
			return Parts{}, err
		}
		rows, err := decodePart(data, layout)
		if err != nil {
			return Parts{}, fmt.Errorf("%s: %w", path, err)
		}
		parts.Rows = append(parts.Rows, rows...)
		parts.Paths = append(parts.Paths, path)
	}
	return parts, nil
}

// decodePart returns the rows of a part's blocks up to the first damage.
func decodePart(data []byte, layout Layout) (rows []Row, err error) {
	end := 0
	for n, sum, ok := nextBlock(data, blockSum{}); ok; n, sum, ok = nextBlock(data[end:], sum) {
		end += n
	}
	if end > 0 {
		_, err = readStream(data[:end], func(rec arrow.Record) (err error) {
			rows, err = appendRecord(rows, rec, layout)
			return err
		}, kindPart)
	}
	return rows, err
}

// isPart reports whether a file is empty or begins like the part of an attempt.
func isPart(path string) bool {
	f, err := safefile.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const most = 1 << 20 // larger than the schema of any part
	head, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil || !arrowio.IsIPCStream(head) {
		return false
	}
	schema := uint64(most)
	if len(head) >= 8 {
		schema = 8 + uint64(binary.LittleEndian.Uint32(head[4:]))
	}
	return schema > uint64(len(head)) && len(head) < most || bytes.Contains(head[:min(schema, uint64(len(head)))],
		[]byte(blockColumn))
}
