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

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"graphda/io/regular"
	"graphda/jobs/usage"
)

// What an experiment file may have. The YAML library's memory grows with the square of the
// depth, so both are checked before it parses.
const (
	maxYAMLBytes = 1 << 18
	maxYAMLDepth = 32 // of brackets in each other; of lists and mappings by indentation, half that many columns
)

// readYAML reads a file, of which more than an experiment may have is an error.
func readYAML(path string) ([]byte, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxYAMLBytes+1))
	if err == nil && len(data) > maxYAMLBytes {
		err = usage.Errorf("%s: %w", path, errYAMLSize)
	}
	return data, err
}

var errYAMLSize = fmt.Errorf("is longer than the %d bytes that an experiment may have", maxYAMLBytes)

// unmarshal decodes YAML into an experiment, and refuses what the library would read
// otherwise than it is written. The library answers to some malformed texts with a panic.
func unmarshal(data []byte, e *Experiment) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("cannot be read as YAML")
		}
	}()
	if len(data) > maxYAMLBytes {
		return errYAMLSize
	}
	if err := checkCharacters(data); err != nil {
		return err
	}
	tokens := lexer.Tokenize(string(data))
	if err := checkDepth(tokens); err != nil {
		return err
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return err
	}
	for i, doc := range file.Docs {
		if i > 0 && doc.Body != nil {
			return faultAt(doc.Body, "a second document: everything after --- or ... would be left out")
		}
	}
	if len(file.Docs) > 0 && file.Docs[0].Body != nil {
		if err := asWritten(file.Docs[0].Body, reflect.TypeFor[Experiment]()); err != nil {
			return err
		}
	}
	return yaml.UnmarshalWithOptions(data, e, yaml.Strict())
}

// checkCharacters refuses what is no text, such as a damaged file, by the rules of YAML.
func checkCharacters(data []byte) error {
	for at, r := range string(data) {
		invalid := r == utf8.RuneError && !bytes.HasPrefix(data[at:], []byte(string(utf8.RuneError)))
		if invalid || unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r) {
			return &lineError{1 + bytes.Count(data[:at], []byte("\n")), fmt.Errorf("the byte 0x%02x is no text", data[at])}
		}
	}
	return nil
}

// checkDepth refuses brackets in each other, and lists and mappings that are indented, too
// deep: without brackets whatever is in something stands further to the right.
func checkDepth(tokens token.Tokens) error {
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		}
		inBlock := depth == 0 && (t.Type == token.SequenceEntryType || t.Type == token.MappingKeyType ||
			t.Type == token.MappingValueType)
		if inBlock && t.Type == token.MappingValueType && t.Prev != nil {
			t = t.Prev // its key
		}
		if depth > maxYAMLDepth || inBlock && t.Position.Column > 2*maxYAMLDepth {
			return &lineError{t.Position.Line, fmt.Errorf("lists and mappings are nested deeper than %d, or indented by more "+
				"than %d", maxYAMLDepth, 2*maxYAMLDepth)}
		}
	}
	return nil
}

var gridType = reflect.TypeFor[Grid]()

// asWritten refuses the scalars below a node that the library would read as another value of
// the type: 20.9 and 010 as whole numbers, 1.50 as a text. What does not fit the type at all
// is for the library to refuse.
func asWritten(node ast.Node, t reflect.Type) error {
	if err := written(node); err != nil {
		return err
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch n := node.(type) {
	case ast.MapNode:
		if t == gridType {
			return nil // it reads its texts as they are written
		}
		for it := n.MapRange(); it.Next(); {
			if err := written(it.KeyValue().Key); err != nil {
				return err
			}
			if field, ok := fieldOf(t, scalar(it.Key())); ok && it.Value().Type() != ast.NullType {
				if err := asWritten(it.Value(), field); err != nil {
					return err
				}
			}
		}
	case *ast.SequenceNode:
		if t.Kind() != reflect.Slice {
			return nil
		}
		for _, v := range n.Values {
			if err := asWritten(v, t.Elem()); err != nil {
				return err
			}
		}
	default:
		return scalarAsWritten(node, t)
	}
	return nil
}

// fieldOf returns the type of the field of a struct that a YAML key names.
func fieldOf(t reflect.Type, key string) (reflect.Type, bool) {
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		if t.Field(i).Tag.Get("yaml") == key {
			return t.Field(i).Type, true
		}
	}
	return nil, false
}

