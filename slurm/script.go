package slurm

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"
)

// A Script is a batch script. It prepares the environment and then replaces itself with one program (exec), so the
// program receives the job's signals.
type Script struct {
	Name      string   // unique name of the job, of letters, digits and _.+- (see Client.Submit)
	About     string   // a line for readers of the script
	Launcher  []string // words before the program, such as apptainer exec image.sif; may be nil
	Program   string   // absolute path
	Args      []string
	Array     *Array // nil for a single job; in an array, the program also gets --index, --offset and --jobs
	Resources Resources
	Setup     string        // file to source first, relative to the job's directory; "" means none
	Scratch   string        // folder on the node for the argument --scratch (see Expand); "" means none
	Lead      time.Duration // time from the signal USR1 to the time limit; 0 means no signal
	Log       string        // path of the log below the job's directory; may contain sbatch's patterns
}

//go:embed script.tmpl
var scriptText string

var scriptTemplate = template.Must(template.New("script").Option("missingkey=error").
	Funcs(template.FuncMap{"sh": Quote, "expand": Expand, "comment": comment}).Parse(scriptText))

// Render writes the script to w.
func (s *Script) Render(w io.Writer) error {
	if err := s.Validate(); err != nil {
		return err
	}
	view := struct {
		*Script
		Setup   string
		Options []string
		Literal bool // whether shellcheck must accept a literal $ or `
	}{s, s.Setup, s.options(), strings.ContainsAny(strings.Join(s.words(), ""), "$`")}
	if view.Setup != "" {
		view.Setup = "./" + view.Setup // or the shell would search PATH
	}
	var text bytes.Buffer
	if err := scriptTemplate.Execute(&text, view); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}

func comment(text string) string {
	const width = 96 // characters
	var lines []string
	line := "#"
	for word := range strings.FieldsSeq(text) {
		if line != "#" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line = append(lines, line), "#"
		}
		for runes := []rune(word); len(runes) > width-2; runes = []rune(word) {
			lines, word = append(lines, line+" "+string(runes[:width-2])), string(runes[width-2:])
		}
		line += " " + word
	}
	return strings.Join(append(lines, line), "\n")
}

func (s *Script) words() []string {
	return append(append([]string{s.Program, s.Setup, s.Scratch}, s.Launcher...), s.Args...)
}

func (s *Script) options() []string {
	options := []string{"--job-name=" + s.Name}
	if s.Array != nil {
		options = append(options, s.Array.option())
	}
	options = append(options, s.Resources.options()...)
	if s.Lead > 0 {
		options = append(options, fmt.Sprintf("--signal=B:USR1@%d", int(s.Lead.Seconds())))
	}
	if !slices.Contains(s.Resources.Extra, noRequeue) {
		options = append(options, "--requeue")
	}
	for _, option := range s.Resources.Extra {
		if !only(option, plain) { // Slurm reads quotes like a shell
			option = `"` + option + `"`
		}
		options = append(options, option)
	}
	return append(options, "--open-mode=append")
}

// Validate returns an error that names every value that a script cannot contain.
func (s *Script) Validate() error {
	var errs []error
	check := func(err error) { errs = append(errs, err) }
	check(checkAlphabet("job name", s.Name, nameSigns))
	if s.Name == "" || s.Name[0] == '-' {
		check(fmt.Errorf("job name = %q, want a name that begins with a letter or a digit", s.Name))
	}
	if s.About == "" || strings.ContainsFunc(s.About, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		check(fmt.Errorf("about = %q, want one line of text", s.About))
	}
	if !filepath.IsAbs(s.Program) {
		check(fmt.Errorf("program = %q, want an absolute path", s.Program))
	}
	for _, word := range s.words() {
		check(checkWord("value", word))
	}
	if s.Setup != "" && !filepath.IsLocal(s.Setup) {
		check(fmt.Errorf("setup = %q, want a file inside the run's folder", s.Setup))
	}
	check(checkAlphabet("log", s.Log, nameSigns+"%/"))
	if !filepath.IsLocal(s.Log) {
		check(fmt.Errorf("log = %q, want a name inside the run's folder", s.Log))
	}
	if s.Array != nil {
		check(s.Array.Validate())
	}
	check(s.Resources.Validate())
	check(s.checkLead())
	return errors.Join(errs...)
}

// mostLead is the longest lead time that Slurm allows.
const mostLead = 65535 * time.Second

func (s *Script) checkLead() error {
	limit, err := ParseTime(s.Resources.Time)
	switch {
	case s.Lead < 0 || s.Lead > mostLead || s.Lead%time.Second != 0:
		return fmt.Errorf("signal lead time = %v, want whole seconds, at most %v", s.Lead, mostLead)
	case err == nil && s.Lead >= limit:
		return fmt.Errorf("signal lead time = %v, want less than the time limit %v", s.Lead, limit)
	}
	return nil
}

const nameSigns = "_.+-"

// JobName turns base into a valid name for a job.
func JobName(base string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && only(string(r), letters+nameSigns) {
			return r
		}
		return '_'
	}, base)
	return strings.TrimLeft(name, nameSigns)
}
