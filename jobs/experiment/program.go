package experiment

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"graphda/io/results"
	"graphda/io/safefile"
	"graphda/io/seal"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// programMethod is the value of the key "method" in a program's entry.
const programMethod = "program"

// A programEntry is a program's entry in the list of methods.
type programEntry struct {
	Method     string   `yaml:"method"`
	Name       string   `yaml:"name"`
	Command    []string `yaml:"command"`
	Files      []string `yaml:"files"`
	Grid       axes     `yaml:"grid"`
	Timeout    string   `yaml:"timeout"`
	Memory     string   `yaml:"memory"`
	Processors int      `yaml:"processors"`
	Data       string   `yaml:"data"`
	Same       bool     `yaml:"deterministic"`
	Datasets   []string `yaml:"datasets"`
	Trials     []int    `yaml:"trials"`
}

// axes are a program's parameters, in YAML a mapping from names to numbers or words.
type axes []Axis

// UnmarshalYAML reads the mapping in file order.
func (a *axes) UnmarshalYAML(node *yaml.Node) error {
	pairs, err := pairsOf(node)
	for _, p := range pairs {
		axis, err := readAxis("grid", p, func(text string) (string, error) { return fmt.Sprint(typed(text)), nil })
		if err != nil {
			return err
		}
		*a = append(*a, axis)
	}
	return err
}

// FreeColumns returns the extra columns of result files, or nil if the experiment has no programs.
func (e *Experiment) FreeColumns() []string {
	if len(e.Programs()) == 0 {
		return nil
	}
	return []string{results.SettingsColumn}
}

// Value returns a parameter's value for JSON: a word as a string, and otherwise a number.
func Value(p *learners.Param, v float64) any {
	if p.Words == nil {
		return v
	}
	return typed(p.Words[int(v)])
}

func (g *Grid) readProgram(node *yaml.Node) error {
	e := programEntry{Data: "npy", Timeout: "10m", Memory: "512MiB", Processors: 1, Same: true}
	if err := decode(node, reflect.ValueOf(&e).Elem()); err != nil {
		return err
	}
	timeout, err := time.ParseDuration(e.Timeout)
	memory, fits := parseBytes(e.Memory)
	g.Method, g.Axes, g.Datasets, g.Trials = e.Name, e.Grid, e.Datasets, e.Trials
	g.Program = &Program{Command: e.Command, Data: e.Data, Timeout: timeout, Memory: memory, Processors: e.Processors,
		Varies: !e.Same}
	switch unfit := g.Program.check(e.Name); {
	case unfit != nil:
		return faultAt(node, "%v", unfit)
	case err != nil || timeout <= 0:
		return faultAt(node, "%s: timeout %q, want a time as in 5m or 90s", e.Name, e.Timeout)
	case !fits:
		return faultAt(node, "%s: memory %q, want a whole number of MiB or GiB, as in 512MiB", e.Name, e.Memory)
	}
	for _, name := range e.Files {
		g.Program.Files = append(g.Program.Files, File{Name: name})
	}
	return nil
}

func (p *Program) check(name string) error {
	_, taken := learners.Lookup(name)
	switch {
	case p == nil: // a method of package learners
		return nil
	case !safeName.MatchString(name) || name == programMethod || taken == nil:
		return fmt.Errorf("program name %q, %s, and not the name of a method", name, wantName)
	case len(p.Command) == 0 || p.Command[0] == "":
		return fmt.Errorf("%s: command is missing, want a list as in [python3, mine.py]", name)
	case p.Processors < 1:
		return fmt.Errorf("%s: processors = %d, want at least 1", name, p.Processors)
	case p.Data != "npy" && p.Data != "csv":
		return fmt.Errorf("%s: data %q, want npy or csv", name, p.Data)
	}
	for _, f := range p.Files {
		// If the file has no digest, readFiles will check it later, with better messages.
		if f.Digest != "" && !filepath.IsLocal(f.Name) {
			return fmt.Errorf("%s: file %q is not below the program's folder", name, f.Name)
		}
	}
	return nil
}

// parseBytes reads a size in MiB or GiB, at most 1,024 TiB.
func parseBytes(text string) (bytes int64, ok bool) {
	for unit, shift := range map[string]int{"MiB": 20, "GiB": 30} {
		if digits, ours := strings.CutSuffix(text, unit); ours {
			n, err := strconv.Atoi(strings.TrimSpace(digits))
			return int64(n) << shift, err == nil && n > 0 && n <= 1<<20
		}
	}
	return 0, false
}

