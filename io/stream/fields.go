package stream

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/safefile"
)

type fields struct {
	lineReader
	names     []string
	roles     []int
	separator byte
	numbers   dataframe.Decimals
	begun     bool // whether the first sample was read
	truths    dataframe.Truths
}

func newFields(in *bufio.Reader, o Options) (*fields, error) {
	if head, _ := in.Peek(3); string(head) == "\ufeff" {
		in.Discard(len(head))
	}
	f := &fields{lineReader: lineReader{in: in}}
	begins, _ := in.Peek(in.Buffered())
	begins, _, _ = bytes.Cut(begins, []byte("\n"))
	if bytes.Contains(begins[:max(len(begins)-1, 0)], []byte("\r")) && !bytes.Contains(begins, []byte(`"`)) {
		return nil, errors.New(`has lines that end with a carriage return; convert them to line feeds with tr '\r' '\n'`)
	}
	head, err := f.lineReader.next()
	if err == io.EOF {
		err = f.bad("", "is empty, want a line of column names")
	}
	if err != nil {
		return nil, err
	}
	if err := safefile.NotText(head); err != nil {
		return nil, err
	}
	if f.torn {
		return nil, &Unfinished{Line: f.n}
	}
	separator := dataframe.SeparatorLine(head)
	if separator == 0 {
		separator = dataframe.Separator("", head)
	} else if head, err = f.lineReader.next(); err != nil {
		return nil, err
	}
	f.separator, f.numbers = byte(separator), dataframe.NewDecimals(separator)
	line, err := f.split(string(head))
	if err != nil {
		return nil, err
	}
	for _, name := range line {
		f.names = append(f.names, safefile.DecodeField(strings.TrimSpace(name)))
	}
	f.roles, err = o.roles(f.names)
	return f, err
}

// These limit a quoted field of several lines. If more than mostSamples of its lines have as many fields as a sample, a
// closing quotation mark is missing.
const (
	longestField = 1 << 20
	mostLines    = 1000
	mostSamples  = 10
)

// split cuts a line into fields. A quoted field may continue on the next lines.
func (f *fields) split(line string) ([]string, error) {
	if !strings.Contains(line, `"`) {
		return strings.Split(line, string(rune(f.separator))), nil
	}
	if fields := dataframe.SplitTabs(line); f.separator == '\t' && (len(fields) == len(f.roles) || f.roles == nil) {
		return fields, nil
	}
	first, alike := f.n, 0
	unquoted := &dataframe.Error{Row: dataframe.Line(first), Err: dataframe.ErrUnquoted}
	whole := strings.Builder{}
	whole.WriteString(line)
	for quotes := strings.Count(line, `"`); quotes%2 == 1; {
		more, err := f.line()
		switch {
		case err == io.EOF && f.torn:
			return nil, &Unfinished{Line: first}
		case err == io.EOF:
			return nil, unquoted
		case err != nil:
			return nil, err
		}
		if bytes.Count(more, []byte{f.separator}) == len(f.roles)-1 && len(f.roles) > 3 {
			alike++
		}
		quotes += bytes.Count(more, []byte(`"`))
		whole.WriteByte('\n')
		whole.Write(more)
		if whole.Len()-len(line) > longestField || f.n-first > mostLines || alike > mostSamples {
			return nil, unquoted
		}
	}
	line = whole.String()
	r := csv.NewReader(strings.NewReader(line))
	r.Comma, r.TrimLeadingSpace = rune(f.separator), f.separator != '\t'
	record, err := r.Read()
	if err != nil {
		return nil, unquoted
	}
	return record, nil
}

func (f *fields) next(x []float64) (text string, err error) {
	line, err := f.lineReader.next()
	if err != nil {
		return "", err
	}
	if f.torn {
		return "", &Unfinished{Line: f.n}
	}
	if quoted := bytes.HasPrefix(line, []byte(`"`)); quoted || bytes.IndexByte(line, '"') >= 0 || !f.begun {
		record, err := f.split(string(line))
		if err != nil {
			return "", err
		}
		if f.torn {
			return "", &Unfinished{Line: f.n}
		}
		_, no := dataframe.Number(record[0]) // R's row names are words or quoted, in a column without a name
		n, named := len(f.roles), no != nil || quoted
		if named && !f.begun && len(record) == n+1 && record[n] != "" {
			f.names, f.roles = slices.Insert(f.names, 0, ""), slices.Insert(f.roles, 0, ignored)
		}
		f.begun = true
		return f.take(slices.Values(record), x)
	}
	return f.take(strings.SplitSeq(string(line), string(rune(f.separator))), x)
}

// take parses a line: the features into x, and the label into text.
func (f *fields) take(line func(func(string) bool), x []float64) (text string, err error) {
	i := 0
	for field := range line {
		if i < len(f.roles) {
			switch role := f.roles[i]; {
			case role >= 0 && role < len(x):
				if x[role], err = f.numbers.Number(field); err != nil {
					if x[role], err = f.trimmed(i, field); err != nil {
						return "", err
					}
				}
			case role == len(x):
				if text = dataframe.Word(strings.Clone(safefile.DecodeField(strings.TrimSpace(field)))); dataframe.IsMissing(text) {
					return "", f.bad(f.names[i], "is %q, a missing value; leave out the sample", field)
				}
			}
		}
		i++
	}
	if i != len(f.roles) {
		return "", f.bad("", "has %d fields, but the first line has %d", i, len(f.roles))
	}
	return text, nil
}

// trimmed parses a number with white space around or an apostrophe before it.
func (f *fields) trimmed(i int, field string) (float64, error) {
	field = safefile.DecodeField(strings.TrimSpace(field))
	if dataframe.IsMissing(field) {
		return 0, f.bad(f.names[i], "is %q, a missing value; fill it in, or leave out the sample", field)
	}
	v, err := f.numbers.Number(field)
	if v, err = f.truths.Number(i, v, err, field); err != nil {
		err = f.bad(f.names[i], "%w", err)
	}
	return v, err
}