// scalarAsWritten is asWritten of a scalar.
func scalarAsWritten(node ast.Node, t reflect.Type) error {
	text := scalar(node)
	switch node.Type() {
	case ast.IntegerType, ast.FloatType, ast.InfinityType, ast.NanType, ast.NullType, ast.StringType:
	default:
		return nil
	}
	switch t.Kind() {
	case reflect.Int:
		if n, err := strconv.Atoi(text); err != nil || strconv.Itoa(n) != text {
			return faultAt(node, "%q, want a whole number in decimal digits", text)
		}
	case reflect.String:
		var read string
		if err := yaml.NodeToValue(node, &read); err == nil && read != text && node.Type() != ast.StringType {
			return faultAt(node, "%s is a number or null and not a text: put it in quotes", text)
		}
	}
	return nil
}

// yamlError turns the YAML library's report, which shows the source over several lines,
// into one line that starts with file:line.
func yamlError(file string, err error) error {
	var at *lineError
	if errors.As(err, &at) {
		return usage.Errorf("%s:%d: %w", file, at.line, at.err)
	}
	text, allowed := yaml.FormatError(err, false, false), ""
	if unknown := (*yaml.UnknownFieldError)(nil); errors.As(err, &unknown) {
		allowed = "; an experiment has " + keysOf[Experiment]() + "; a report has " + keysOf[Report]()
	}
	if m := regexp.MustCompile(`^\[(\d+):\d+\] (.*)`).FindStringSubmatch(text); m != nil {
		return usage.Errorf("%s:%s: %s%s", file, m[1], inPlainWords(m[2]), allowed)
	}
	text, _, _ = strings.Cut(text, "\n")
	return usage.Errorf("%s: %s", file, text)
}

// phrases put plain words for those of the YAML library.
var phrases = []struct{ theirs, ours string }{
	{`^mapping key (".*") already defined at \[(\d+):\d+\]$`, `$1 is given twice, for the first time in line $2`},
	{`^',' or '\]' must be specified$|^sequence end token '\]' not found$`,
		`a list is not closed: , or ] is missing`},
	{`^',' or '}' must be specified$|^could not find flow mapping end token '}'$`,
		`a mapping is not closed: , or } is missing`},
	{`^\S+ was used where sequence is expected$`, `want a list, as in [a, b]`},
	{`^\S+ was used where mapping is expected$`, `want a mapping, as in {key: value}`},
	{`^(\S+) was used where (\S+) is expected$`, `is a $1, want a $2`},
	{`^value is not allowed in this context.*|^mapping value is not allowed in this context$`, `this cannot stand here; ` +
		`is the indentation right, and is a text with a colon in quotes?`},
}

func inPlainWords(text string) string {
	for _, p := range phrases {
		text = regexp.MustCompile(p.theirs).ReplaceAllString(text, p.ours)
	}
	return text
}

// keysOf lists the YAML keys of a struct.
func keysOf[T any]() string {
	var keys []string
	for t, i := reflect.TypeFor[T](), 0; i < t.NumField(); i++ {
		if key := t.Field(i).Tag.Get("yaml"); key != "-" {
			keys = append(keys, key)
		}
	}
	return strings.Join(keys, ", ")
}

// A lineError is a fault at a line of an experiment file.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return e.err.Error() }
func (e *lineError) Unwrap() error { return e.err }

func faultAt(n ast.Node, format string, args ...any) error {
	return &lineError{line: n.GetToken().Position.Line, err: fmt.Errorf(format, args...)}
}

// written refuses what stands for a text at another place.
func written(nodes ...ast.Node) error {
	for _, n := range nodes {
		switch n.Type() {
		case ast.AnchorType, ast.AliasType, ast.MergeKeyType, ast.TagType:
			return faultAt(n, "write the values out: an experiment takes no anchors, aliases, merge keys and tags")
		}
	}
	return nil
}

// scalar returns the text of a YAML scalar as written.
func scalar(n ast.Node) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.GetToken().Value
}

// lineOf returns the line of the value at a path, 0 if there is none.
func lineOf(data []byte, path string) int {
	p, err := yaml.PathString(path)
	if err != nil {
		return 0
	}
	node, err := p.ReadNode(bytes.NewReader(data))
	if err != nil {
		return 0
	}
	return node.GetToken().Position.Line
}