// Programs returns the grids whose methods are programs.
func (e *Experiment) Programs() (found []*Grid) {
	for i := range e.Methods {
		if g := &e.Methods[i]; g.Program != nil {
			found = append(found, g)
		}
	}
	return found
}

// Program returns the grid of the program with this name, or nil if there is none.
func (e *Experiment) Program(method string) *Grid {
	for _, g := range e.Programs() {
		if g.Method == method {
			return g
		}
	}
	return nil
}

// Lookup returns the method with this name: a program of the experiment, or a method of package learners.
func (e *Experiment) Lookup(name string) (*learners.Method, error) {
	if g := e.Program(name); g != nil {
		return g.Lookup()
	}
	return learners.Lookup(name)
}

// Identity returns canonical JSON that identifies the grid's method in cell ids. A program's identity consists of its
// name, its command without folders of absolute paths, and the digests of its files.
func (g *Grid) Identity() string {
	identity := any(g.Method)
	if p := g.Program; p != nil {
		command, files := slices.Clone(p.Command), map[string]string{}
		for i, word := range command {
			if filepath.IsAbs(word) {
				command[i] = filepath.Base(word)
			}
		}
		for _, f := range p.Files {
			files[f.Name] = f.Digest
		}
		identity = map[string]any{"command": command, "files": files, "program": g.Method}
	}
	text, _ := json.Marshal(identity) // cannot fail for texts
	return string(text)
}

// readFiles reads the programs' files. It refuses files that are not below dir.
func (e *Experiment) readFiles(dir string) error {
	const largest = 64 << 20
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, g := range e.Programs() {
		for i := range g.Program.Files {
			f := &g.Program.Files[i]
			info, err := root.Stat(f.Name)
			switch {
			case err != nil:
				return userinput.Errorf("program %s: file %q is not below the experiment's folder %s: %w", g.Method, f.Name, dir,
					err)
			case !info.Mode().IsRegular() || info.Size() > largest:
				return userinput.Errorf("program %s: %q is not a file of at most %d MiB", g.Method, f.Name, largest>>20)
			}
			if f.Content, err = root.ReadFile(f.Name); err != nil {
				return err
			}
			f.Name, f.Digest, f.Mode = filepath.ToSlash(filepath.Clean(f.Name)), digest(f.Content), info.Mode().Perm()
		}
	}
	return nil
}

func digest(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

// limits lists the settings of programs that are not part of cell ids.
func (e *Experiment) limits() (text string) {
	for _, g := range e.Programs() {
		text += fmt.Sprint(g.Program.Data, g.Program.Timeout, g.Program.Memory, g.Program.Processors, g.Program.Varies, "\n")
	}
	return text
}

// Install writes the program's files below a folder.
func (p *Program) Install(dir string) error {
	for _, f := range p.Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := seal.Write(path, func(w io.Writer) error { _, err := w.Write(f.Content); return err }); err != nil {
			return err
		}
		if err := os.Chmod(path, f.Mode); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o777)
}

// Check returns an error if a file of the program in dir has changed since the plan was made.
func (p *Program) Check(dir string) error {
	for _, f := range p.Files {
		path := filepath.Join(dir, f.Name)
		content, err := safefile.ReadFile(path)
		if err != nil {
			return err
		}
		if now := digest(content); now != f.Digest {
			return userinput.Errorf("%s has changed after planning (%.12s…, planned %.12s…); plan again into another folder",
				path, now, f.Digest)
		}
	}
	return nil
}

// String returns the command and the digests of the files.
func (p *Program) String() string {
	text := fmt.Sprintf("%q", p.Command)
	for _, f := range p.Files {
		text += fmt.Sprintf(", %s %.12s…", f.Name, f.Digest)
	}
	if p.Varies {
		text += ", not deterministic"
	}
	return text
}

// ReadsAs reports whether two experiments with the same cells also agree in names, rules, reports and limits.
func (e *Experiment) ReadsAs(o *Experiment) bool {
	return e.Name == o.Name && e.Title == o.Title && e.Paper == o.Paper &&
		slices.Equal(e.Selection, o.Selection) && e.Scale == o.Scale && reflect.DeepEqual(e.Reports, o.Reports) &&
		e.limits() == o.limits()
}
