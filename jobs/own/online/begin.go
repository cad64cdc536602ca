package online

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/jobs/own/importing"
	"graphda/jobs/plan"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// A Beginning says what a new model starts from: another model, or a dataset and a method.
type Beginning struct {
	From string // path of a model to continue; may be empty
	Zero bool   // begin with zero weights, and take only features, scales and settings from the model From

	Dataset string // the dataset's directory; only features, network and class names are read
	Trial   int
	Method  string
	Params  []plan.Param
	Loss    string // name of the loss; "" means logistic if every label is −1 or +1, else least_squares
}

func (b *Beginning) given() bool {
	return b.From != "" || b.Dataset != "" || b.Method != "" || len(b.Params) > 0 || b.Loss != "" || b.Zero
}

// open reads the model at path, or begins a model if there is no file. The options in b must match an existing model.
func open(path string, b *Beginning) (*model.Model, error) {
	m, err := model.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !b.given():
		return nil, userinput.Errorf("%s does not exist; start it from a model of gdrun tune with --from MODEL, or from a "+
			"dataset with --dataset, --method and --set", path)
	case errors.Is(err, fs.ErrNotExist):
		return b.begin()
	case err != nil:
		return nil, err
	case m.Covariates != nil:
		return nil, adjusted(path)
	case m.Survival != nil:
		return nil, ofTimes(path)
	case m.State == nil:
		return nil, stateless(path)
	case !b.given():
		return m, nil
	}
	if same, err := sameFile(path, b.From); err != nil || same {
		return nil, cmp.Or(err, userinput.Errorf("%s is both the model to start from and the file to write; name another "+
			"file to write", path))
	}
	began, err := b.begin()
	if err != nil {
		return nil, err
	}
	if what := difference(m, began); what != "" {
		return nil, userinput.Errorf("%s was started with other options: its %s differ; leave these options out, or name "+
			"another file", path, what)
	}
	return m, nil
}

func stateless(path string) error {
	return userinput.Errorf("%s has no state of a learner, so learning cannot continue; models of gdrun tune have "+
		"one", path)
}

func adjusted(path string) error {
	return userinput.Errorf("%s has covariates, which gdrun learn cannot adjust for; import the dataset without them, "+
		"or run gdrun tune again with the new samples", path)
}

func ofTimes(path string) error {
	return userinput.Errorf("%s is a model of times, which needs all samples at once; run gdrun tune again with the new "+
		"samples", path)
}

func sameFile(a, b string) (bool, error) {
	if b == "" {
		return false, nil
	}
	of, err := os.Stat(a)
	if err != nil {
		return false, err
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(of, other), err
}

// begin returns a new model that has learned no sample of the stream.
func (b *Beginning) begin() (*model.Model, error) {
	switch {
	case b.From != "" && (b.Dataset != "" || b.Method != "" || len(b.Params) > 0 || b.Loss != ""):
		return nil, userinput.Errorf("with --from, leave out --dataset, --method, --set and --loss")
	case b.From != "":
		return b.fromModel()
	case b.Zero:
		return nil, userinput.Errorf("--zero needs --from MODEL")
	case b.Dataset == "" || b.Method == "":
		return nil, userinput.Errorf("to start a model, give both --dataset and --method")
	}
	return b.fromDataset()
}

// accounts names the sums of losses and mistakes in a learner's memory.
var accounts = []string{"loss", "mistakes", "loss_wbar", "mistakes_wbar"}

// fromModel continues another model, as if the other model's samples came before the stream.
func (b *Beginning) fromModel() (*model.Model, error) {
	m, err := model.Read(b.From)
	if err != nil {
		return nil, err
	}
	if m.Covariates != nil {
		return nil, adjusted(b.From)
	}
	if m.Survival != nil {
		return nil, ofTimes(b.From)
	}
	if m.State == nil {
		return nil, stateless(b.From)
	}
	take := newLearner
	if b.Zero {
		take, m.Trained = freshLearner, nil
	}
	l, err := take(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.From, err)
	}
	m.Frequency = nil // the frequencies are about the earlier model
	m.State.Learned, m.State.Stream = 0, model.Stream{}
	enter(m, l)
	for _, name := range accounts {
		m.State.Numbers[name] = 0
	}
	m.Made = maps.Clone(m.Made)
	delete(m.Made, model.Found)
	delete(m.Made, model.Expected)
	return m, nil
}

func (b *Beginning) fromDataset() (*model.Model, error) {
	settings, err := plan.Settings(b.Method, b.Params)
	if err != nil {
		return nil, err
	}
	ds, err := samples.Open(b.Dataset)
	if err != nil {
		return nil, err
	}

	data, err := ds.Load(b.Trial, samples.AnyLabels)
	if err != nil {
		return nil, err
	}
	if data.Covariates != nil {
		return nil, adjusted(b.Dataset)
	}
	if data.Train.Weight != nil {
		return nil, userinput.Errorf("%s has weights of samples, which gdrun learn cannot use; import it without "+
			"--sample-weight", b.Dataset)
	}
	loss, err := plan.LossFor(data, b.Loss)
	if err != nil {
		return nil, err
	}
	m := &model.Model{Features: data.Features.Names, Probes: data.Features.Probes, Scaling: data.Features.Scaling,
		Loss: loss.Name(),
		Made: map[string]string{"dataset": ds.Name, "dataset_digest": data.Digest,
			"method": settings.Method.Name}}
	if loss.Classifies() {
		m.Negative, m.Positive = importing.Classes(data.Metadata)
	}
	pr := &learners.Problem{P: len(m.Features), Graph: data.Graph, Groups: data.Features.Groups,
		Truth: data.Features.Support()}
	l, err := learners.NewWorkspace(pr).NewLearner(settings, loss)
	if err != nil {
		return nil, err
	}
	m.State = NewState(l, settings, pr, 0, 1)
	m.State.Connectors = data.Features.Connectors
	enter(m, l)
	return m, nil
}
