package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Data names the files of a trial for a program. They hold no labels of validation or test samples.
type Data struct {
	TrainX string `json:"train_x"`
	TrainY string `json:"train_y"`
	ValidX string `json:"valid_x"`
	TestX  string `json:"test_x"`
}

const version = 1

// maxLine is the largest size of a program's line, in bytes. Tests reduce it.
var maxLine = 256 << 20

// A Hello is the first line that a program reads.
type Hello struct {
	Protocol int    `json:"protocol"`
	Loss     string `json:"loss"` // a name that learners.LookupLoss knows
	Features int    `json:"features"`
	Names    string `json:"names"`           // path of the file with the features' names
	Edges    string `json:"edges,omitempty"` // path of the file of edges; "" if there is no network
}

// A Greeting is a program's answer to a Hello.
type Greeting struct {
	Name    string          `json:"name"`
	Version string          `json:"version"`
	Info    json.RawMessage `json:"info,omitempty"` // JSON that the program wants gdrun to record
	// Interpreter is the path of the command's first word. gdrun sets it.
	Interpreter string `json:"interpreter,omitempty"`
}

// A Question asks a program to compute a cell.
type Question struct {
	Cell        string          `json:"cell"`
	Parameters  json.RawMessage `json:"parameters"` // a JSON object of numbers and texts
	Seed        uint32          `json:"seed"`
	Checkpoints []int           `json:"checkpoints"` // ascending numbers of training samples; each gets an Answer
	Data
}

// An Answer is a program's model at one checkpoint, or an error.
type Answer struct {
	Cell       string  `json:"cell"`
	Error      string  `json:"error"`
	Checkpoint int     `json:"checkpoint"`
	Weights    numbers `json:"weights"` // nil if the model has no weights
	Indices    numbers `json:"indices"` // indices of the nonzero weights; Values has these weights
	Values     numbers `json:"values"`
	Intercept  float64 `json:"intercept"`
	Scores     *struct {
		Valid numbers `json:"valid"`
		Test  numbers `json:"test"`
	} `json:"scores"`
	// Online has the scores of the training samples since the last checkpoint. Each score was computed before the sample
	// was learned.
	Online numbers `json:"online_scores"`

	CPU float64 `json:"-"` // CPU seconds of the process and its children since the Question
}

// A Shape holds the lengths that an Answer must have.
type Shape struct{ Features, Valid, Test int }

// numbers is a list of finite numbers. A single number counts as a list, because R writes a list of one number without
// brackets. A null in a list is an error, although encoding/json reads it as 0.
type numbers []float64

func (n *numbers) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	if text[0] == '[' {
		text = text[1 : len(text)-1]
	}
	*n = numbers{}
	for rest := bytes.TrimSpace(text); len(rest) > 0; {
		item, behind, _ := bytes.Cut(rest, []byte(","))
		v, err := strconv.ParseFloat(string(bytes.TrimSpace(item)), 64)
		if err != nil {
			return fmt.Errorf("%.20q in a list, want only finite numbers", item)
		}
		*n, rest = append(*n, v), behind
	}
	return nil
}

// decode decodes a line of JSON into the value at the given pointer. It refuses unknown keys.
func decode(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return nil
		}
		err = errors.New("there is more text after the value")
	}
	hint := ""
	if errors.As(err, new(*json.SyntaxError)) && bytes.ContainsAny(line, "NI") {
		hint = "; JSON has neither NaN nor Infinity"
	}
	// The error is cut, because it may quote a long number.
	return fmt.Errorf("wrote an invalid answer: %.200s%s: %.60q", err.Error(), hint, line)
}

// errAnswer begins an error reported by the program itself.
var errAnswer = errors.New("the program says")

// check decodes a line, which must answer q at checkpoint k.
func (q *Question) check(line []byte, k int, shape Shape) (*Answer, error) {
	a := new(Answer)
	if err := decode(line, a); err != nil {
		return nil, err
	}
	switch {
	case a.Cell != q.Cell:
		return nil, fmt.Errorf("answered for another cell: %.80q", line)
	case a.Error != "":
		return nil, fmt.Errorf("%w: %.1000s", errAnswer, oneLine(a.Error))
	case slices.Contains(q.Checkpoints[:k], a.Checkpoint):
		return nil, fmt.Errorf("answered checkpoint %d twice", a.Checkpoint)
	case a.Checkpoint != q.Checkpoints[k]:
		return nil, fmt.Errorf("answered checkpoint %d, want %d", a.Checkpoint, q.Checkpoints[k])
	case a.Weights == nil && a.Indices == nil && a.Scores == nil:
		return nil, errors.New("answered without weights and without scores")
	}
	var faults []error
	length := func(what string, list []float64, want int) {
		if len(list) != want {
			faults = append(faults, fmt.Errorf("answered %d %s, want %d", len(list), what, want))
		}
	}
	if a.Indices != nil && a.Weights == nil {
		length("values of as many indices", a.Values, len(a.Indices))
		a.Weights = make(numbers, shape.Features)
		for i, j := range a.Indices {
			if j < 0 || j >= float64(shape.Features) || j != math.Trunc(j) || i > 0 && j <= a.Indices[i-1] {
				return nil, fmt.Errorf("answered index %v, want ascending indices from 0 to %d", j, shape.Features-1)
			} else if faults == nil {
				a.Weights[int(j)] = a.Values[i]
			}
		}
	}
	if a.Weights != nil {
		length("weights", a.Weights, shape.Features)
	}
	if a.Scores != nil {
		length("scores of the validation samples", a.Scores.Valid, shape.Valid)
		length("scores of the test samples", a.Scores.Test, shape.Test)
	}
	if a.Online != nil {
		length("online scores since the last checkpoint", a.Online, a.Checkpoint-append([]int{0}, q.Checkpoints...)[k])
	}
	return a, errors.Join(faults...)
}

func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
}
