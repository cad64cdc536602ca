package stream

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"graphda/io/dataframe"
)

type objects struct {
	lineReader
	options Options
	places  map[string]int
	truths  dataframe.Truths
	keys    []key // keys of the last object; the next object probably has the same
	seen    []int // for each role, the line of the last object with a value
}

// A key is a name in an object, with the value's role.
type key struct {
	name string
	role int
}

func (o *objects) next(x []float64) (text string, err error) {
	defer func() {
		if o.torn && err != nil && err != io.EOF {
			err = &Unfinished{Line: o.n}
		}
	}()
	line, err := o.lineReader.next()
	if err != nil {
		return "", err
	}
	c := cursor{rest: string(line)}
	if !c.take('{') {
		return "", o.bad("", "is not a JSON object; want one object on each line, such as {\"%s\": 1, …}", o.options.Label)
	}
	found := 0
	for n := 0; !c.take('}'); n++ {
		if n > 0 && !c.take(',') {
			return "", o.bad("", "is not a JSON object on one line: a comma or the end of the object is missing")
		}
		name, ok := c.text()
		if !ok || !c.take(':') {
			return "", o.bad("", "is not a JSON object on one line: a name in quotation marks, or a colon, is missing")
		}
		role := o.role(n, name)
		if role != ignored {
			if o.seen[role] == o.n {
				return "", o.bad(name, "occurs twice in the object; remove one of them")
			}
			o.seen[role] = o.n
			found++
		}
		if err := o.value(&c, role, x, &text); err != nil {
			return "", o.bad(name, "%w", err)
		}
	}
	if c.more() {
		return "", o.bad("", "has more than one JSON object")
	}
	if found < len(o.seen) {
		return "", o.missing()
	}
	return text, nil
}

// role returns the role of an object's n-th name (see ignored).
func (o *objects) role(n int, name string) int {
	if n < len(o.keys) && o.keys[n].name == name {
		return o.keys[n].role
	}
	role, wanted := o.places[name]
	if !wanted {
		role = ignored
	}
	name = strings.Clone(name) // a substring would keep the line in memory
	if n < len(o.keys) {
		o.keys[n] = key{name, role}
	} else {
		o.keys = append(o.keys, key{name, role})
	}
	return role
}

// value reads the next value of the object into x or text, according to its role.
func (o *objects) value(c *cursor, role int, x []float64, text *string) (err error) {
	word, quoted, err := c.value()
	switch {
	case err != nil || role == ignored:
		return err
	case role == len(x):
		if !quoted && (word == "null" || word == "[" || word == "{") {
			return fmt.Errorf("is %s, want a label", word)
		}
		*text = dataframe.Word(strings.Clone(word))
	case quoted:
		return fmt.Errorf("is the text %q, want a number", word)
	case word == "null":
		return fmt.Errorf("is null, a missing value; fill it in, or leave out the sample")
	default:
		x[role], err = dataframe.Number(word)
		x[role], err = o.truths.Number(role, x[role], err, word)
	}
	return err
}

func (o *objects) missing() error {
	var names []string
	for i := range o.keys {
		names = append(names, o.keys[i].name)
	}
	err := o.options.lack(func(name string) bool { return o.seen[o.places[name]] == o.n }, names)
	return &dataframe.Error{Row: o.row(), Err: err}
}

// A cursor parses a line of JSON from left to right.
type cursor struct{ rest string }

// more skips white space and reports whether anything follows.
func (c *cursor) more() bool {
	for c.rest != "" && isSpace(c.rest[0]) {
		c.rest = c.rest[1:]
	}
	return c.rest != ""
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// take skips the next byte if it is b, and reports whether it was.
func (c *cursor) take(b byte) bool {
	if c.more() && c.rest[0] == b {
		c.rest = c.rest[1:]
		return true
	}
	return false
}

func (c *cursor) text() (string, bool) {
	if !c.take('"') {
		return "", false
	}
	escaped := false
	for i := 0; i < len(c.rest); i++ {
		switch c.rest[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			s := c.rest[:i]
			c.rest = c.rest[i+1:]
			if escaped && json.Unmarshal([]byte(`"`+s+`"`), &s) != nil {
				return "", false
			}
			return s, true
		}
	}
	return "", false
}

// value reads a string, or a word such as 1.5 or null. For an array or an object, it returns only the first byte.
func (c *cursor) value() (word string, quoted bool, err error) {
	if !c.more() {
		return "", false, fmt.Errorf("has no value")
	}
	switch c.rest[0] {
	case '"':
		if word, quoted = c.text(); !quoted {
			err = fmt.Errorf("is a text without its closing quotation mark")
		}
		return word, quoted, err
	case '[', '{':
		return c.rest[:1], false, c.skip()
	}
	end := 0
	for end < len(c.rest) && c.rest[end] != ',' && c.rest[end] != '}' && !isSpace(c.rest[end]) {
		end++
	}
	if end == 0 || end == len(c.rest) {
		return "", false, fmt.Errorf("has no value, or its end is missing")
	}
	word, c.rest = c.rest[:end], c.rest[end:]
	return word, false, nil
}

func (c *cursor) skip() error {
	for depth := 0; c.more(); {
		switch c.rest[0] {
		case '"':
			if _, ok := c.text(); !ok {
				return fmt.Errorf("has a text without its closing quotation mark")
			}
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if c.rest = c.rest[1:]; depth == 0 {
			return nil
		}
	}
	return fmt.Errorf("is a list without its closing bracket")
}
