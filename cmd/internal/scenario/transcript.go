package scenario

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"graphda/io/seal"
)

// A transcript has the lines of several streams, in order of completion.
type transcript struct {
	mu      sync.Mutex
	all     []string
	streams []*stream
}

// A stream is a writer of a transcript. It puts the stream's mark before each line.
type stream struct {
	to   *transcript
	mark string
	rest bytes.Buffer
}

func (t *transcript) stream(mark string) io.Writer {
	s := &stream{to: t, mark: mark}
	t.streams = append(t.streams, s)
	return s
}

func (s *stream) Write(data []byte) (int, error) {
	s.to.mu.Lock()
	defer s.to.mu.Unlock()
	s.rest.Write(data)
	for bytes.IndexByte(s.rest.Bytes(), '\n') >= 0 {
		line, _ := s.rest.ReadString('\n') // cannot fail: the line is complete
		s.add(strings.TrimSuffix(line, "\n"))
	}
	return len(data), nil
}

// progress matches lines of progress, which appear only on a slow machine.
var progress = regexp.MustCompile(`^[0-9,]+ of [0-9,]+ ` +
	`(.*, \d+% of the work; .* left|samples in [0-9.ms]+)$`)

func (s *stream) add(line string) {
	if progress.MatchString(line) {
		return
	}
	s.to.all = append(s.to.all, strings.TrimRight(s.mark+hide(line), " "))
}

// lines returns all lines except blank lines at the end.
func (t *transcript) lines() []string {
	for _, s := range t.streams {
		if s.rest.Len() > 0 {
			s.add(s.rest.String() + "‹no line end›")
		}
	}
	n := len(t.all)
	for n > 0 && t.all[n-1] == "" {
		n--
	}
	return t.all[:n]
}

// volatile lists texts that differ by day or machine, with their replacements.
var volatile = []struct {
	pattern *regexp.Regexp
	name    string
}{
	{regexp.MustCompile(`about [0-9.hms]+ of CPU time`), "about ‹time› of CPU time"},
	{regexp.MustCompile(`used, [0-9.hms]+ left`), "used, ‹time› left"},
	{regexp.MustCompile(`([0-9,]+ of [0-9,]+ [a-z, 0-9]+) in [0-9.ms]+$`), "$1 in ‹time›"},
	{regexp.MustCompile(`took [0-9]+ MiB`), "took ‹size›"},
	{regexp.MustCompile(`learned in [0-9.e+-]+ s`), "learned in ‹time› s"},
	{regexp.MustCompile(`"(seconds_used|seconds_left)": [0-9.e+-]+`), `"$1": ‹time›`},
	{regexp.MustCompile(`expected to end on \w+ \d+ \w+ \d\d:\d\d`), "expected to end on ‹date›"},
	{regexp.MustCompile(`"finish": ".*"`), `"finish": "‹date›"`},
	{regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`), "‹date›"},
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "‹id›"},
	{regexp.MustCompile(`\.[A-Z2-7]{10,}\.tmp`), ".‹random›.tmp"},
	{regexp.MustCompile(`[0-9a-f]{12}…`), "‹id›…"},
	{regexp.MustCompile(`\b(gdrun|gdmerge)[a-z.]*-[0-9a-f]{12}\b`), "$1-‹hash›"},
	{regexp.MustCompile(`-[0-9a-f]{8}-(\d{4})-`), "-‹hash›-$1-"},
	{regexp.MustCompile(`\b` + regexp.QuoteMeta(seal.Version) + `\b( \(revision .*\))?`), "‹version›"},
}

func hide(line string) string {
	if here, err := os.Getwd(); err == nil {
		line = strings.ReplaceAll(line, here, "‹here›")
	}
	if program, err := os.Executable(); err == nil {
		line = strings.ReplaceAll(line, program, "‹bin›/‹program›")
		line = strings.ReplaceAll(line, filepath.Dir(program), "‹bin›")
	}
	for _, v := range volatile {
		line = v.pattern.ReplaceAllString(line, v.name)
	}
	return line
}
