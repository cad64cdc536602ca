package page

import (
	"errors"
	"fmt"
	"strings"
)

// names keeps the anchors of a page apart.
type names struct {
	taken  map[string]bool
	drawn  map[string]*Figure // by name
	linked []link
}

// A link is a cell that leads to a place.
type link struct {
	from  *cell
	to    Place
	table string
}

// follow fills in where links lead to, once all figures are known.
func (n *names) follow() error {
	for _, l := range n.linked {
		f := n.drawn[l.to.Figure]
		for i := 0; f != nil && i < len(f.Panels); i++ {
			if anchor := f.prefix(i) + l.to.ID; strings.Contains(string(f.Panels[i].SVG), `id="`+anchor+`"`) {
				l.from.Link = "#" + anchor
			}
		}
		if l.from.Link == "" {
			return &Error{fmt.Sprintf("table %q", l.table), fmt.Errorf("leads to %q of figure %q, which is not there", l.to.ID,
				l.to.Figure)}
		}
	}
	return nil
}

// newNames knows the anchors of the template.
func newNames() *names {
	return &names{taken: map[string]bool{"top": true, "content": true, "warnings": true, "facts": true, "contents": true,
		"theme": true}, drawn: map[string]*Figure{}}
}

var errTaken = errors.New("another part of the page has this name")

// section takes a section's anchor.
func (n *names) section(id string) error {
	if id == "" || id != safe(id) || strings.Contains(id, ".") {
		return errors.New("an ID is of ASCII letters, digits, '-' and '_'")
	}
	if n.taken[id] {
		return errTaken
	}
	n.taken[id] = true
	return nil
}

// take returns the anchor and the file name, without extension, of a table or figure.
func (n *names) take(kind, name string) (id, file string, err error) {
	if strings.Trim(name, ". ") == "" {
		return "", "", fmt.Errorf("a %s needs a name", kind)
	}
	file = safe(name)
	id = anchor(kind, name)
	if n.taken[id] {
		return "", "", errTaken
	}
	n.taken[id] = true
	return id, file, nil
}

func anchor(kind, name string) string { return kind + "-" + strings.ReplaceAll(safe(name), ".", "-") }

// prefix begins the ids of a panel, as all figures share the page's name space.
func (f *Figure) prefix(panel int) string {
	return fmt.Sprintf("%s-%d--", anchor("figure", f.Name), panel+1)
}

// safe replaces what is not fit for a file name on every system, or for an anchor.
func safe(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '-'
	}, name)
	if strings.HasPrefix(name, ".") { // hidden, or a folder
		name = "-" + name[1:]
	}
	return name
}
