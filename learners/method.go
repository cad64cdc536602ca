package learners

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// A Method is an online learning algorithm with its hyperparameters.
type Method struct {
	Name   string // name in flags, files and columns
	Label  string // name in tables and figures
	Source string // publication
	Update string // formula of an update, in the notation of the package comment
	Params []Param
	Needs  Needs
	Once   bool // whether a second pass is refused, because it would count each sample twice
	Plain  bool // whether the method ignores the offset of LearnFrom

	// Free and Takes are set only for a user's program.
	Free  bool // results have no columns for the parameters
	Takes Takes

	// New returns a rule for one pass. The caller must have checked the settings.
	New func(ws *Workspace, s Settings) Rule
}

// A Takes holds the time, memory and processors of one cell of a user's program. It is zero for built-in methods,
// because package plan estimates their cells from the size of the dataset.
type Takes struct {
	Seconds    float64
	Memory     int64 // bytes of memory, without the samples
	Processors int   // 0 means 1
}

// MiB returns the memory in MiB.
func (t *Takes) MiB() int { return int(t.Memory >> 20) }

// Needs is a set of inputs that a method needs besides the samples.
type Needs uint8

const (
	NeedsGraph  Needs = 1 << iota // the features' graph
	NeedsGroups                   // groups of features
	NeedsTruth                    // the true support
)

// Methods lists all methods: first the paper's methods, in the order of its tables.
var Methods = []*Method{
	&adam,
	&l1RDA,
	&adagrad,
	&daGL,
	&daSGL,
	&stoIHT,
	&graphStoIHT,
	&daIHT,
	&graphDA,
	&bestSubset,
	&marginal,
}

// MethodNames returns the names of the methods.
func MethodNames() (names []string) {
	for _, m := range Methods {
		names = append(names, m.Name)
	}
	return names
}

// Lookup returns the method with the given name.
func Lookup(name string) (*Method, error) {
	for _, m := range Methods {
		if m.Name == name {
			return m, nil
		}
	}
	known := MethodNames()
	return nil, fmt.Errorf("unknown method %q%s; known: %s", name, DidYouMean(name, known), strings.Join(known, ", "))
}

// Check returns an error if the method cannot run on the problem pr with the settings s.
func (m *Method) Check(pr *Problem, s Settings) error {
	var faults []error
	if m.Needs&NeedsGraph != 0 && pr.Graph == nil {
		faults = append(faults, errors.New("needs a network, but the dataset has none"))
	}
	if m.Needs&NeedsGroups != 0 && pr.Groups == nil {
		faults = append(faults, errors.New("needs groups of features, but the dataset has none (gdrun import --groups)"))
	}
	if m.Needs&NeedsTruth != 0 && pr.Truth == nil {
		faults = append(faults, errors.New("needs the true support, but the dataset has none (gdrun import --features)"))
	}
	for i := range m.Params {
		if p := &m.Params[i]; p.Counts && s.Values[i] > float64(pr.P) {
			faults = append(faults, fmt.Errorf("%s = %v, want at most the number of features, %d", p.Name, s.Values[i], pr.P))
		}
	}
	if m.Needs&NeedsGraph != 0 && s.Get("components") > s.Get("s") {
		faults = append(faults, fmt.Errorf("components = %v, want at most s = %v, because each tree has at least one "+
			"node", s.Get("components"), s.Get("s")))
	}
	if m.Needs&NeedsGraph != 0 && s.Get("root") > 0 && s.Get("components") != 1 {
		faults = append(faults, fmt.Errorf("components = %v, want 1 if there is a root", s.Get("components")))
	}
	return m.faulty(faults)
}

func (m *Method) faulty(faults []error) error {
	if err := errors.Join(faults...); err != nil {
		return &ParamsError{Method: m.Name, Err: err}
	}
	return nil
}

// Settings are a method and the values of its parameters.
type Settings struct {
	Method *Method
	Values []float64 // values in the order of Method.Params
}

// Get returns the value of the parameter with the given name. It panics if the method has no such parameter.
func (s Settings) Get(name string) float64 {
	for i := range s.Method.Params {
		if s.Method.Params[i].Name == name {
			return s.Values[i]
		}
	}
	panic("learners: " + s.Method.Name + " has no parameter " + name)
}

// FreeMethod returns the name of a user's program, or "" for other methods.
func (s Settings) FreeMethod() string {
	if s.Method.Free {
		return s.Method.Name
	}
	return ""
}

// Word returns the value of a parameter that has Words. It panics if the method has no such parameter.
func (s Settings) Word(name string) string {
	p, err := s.Method.Param(name)
	if err != nil {
		panic("learners: " + err.Error())
	}
	return p.Format(s.Get(name))
}

func required(name, symbol, doc string) Param {
	return Param{Name: name, Symbol: symbol, Doc: doc, Default: math.NaN()}
}

func (p Param) atLeast(min float64) Param { p.Min = min; return p }
func (p Param) above(min float64) Param   { p.Min, p.Above = min, true; return p }
func (p Param) below(max float64) Param   { p.Below = max; return p }
func (p Param) or(value float64) Param    { p.Default = value; return p }
func (p Param) whole() Param              { p.Integer = true; return p }
func (p Param) omitDefault() Param        { p.OmitDefault = true; return p }
func (p Param) features() Param           { p.Counts = true; return p }

// These are parameters of several methods.
var (
	lambdaParam = required("lambda", "λ", "weight of the regulariser").atLeast(0)
	gammaParam  = required("gamma", "γ", "inverse learning rate of dual averaging: the iterate is −√t/γ times the "+
		"averaged gradient").above(0)
	etaParam = required("eta", "η", "learning rate").above(0)
	sParam   = required("s", "s", "sparsity: the number of features to select").whole().atLeast(1).features()
)

// graphParams are the parameters of the head and tail projections.
var graphParams = []Param{
	required("components", "g", "number of trees in the forest that spans the support").whole().atLeast(1).or(1),
	required("omega", "ω", "tolerance ω of the support's size: a support has at most ⌊(1+ω)s⌋ "+
		"features").atLeast(0).or(0.1),
	required("max_iter", "max_iter", "halvings of the search for the edge costs' "+
		"scale").whole().atLeast(0).below(61).or(20),
	{Name: "search", Symbol: "search", Words: []string{"paper", "warm", "lazy"}, Doc: "how to search for the scale; " +
		"paper: bisection from 0 to the largest prize; warm: starts at the last round's scale; lazy: like warm, with lazy " +
		"heads, and it cuts forests that are too large"},
	{Name: "head", Symbol: "head", OmitDefault: true, Words: []string{"auto", "each", "lazy"}, Doc: "when to project " +
		"the head; each: in every round; lazy: only when the support of the last head is no longer proven to be nearly as " +
		"good; auto: lazy if the search is lazy, otherwise each"},
	required("keep", "c", "reuse a lazy head as long as its share of the largest entries' squares is at least c times "+
		"the share in its first round").above(0).below(1).or(0.98).omitDefault(),
	required("cut", "W", "search lazy cuts forests of up to W times the largest allowed size, and larger forests where "+
		"the size jumps").atLeast(1).or(1.5).omitDefault(),
	required("root", "root", "number of a feature, counted from 1: every support contains it and is one tree; 0: no "+
		"such feature").whole().atLeast(0).features().or(0).omitDefault(),
}
