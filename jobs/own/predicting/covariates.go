package predicting

import (
	"fmt"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/samples"
	"graphda/jobs/userinput"
)

// covariates computes the covariates of new samples. The training mean replaces missing values and unknown words.
// Unless Request.Batches is set, it also replaces all batches.
type covariates struct {
	design samples.Design
	names  []string // names of the covariates to read
	place  []int    // by covariate: index in names; −1 if the covariate is not read
	texts  []string // by covariate: its text for the current sample
	atMean []bool   // by covariate: whether the mean replaces the current sample's value

	missing []int      // by covariate: number of samples without a value
	strange [][]string // by covariate: words that no training sample had
}

func newCovariates(m *model.Model, req *Request) (*covariates, error) {
	var design samples.Design
	if m.Covariates != nil {
		design = m.Covariates.Terms
	}
	n := len(design)
	c := &covariates{design: design, place: make([]int, n), texts: make([]string, n), atMean: make([]bool, n),
		missing: make([]int, n), strange: make([][]string, n)}
	for k := range c.design {
		if c.place[k] = -1; req.Batches || !c.design[k].Batch {
			c.place[k], c.names = len(c.names), append(c.names, c.design[k].Name)
		}
	}
	if req.Batches && !slices.ContainsFunc(c.design, func(t samples.Term) bool { return t.Batch }) {
		return nil, userinput.Errorf("with-batch: %s is not adjusted for a batch; leave the flag out", req.Model)
	}
	return c, nil
}

func (c *covariates) row(read []string) ([]float64, error) {
	for k := range c.design {
		t, at := &c.design[k], c.place[k]
		if c.atMean[k] = at < 0; at < 0 {
			continue
		}
		text := t.Value(read[at])
		if err := t.Check(text); err != nil {
			return nil, fmt.Errorf("column %q: %w", t.Name, err)
		}
		c.texts[k], c.atMean[k] = text, !t.Knows(text)
		switch {
		case c.atMean[k] && text == "":
			c.missing[k]++
		case c.atMean[k]:
			c.strange[k] = append(c.strange[k], text)
		}
	}
	return c.design.Row(c.texts, c.atMean), nil
}

func (c *covariates) notes() (notes []string) {
	for k := range c.design {
		name := c.design[k].Name
		if c.place[k] < 0 {
			notes = append(notes, fmt.Sprintf("batch %q is set to its training mean; --with-batch uses the samples' own "+
				"batch", name))
		}
		if n := c.missing[k]; n > 0 {
			notes = append(notes, fmt.Sprintf("%s no %q, which is set to its training mean", message.Have(n, "sample"), name))
		}
		if n := len(c.strange[k]); n > 0 {
			slices.Sort(c.strange[k])
			notes = append(notes, fmt.Sprintf("%s a %q that no training sample has and that is set to the training mean: %s",
				message.Have(n, "sample"), name, dataframe.Some(slices.Compact(c.strange[k]))))
		}
	}
	return notes
}
