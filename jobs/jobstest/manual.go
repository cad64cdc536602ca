package jobstest

import (
	"strings"
	"testing"

	"graphda/io/regular"
)

// A ManualText is a program's manual, the package comment of its doc.go.
type ManualText struct {
	Commands []Command // the lines that begin with $
	lines    []string
}

// A Command is an example in a manual.
type Command struct {
	Line   string // without the $
	Output string // the lines that follow it; empty if the manual does not show any
}

// Manual reads the manual in a file.
func Manual(tb testing.TB, path string) *ManualText {
	tb.Helper()
	data, err := regular.ReadFile(path)
	Must(tb, err)
	m := &ManualText{}
	inCommand := false
	for _, line := range strings.Split(string(data), "\n") {
		line = strings.TrimPrefix(line, "//")
		m.lines = append(m.lines, line)
		text, indented := strings.CutPrefix(line, "\t")
		command, isCommand := strings.CutPrefix(text, "$ ")
		switch {
		case !indented:
			inCommand = false
		case isCommand:
			m.Commands = append(m.Commands, Command{Line: command})
			inCommand = true
		case inCommand:
			m.Commands[len(m.Commands)-1].Output += text + "\n"
		}
	}
	return m
}

// Block returns the indented block that begins with the line first, "" if there is none.
func (m *ManualText) Block(first string) string {
	var b strings.Builder
	for _, line := range m.lines {
		text, indented := strings.CutPrefix(line, "\t")
		if b.Len() > 0 && !indented {
			break
		}
		if indented && (b.Len() > 0 || text == first) {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}
