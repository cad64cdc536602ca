package online

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/probes"
	"graphda/io/seal"
	"graphda/io/stream"
	"graphda/jobs/executor"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// A Request says what to learn, and where the samples come from.
type Request struct {
	Model string // path of the model's file; if there is no file, Learn begins a new model
	Begin Beginning
	Every int // write the model after this many samples (at least 1), and at the end

	Samples io.Reader
	Path    string // name of the stream, for messages
	Label   string // column of labels or targets
	Next    bool   // the samples may be a new stream

	// The functions may be nil.
	Passed    func(samples int)           // called before learning, with the number of samples learned in earlier calls
	Torn      func(at *stream.Unfinished) // called if the last line is unfinished and ignored
	Far       func(note string)           // called at most once, if values are far from the training samples
	Predicted func(p *Prediction) error   // called for each sample, before the model learns it
	Report    func(r *Report) error       // called after each write of the model
}

// A Prediction is the prediction of a sample by the weights w, before the model learns the sample.
type Prediction struct {
	Sample       int // number of the sample, counted from 1 over all streams
	Label, Class string
	Score        float64 // in the units of the targets
}

// A Report sums up the Predictions of all streams.
type Report struct {
	Classifies             bool
	Samples                int
	Mistakes, MistakesWbar int // wrong predictions by w and by w̄; 0 unless the loss classifies
	Loss, LossWbar         float64
	Selected               int // number of nonzero weights in w
}

// Learn learns samples as they arrive, and returns a report. If ctx ends, the error wraps executor.ErrStopped and the
// context's cause. After an error, the model in the file has learned all samples before the error, unless the error is
// about the model.
func Learn(ctx context.Context, req Request) (*Report, error) {
	if req.Every < 1 {
		return nil, userinput.Errorf("every = %d, want at least 1", req.Every)
	}
	held, err := seal.Hold(req.Model)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	m, err := open(req.Model, &req.Begin)
	if err != nil {
		return nil, err
	}
	if columns, _ := m.Probes.Flat(m.Features); slices.Contains(append(columns, m.Features...), req.Label) {
		return nil, userinput.Errorf("label = %q is a feature of %s, so it cannot be predicted", req.Label, req.Model)
	}
	l, err := newLearner(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", req.Model, err)
	}
	loss, err := learners.LookupLoss(m.Loss)
	if err != nil {
		return nil, err
	}
	s := &session{Request: &req, held: held, model: m, learner: l, loss: loss, saved: m.State.Learned,
		scaled: make([]float64, len(m.Features)), distances: model.NewDistances(m.Features), noted: req.Far == nil}
	err = s.run(ctx)
	return s.report(), err
}

// A session is one call of Learn.
type session struct {
	*Request
	held    *seal.Held
	model   *model.Model
	learner *learners.Learner
	loss    learners.Loss
	scaled  []float64

	distances *model.Distances
	noted     bool // set if Far was called or is nil

	waiting []*sample // samples whose stream is not recognised yet

	met    int          // number of this stream's samples that the method meet has processed
	stream model.Stream // number and checksums of the met samples
	known  model.Stream // the last stream in the model's file; zero if this stream is new
	saved  int          // number of samples that the model in the file has learned
}

func (s *session) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	read := s.read(ctx)
	s.known = s.model.State.Stream
	if s.Passed != nil {
		s.Passed(s.model.State.Learned)
	}
	for {
		var next *sample
		select {
		case next = <-read:
		case <-ctx.Done():
		}
		if torn := (*stream.Unfinished)(nil); next != nil && errors.As(next.err, &torn) {
			next.err = io.EOF
			if s.Torn != nil {
				s.Torn(torn)
			}
		}
		met := s.met + len(s.waiting)
		switch {
		case ctx.Err() != nil:
			return s.end(fmt.Errorf("%w: %w", context.Cause(ctx), executor.ErrStopped))
		case next.err == io.EOF && met < s.known.Samples && met > 0 && s.Next:
			return userinput.Errorf("%s ends after %s, and the last stream of %s began with the same samples; give the whole "+
				"stream", s.Path, message.Count(met, "sample"), s.Model)
		case next.err == io.EOF && met < s.known.Samples && !s.Next:
			return userinput.Errorf("%s ends after %s, but %s has learned %d of its last stream; if this is a new stream, add "+
				"--next", s.Path, message.Count(met, "sample"), s.Model, s.known.Samples)
		case next.err == io.EOF:
			return s.end(nil)
		case next.err != nil:
			return s.end(next.err)
		}
		if err := s.recognise(next); err != nil {
			return err
		}
	}
}

// recognise decides whether this stream repeats the last stream (see doc.go). Until it has decided, samples wait.
func (s *session) recognise(next *sample) error {
	first := s.known.First[:min(s.known.Samples, len(s.known.First))]
	k := s.met + len(s.waiting)
	s.waiting = append(s.waiting, next)
	switch {
	case k >= len(first):
	case next.sum == first[k] && s.Next && k < len(first)-1:
		return nil
	case next.sum != first[k] && s.Next:
		s.known, s.model.State.Stream = model.Stream{}, model.Stream{}
	case next.sum != first[k] && k == 0:
		return userinput.Errorf("the first sample of %s is not the first sample of the last stream of %s; if this is a new "+
			"stream, add --next", s.Path, s.Model)
	}
	for _, waited := range s.waiting {
		if err := s.meet(waited); err != nil {
			return err
		}
	}
	s.waiting = s.waiting[:0]
	return nil
}

