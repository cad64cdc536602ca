package importing

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	_ "graphda/io/matrix" // NumPy
	"graphda/io/message"
	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
)

// A Result describes the written dataset, as Import read it back.
type Result struct {
	Dir        string // directory of the dataset
	Features   int    // p
	Edges      int    // m
	Connected  int    // number of features with an edge
	Largest    int    // number of features in the network's largest connected part
	Connectors int    // number of the network's nodes that are not features
	Joining    int    // number of connectors in the largest part
	Trials     int
	Splits     [3]Split // training, validation and test samples in every trial
	Event      string   // column of events; empty unless Task is Survival
	Positive   string   // label of class +1, or of an event; empty in regression
	Negative   string   // label of class −1, or of a censored sample; may be empty
	Read       []string // what Import read, in sentences
	Notes      []string // warnings for the user
}

// A Split counts the samples of a split.
type Split struct {
	Samples  int
	Positive int // number of samples of class +1, or with an event; 0 in regression
}

// Import writes a dataset. It calls progress after each trial, unless progress is nil. If Import fails or ctx ends, an
// earlier dataset at the same place stays. If the request is wrong, the error is a userinput.Error.
func Import(ctx context.Context, r Request, progress func(done, total int)) (*Result, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	dir, err := r.place()
	if err != nil {
		return nil, err
	}
	var notes sampletable.Notes
	set, err := r.read(ctx, &notes)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return nil, err
	}
	result := &Result{
		Dir: r.Out, Read: set.read, Trials: r.Trials,
		Event: r.Event, Positive: set.data.Positive, Negative: set.data.Negative,
	}
	replaced, err := inPlace(dir, func(draft string) error {
		if err := set.write(ctx, draft, &notes, progress); err != nil {
			return err
		}
		return result.readBack(ctx, draft)
	})
	if err != nil {
		return nil, err
	}
	if replaced {
		notes.Add("the dataset of an earlier import at %s was replaced", r.Out)
	}
	result.Notes = notes
	return result, nil
}

type dataset struct {
	request  *Request
	data     *sampletable.Data
	features *samples.Features
	network  *network.Subgraph
	read     []string
	alike    string // how many samples are nearly equal, in words; "" if none, or if patients are known
	flat     []bool // by feature: whether it is constant in the training samples of any trial
}

func (r *Request) read(ctx context.Context, notes *sampletable.Notes) (_ *dataset, err error) {
	r.Edges.Options.Force = r.Force
	edges, err := network.ReadEdges(r.Edges)
	if err != nil {
		return nil, sampletable.Asked(err)
	}
	defer func() { err = message.WithNotes(err, edges.FileNotes) }()
	r.NoSplit, r.GeneOf = r.noSplit, edges.GeneOf()
	d, err := r.Table.Read(ctx, notes)
	if err != nil {
		return nil, r.perhapsTurned(err, edges)
	}
	if r.Trials == 0 {
		if r.Trials = DefaultTrials; d.Split != nil {
			r.Trials = 1
		}
	}
	if d.Split == nil {
		if err := drawable(d, r); err != nil {
			return nil, err
		}
	}
	odd := &suspects{Data: d, Classes: r.Task == sampletable.Classification}
	*notes = append(*notes, odd.Features(r.Standardise)...)
	noteSplits(d, r.Samples, notes)
	s := &dataset{request: r, data: d, read: []string{d.Read}}
	if s.features, err = r.features(d, notes); err != nil {
		return nil, err
	}
	if s.network, err = r.among(edges, d, notes); err != nil {
		return nil, err
	}
	s.read = append(s.read, r.describeEdges(edges, s.network))
	degree := func(feature int32) int { return s.network.Graph.Degree(feature) }
	var mistakes []string
	mistakes, s.alike = odd.Mistakes(degree)
	*notes = slices.Concat(mistakes, *notes)
	return s, nil
}
