package samples

import (
	"fmt"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"graphda/io/arrowio"
	"graphda/io/seal"
)

const (
	rowGroupBytes = 8 << 20 // most bytes of features in a SamplesWriter's memory
	batchBytes    = 1 << 19 // bytes of features that are encoded at a time
)

// A SamplesWriter writes a samples file row by row, with one row group in memory.
type SamplesWriter struct {
	path   string
	p      int
	header SamplesHeader
	tags   []*tag // columns of ids, patients and covariates
	file   *seal.Writer
	out    *file.Writer
	y      []float64
	split  []parquet.ByteArray
	x      []float64
	rows   int // number of rows in a row group
	counts [numSplits]int

	def, rep []int16 // definition and repetition levels of a batch without empty lists
	err      error
}

// A tag is a column of text about samples.
type tag struct {
	column string
	of     func(Sample) string
	values []parquet.ByteArray
}

// A SamplesHeader says which columns a samples file has.
type SamplesHeader struct {
	Features int  // number of features, p
	IDs      bool // whether every sample has an id
	Patients bool // whether every sample has a patient
	// Covariates lists the samples' covariates. The metadata of this file, or of the files of rows, must list them too
	// (see TellCovariates).
	Covariates []Covariate
	Shared     bool              // whether trials share the samples; then no split is stored, and a missing value is NaN
	Metadata   map[string]string // such as a generator's settings
}

// NewSamplesWriter begins a samples file.
func NewSamplesWriter(path string, h SamplesHeader) (*SamplesWriter, error) {
	p := h.Features
	if p < 1 {
		return nil, fmt.Errorf("samples: %d features, want at least 1", p)
	}
	f, err := seal.Create(path)
	if err != nil {
		return nil, err
	}
	w := &SamplesWriter{path: path, p: p, header: h, file: f, rows: max(1, rowGroupBytes/(8*p))}
	w.x = make([]float64, 0, w.rows*p)
	batch := p * max(1, batchBytes/(8*p))
	w.def, w.rep = make([]int16, batch), make([]int16, batch)
	for i := range batch {
		w.def[i] = 2
		if i%p > 0 {
			w.rep[i] = 1
		}
	}
	if h.IDs {
		w.tags = append(w.tags, &tag{column: idColumn, of: func(s Sample) string { return s.ID }})
	}
	if h.Patients {
		w.tags = append(w.tags, &tag{column: patientColumn, of: func(s Sample) string { return s.Patient }})
	}
	for k, c := range h.Covariates {
		w.tags = append(w.tags, &tag{column: covariateColumn + c.Name, of: func(s Sample) string { return s.Covariates[k] }})
	}
	err = f.Try(func() error {
		l := arrowio.ParquetLayout{Columns: w.columns(), Metadata: h.Metadata, Batch: batch}
		w.out, err = arrowio.NewParquetWriter(f, l)
		return err
	})
	if err != nil {
		w.Abort()
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	return w, nil
}

// A Sample is a row of a samples file.
type Sample struct {
	ID      string // empty if the file has no ids
	Patient string // empty if the file has no patients
	// Covariates has a text for each covariate of the header, or "" for a missing value.
	Covariates []string
	Split      Split
	Y          float64
	X          []float64
}

// Append adds a sample, and keeps no reference to X. After an error, every later call fails, and Close leaves no file.
func (w *SamplesWriter) Append(s Sample) error {
	if w.err == nil {
		w.err = w.append(s)
	}
	return w.err
}

func (w *SamplesWriter) append(s Sample) error {
	split, y, x := s.Split, s.Y, s.X
	row := w.counts[Train] + w.counts[Valid] + w.counts[Test]
	switch {
	case w.out == nil:
		return fmt.Errorf("samples: %s is closed already", w.path)
	case len(s.Covariates) != len(w.header.Covariates):
		return fmt.Errorf("samples: row %d: %d covariates, want %d", row, len(s.Covariates), len(w.header.Covariates))
	case split >= numSplits:
		return fmt.Errorf("samples: row %d: %v is not a split", row, split)
	case y-y != 0:
		return fmt.Errorf("samples: row %d: y is %v, want a finite number", row, y)
	case len(x) != w.p:
		return fmt.Errorf("samples: row %d: %d features, want %d", row, len(x), w.p)
	}
	for j, v := range x {
		if v-v != 0 && !(w.header.Shared && v != v) {
			return fmt.Errorf("samples: row %d: feature %d is %v, want a finite number", row, j, v)
		}
	}
	if w.header.IDs != (s.ID != "") || w.header.Patients != (s.Patient != "") {
		return fmt.Errorf("samples: row %d: the id is %q and the patient %q, want one for every sample or none", row, s.ID,
			s.Patient)
	}
	w.counts[split]++
	for _, t := range w.tags {
		t.values = append(t.values, parquet.ByteArray(t.of(s)))
	}
	w.y = append(w.y, y)
	w.split = append(w.split, splitBytes[split])
	w.x = append(w.x, x...)
	if len(w.y) == w.rows {
		return w.flush()
	}
	return nil
}

var splitBytes = [numSplits]parquet.ByteArray{[]byte("train"), []byte("valid"), []byte("test")}

func (w *SamplesWriter) columns() (all []arrowio.ParquetColumn) {
	for _, t := range w.tags {
		all = append(all, arrowio.Flat(t.column, t.values, nil))
	}
	all = append(all, arrowio.Floats("y", w.y))
	if !w.header.Shared {
		split := arrowio.Flat("split", w.split, nil)
		split.Dictionary = true
		all = append(all, split)
	}
	x := arrowio.Lists[float64]("x", nil)
	x.Write = w.writeX
	return append(all, x)
}

func (w *SamplesWriter) flush() error {
	err := w.file.Try(func() error { return arrowio.WriteRowGroup(w.out, w.columns()...) })
	for _, t := range w.tags {
		t.values = nil
	}
	w.y, w.split, w.x = w.y[:0], w.split[:0], w.x[:0]
	if err != nil {
		return fmt.Errorf("writing %s: %w", w.path, err)
	}
	return nil
}

func (w *SamplesWriter) writeX(c file.ColumnChunkWriter) error {
	for rest := w.x; len(rest) > 0; {
		n := min(len(rest), len(w.def))
		if err := arrowio.WriteTo(rest[:n], w.def[:n], w.rep[:n])(c); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// Close completes and seals the file and moves it to its path. After an error, or with an empty split, no file is left.
func (w *SamplesWriter) Close() error {
	defer w.Abort()
	if w.err == nil {
		w.err = w.close()
	}
	return w.err
}

func (w *SamplesWriter) close() error {
	if w.out == nil {
		return fmt.Errorf("samples: %s is closed already", w.path)
	}
	for s, n := range w.counts {
		if n == 0 && !w.header.Shared {
			return fmt.Errorf("samples: %s: there is no %v sample, want at least one", w.path, Split(s))
		}
	}
	if len(w.y) > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if err := w.file.Try(w.out.Close); err != nil {
		return fmt.Errorf("writing %s: %w", w.path, err)
	}
	return w.file.Commit()
}

// Abort discards the file. After Close or another Abort it does nothing.
func (w *SamplesWriter) Abort() {
	w.file.Abort()
	w.out, w.tags, w.y, w.split, w.x = nil, nil, nil, nil, nil
}
