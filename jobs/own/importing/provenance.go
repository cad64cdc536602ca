package importing

import (
	"fmt"

	"graphda/io/message"
	"graphda/io/samples"
)

// sources describes the files of a request. It reads the files again for their digests.
func (r *Request) sources() (all []Source, err error) {
	for _, file := range []struct{ role, path string }{{"samples", r.Samples}, {"labels", r.Labels},
		{"edges", r.Edges.Path}, {"features", r.Features}, {"groups", r.Groups}} {
		if file.path == "" {
			continue
		}
		source, err := NewSource(file.role, file.path)
		if err != nil {
			return nil, err
		}
		all = append(all, source)
	}
	return all, nil
}

// Origin describes a dataset: the digest of its first trial, and its sources.
func Origin(ds *samples.Dataset, first *samples.Trial) (string, error) {
	m, n := first.Metadata, 0
	for _, b := range []*samples.Block{&first.Train, &first.Valid, &first.Test} {
		n += b.Rows()
	}
	text := fmt.Sprintf("the dataset %s (digest %.12s…): %s of %s", message.Text(ds.Name), first.Digest,
		message.Count(n, "sample"), message.Count(len(first.Features.Names), "feature"))
	if first.Graph != nil {
		text += ", " + message.Count(first.Graph.NumEdges(), "edge")
	}
	switch {
	case m[eventKey] != "":
		text += fmt.Sprintf("; times by column %q, events by column %q", m["label"], m[eventKey])
	case m["label"] != "":
		text += fmt.Sprintf("; labels by column %q", m["label"])
	}
	sources, err := Sources(ds)
	if len(sources) > 0 {
		text += ". gdrun import made it from " + ListSources(sources)
	}
	return text + ".", err
}
