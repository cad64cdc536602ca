package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"graphda/io/arrowio"
	"graphda/io/safefile"
	"graphda/io/seal"
)

// ShardInfo describes a shard. WriteShard fills in the counts itself.
type ShardInfo struct {
	Task    int    `json:"task"`
	Plan    string `json:"plan"`            // hash of the task's plan
	Version string `json:"version"`         // version of the program that wrote the shard
	Built   string `json:"built,omitempty"` // source revision of this program
	Rows    int    `json:"rows"`
	Done    int    `json:"done"`   // number of cells without a failed row
	Failed  int    `json:"failed"` // number of cells with a failed row

	// Seconds is the total learning time of the cells, over all attempts.
	Seconds float64 `json:"seconds"`

	// Models is the digest of the task's file of models, or empty. The shard is incomplete without this file.
	Models string `json:"models,omitempty"`

	// Programs holds each user program's answer to the message hello. The keys are methods.
	Programs map[string]any `json:"programs,omitempty"`

	// Attempts lists the attempts at the task, sorted by Begin, except that the attempt that sealed the task is last.
	// It is empty if one process ran this task together with other tasks.
	Attempts []Attempt `json:"attempts,omitempty"`
}

func (s ShardInfo) sameCounts(o ShardInfo) bool {
	return s.Rows == o.Rows && s.Done == o.Done && s.Failed == o.Failed && s.Seconds == o.Seconds
}

// counted returns s with the counts of the given rows. No two rows may have the same cell and checkpoint.
func (s ShardInfo) counted(rows []Row) (ShardInfo, error) {
	type cell struct {
		checkpoints []int
		failed      bool
		seconds     float64
	}
	cells := map[string]*cell{}
	s.Seconds = 0
	for i := range rows {
		r := &rows[i]
		if cells[r.Cell] == nil {
			cells[r.Cell] = new(cell)
		}
		c := cells[r.Cell]
		if slices.Contains(c.checkpoints, r.Checkpoint) {
			return s, fmt.Errorf("results: cell %s, checkpoint %d: two rows; Dedup keeps one", r.Cell, r.Checkpoint)
		}
		c.checkpoints = append(c.checkpoints, r.Checkpoint)
		c.failed = c.failed || r.Failed()
		// A later checkpoint's time includes earlier checkpoints.
		if more := r.Seconds - c.seconds; more > 0 && !math.IsInf(s.Seconds+more, 1) {
			s.Seconds += more
			c.seconds = r.Seconds
		}
	}
	s.Rows, s.Failed = len(rows), 0
	for _, c := range cells {
		if c.failed {
			s.Failed++
		}
	}
	s.Done = len(cells) - s.Failed
	return s, nil
}

// A file stores the info as the text
//
//	graphda-shard:<SHA-256 of the JSON, hex>:<JSON>
//
// in the schema's metadata. A reader finds and checks this text in the footer, where it ends with a zero byte.
const infoPrefix = "graphda-shard:"

func (s ShardInfo) text() string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("results: a ShardInfo is always JSON")
	}
	sum := sha256.Sum256(b)
	return infoPrefix + hex.EncodeToString(sum[:]) + ":" + string(b)
}

func findInfo(footer []byte) (ShardInfo, error) {
	var s ShardInfo
	_, text, ok := bytes.Cut(footer, []byte(infoPrefix))
	if !ok {
		return s, errors.New("not a shard: its footer has no counts of cells")
	}
	sum, text, _ := bytes.Cut(text, []byte(":"))
	text, _, _ = bytes.Cut(text, []byte{0})
	if got := sha256.Sum256(text); hex.EncodeToString(got[:]) != string(sum) {
		return s, errors.New("the counts of cells in the footer do not match their checksum: the shard is damaged; delete " +
			"it and run its task again")
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, err
	}
	return s, seal.CheckVersion(s.Version, runAgain)
}

// ReadShardInfo reads a shard's info from the footer. It verifies the checksum of the info, but not the rest of the
// file.
func ReadShardInfo(path string) (ShardInfo, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return ShardInfo{}, err
	}
	defer f.Close()
	footer, err := readFooter(f)
	if err != nil {
		return ShardInfo{}, fmt.Errorf("%s: %w", path, err)
	}
	info, err := findInfo(footer)
	if err != nil {
		return ShardInfo{}, fmt.Errorf("%s: %w", path, err)
	}
	return info, nil
}

// readFooter reads an IPC file from its end, until it has the footer.
func readFooter(f *os.File) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	const guess = 16 << 10 // large enough for most footers
	for n := min(st.Size(), guess); ; n = st.Size() {
		end := make([]byte, n)
		if _, err := f.ReadAt(end, st.Size()-n); err != nil && err != io.EOF {
			return nil, err
		}
		_, footer, err := arrowio.SplitIPC(end)
		if err == nil || n == st.Size() {
			return footer, err
		}
	}
}