// meet learns a sample that the model has not learned in an earlier call.
func (s *session) meet(next *sample) error {
	if s.met < len(s.stream.First) {
		s.stream.First[s.met] = next.sum
	}
	s.met++
	s.stream.Samples++
	s.stream.Digest = crc32.Update(s.stream.Digest, castagnoli, binary.LittleEndian.AppendUint32(nil, next.sum))
	if s.met < s.known.Samples {
		return nil
	}
	if s.met == s.known.Samples {
		if s.stream.Digest != s.known.Digest {
			return userinput.Errorf("the first %s of %s differ from the samples that %s has learned; if this is a new stream, "+
				"add --next", message.Count(s.met, "sample"), s.Path, s.Model)
		}
		return nil
	}
	return s.learn(next)
}

func (s *session) learn(next *sample) error {
	state, x := s.model.State, next.x
	if s.model.Scaling != nil {
		s.model.Scaling.Apply(s.scaled, x)
		x = s.scaled
		s.distances.Add(x, nil)
	}
	if s.Predicted != nil {
		p := &Prediction{Sample: state.Learned + 1, Label: next.label,
			Score: state.Center + state.Scale*s.learner.Model().Score(x)}
		p.Class = s.model.Class(p.Score, 0)
		if err := s.Predicted(p); err != nil {
			return s.end(err)
		}
	}
	if err := s.learner.Learn(x, (next.y-state.Center)/state.Scale); err != nil {
		return fmt.Errorf("%s: %w; %s was last written after %d samples", s.Path, err, s.Model, s.saved)
	}
	state.Learned++
	state.Stream = s.stream
	if state.Learned%s.Every == 0 {
		return s.save()
	}
	return nil
}

// end writes the model if it has learned since the last write. If writing succeeds, it returns `why`.
func (s *session) end(why error) error {
	if s.model.State.Learned > s.saved {
		if err := s.save(); err != nil {
			return err
		}
	}
	return why
}

func (s *session) save() error {
	if err := s.learner.CheckFinite(); err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	enter(s.model, s.learner)
	if err := s.held.Check(); err != nil {
		return fmt.Errorf("%w: it lacks the samples learned since then", err)
	}
	if err := s.model.Write(s.Model); err != nil {
		return err
	}
	if err := s.held.Written(); err != nil {
		return err
	}
	s.saved = s.model.State.Learned
	if note := s.distances.Note(false, ""); note != "" && !s.noted {
		s.noted = true
		s.Far(note)
	}
	if s.Report == nil {
		return nil
	}
	return s.Report(s.report())
}

func (s *session) report() *Report {
	a, b, n := s.learner.Account(), s.learner.AccountBar(), s.model.State.Learned
	return &Report{Classifies: s.loss.Classifies(), Samples: n, Mistakes: a.Mistakes, MistakesWbar: b.Mistakes,
		Loss: a.Loss / float64(max(n, 1)), LossWbar: b.Loss / float64(max(n, 1)), Selected: s.learner.Model().Nonzeros()}
}

// A sample is one sample of the stream, or marks the stream's end (see err).
type sample struct {
	label string
	x     []float64
	y     float64
	sum   uint32
	err   error // why the stream ended; nil for a sample
}

// ahead is the number of samples that Learn reads in advance.
const ahead = 64

// read reads samples until the samples or the context end. It reuses a sample's memory 2·ahead samples later. By
// then the memory is free: at most ahead samples wait in the channel, and at most len(model.Stream.First)
// samples wait for recognise.
func (s *session) read(ctx context.Context) <-chan *sample {
	read := make(chan *sample, ahead)
	go func() {
		columns, ends := s.model.Probes.Flat(s.model.Features)
		values := make([]float64, len(columns))
		in, err := stream.New(s.Samples, stream.Options{Path: s.Path, Features: columns, Label: s.Label})
		bytes := make([]byte, 0, 8*len(s.model.Features)+8)
		var ring [2 * ahead]sample
		for k, ended := 0, false; !ended; k, ended = k+1, err != nil {
			next := &ring[k%len(ring)]
			if k < len(ring) {
				next.x = make([]float64, len(s.model.Features))
			}
			if err == nil {
				if next.label, err = in.Next(values); err == nil {
					probes.Merge(next.x, values, ends)
					next.y, err = s.target(in, next.label)
				}
			}
			next.err, next.sum = err, checksum(bytes, next)
			select {
			case read <- next:
			case <-ctx.Done():
				return
			}
		}
	}()
	return read
}

// target returns the sample's label as a number. For classes this is −1 or +1.
func (s *session) target(in *stream.Samples, label string) (float64, error) {
	if s.model.Positive == "" {
		y, err := dataframe.Number(label)
		if err != nil {
			err = in.BadLabel("%w", err)
		}
		return y, err
	}
	y, err := s.model.Target(label)
	if err != nil {
		err = in.BadLabel("%w", err)
	}
	return y, err
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte, s *sample) uint32 {
	b = binary.LittleEndian.AppendUint64(b[:0], math.Float64bits(s.y))
	for _, v := range s.x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return crc32.Checksum(b, castagnoli)
}
