package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"graphda/io/safefile"
	"graphda/jobs/userinput"
	"graphda/learners"
)

const maxYAMLBytes = 1 << 18

// readYAML reads at most maxYAMLBytes + 1 bytes of a file.
func readYAML(path string) ([]byte, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxYAMLBytes+1))
}

// checkCharacters refuses characters that YAML does not allow, as in damaged files.
func checkCharacters(data []byte) error {
	for at, r := range string(data) {
		invalid := r == utf8.RuneError && !bytes.HasPrefix(data[at:], []byte(string(utf8.RuneError)))
		if invalid || unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r) {
			return &lineError{1 + bytes.Count(data[:at], []byte("\n")), fmt.Errorf("byte 0x%02x is not text", data[at])}
		}
	}
	return nil
}

// decode reads a node into v. It refuses values of the wrong type, and values that YAML would change, such as 010 to 8.
// Types with a method UnmarshalYAML check their values themselves.
func decode(n *yaml.Node, v reflect.Value) error {
	if err := written(n); err != nil {
		return err
	}
	if own, is := v.Addr().Interface().(yaml.Unmarshaler); is {
		return own.UnmarshalYAML(n)
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return decode(n, v.Elem())
	case reflect.Struct:
		return decodeFields(n, v)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
			return faultAt(n, "want a list of at least one entry, as in [a, b]")
		}
		v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
		for i, entry := range n.Content {
			if err := decode(entry, v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	if n.Kind != yaml.ScalarNode {
		return faultAt(n, "want one value, not a list or mapping")
	}
	switch v.Kind() {
	case reflect.Int:
		x, err := strconv.Atoi(n.Value) // also accepts a number in quotes
		if err != nil || strconv.Itoa(x) != n.Value {
			return faultAt(n, "%q, want a whole number in decimal digits", n.Value)
		}
		v.SetInt(int64(x))
	case reflect.String:
		if isNull(n) {
			return faultAt(n, "%s is null, want a text; put it in quotes", n.Value)
		}
		v.SetString(n.Value)
	case reflect.Bool:
		if n.Value != "true" && n.Value != "false" {
			return faultAt(n, "%q, want true or false", n.Value)
		}
		v.SetBool(n.Value == "true")
	default:
		panic("experiment: a field of kind " + v.Kind().String())
	}
	return nil
}

type pair struct{ key, value *yaml.Node }

// pairsOf returns the keys and values of a mapping. It refuses keys that are not texts or not unique.
func pairsOf(n *yaml.Node) (pairs []pair, err error) {
	if n.Kind != yaml.MappingNode {
		return nil, faultAt(n, "want a mapping, as in {key: value}")
	}
	lines := map[string]int{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if err := written(key); err != nil {
			return nil, err
		}
		if key.Kind != yaml.ScalarNode {
			return nil, faultAt(key, "want a word as key")
		}
		if line, again := lines[key.Value]; again {
			return nil, faultAt(key, "%q is given twice, for the first time in line %d", key.Value, line)
		}
		lines[key.Value] = key.Line
		pairs = append(pairs, pair{key, n.Content[i+1]})
	}
	return pairs, nil
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// yamlError formats an error as one line that begins with file:line.
func yamlError(file string, err error) error {
	var at *lineError
	if errors.As(err, &at) {
		return userinput.Errorf("%s:%d: %w", file, at.line, at.err)
	}
	text := strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " ")
	for theirs, ours := range phrases {
		text = strings.Replace(text, theirs, ours, 1)
	}
	if m := regexp.MustCompile(`^line (\d+): (.*)`).FindStringSubmatch(text); m != nil {
		line, _ := strconv.Atoi(m[1])
		if strings.HasPrefix(err.Error(), "yaml: line "+m[1]+": did not find expected") { // the library counts from 0 here
			line++
		}
		return userinput.Errorf("%s:%d: %s", file, line, m[2])
	}
	return userinput.Errorf("%s: %s", file, text)
}

// phrases maps phrases of the YAML library to plain words.
var phrases = map[string]string{
	"found character that cannot start any token":    "a character that is not allowed here; use blanks, not tabs",
	"did not find expected ',' or ']'":               "a list is not closed: , or ] is missing",
	"did not find expected ',' or '}'":               "a mapping is not closed: , or } is missing",
	"did not find expected key":                      "wrong indentation, or a comma or quotation mark is missing",
	"could not find expected ':'":                    "a colon, or the quotation mark at the end of a text, is missing",
	"did not find expected <document start>":         "a second document: everything after --- or ... would be left out",
	"mapping values are not allowed in this context": "this is not allowed here; check the indentation, and quote colons",
}

type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return e.err.Error() }
func (e *lineError) Unwrap() error { return e.err }

func faultAt(n *yaml.Node, format string, args ...any) error {
	return &lineError{line: n.Line, err: fmt.Errorf(format, args...)}
}

// written refuses anchors, aliases, merge keys and tags.
func written(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 || n.Tag == "!!merge" {
		return faultAt(n, "write the values out: an experiment cannot have anchors, aliases, merge keys or tags")
	}
	return nil
}

// lineOf returns the line of the value at a path such as $.reports[0].kind, or 0 if there is no such value.
func lineOf(n *yaml.Node, path string) int {
	for _, step := range regexp.MustCompile(`\w+`).FindAllString(path, -1) {
		var next *yaml.Node
		for i := 0; n != nil && i < len(n.Content); i++ {
			switch {
			case n.Kind == yaml.SequenceNode && strconv.Itoa(i) == step:
				next = n.Content[i]
			case n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Value == step:
				next = n.Content[i]
			}
		}
		n = next
	}
	if n == nil {
		return 0
	}
	return n.Line
}

// decodeFields reads a mapping into a struct. Keys without a value change nothing.
func decodeFields(n *yaml.Node, v reflect.Value) error {
	pairs, err := pairsOf(n)
	if err != nil {
		return err
	}
	fields, keys := map[string]reflect.Value{}, []string{}
	for f, field := range v.Fields() {
		if key := f.Tag.Get("yaml"); key != "-" {
			fields[key], keys = field, append(keys, key)
		}
	}
	for _, p := range pairs {
		field, ok := fields[p.key.Value]
		if !ok {
			return faultAt(p.key, "unknown key %q%s; known here: %s", p.key.Value, learners.DidYouMean(p.key.Value, keys),
				strings.Join(keys, ", "))
		}
		if isNull(p.value) {
			continue
		}
		if err := decode(p.value, field); err != nil {
			return err
		}
	}
	return nil
}
