package tabular

import (
	"fmt"

	"graphda/io/plain"
)

// Problems are what is wrong with a file: all of it, as far as it is worth listing, so that it can
// be put right at once. The zero Problems are none.
type Problems struct {
	path   string // of the first
	list   []error
	unsaid int // problems beyond those of the list
}

// MaxProblems is how many problems of a file are listed.
const MaxProblems = 20

// Add adds a problem of the file at path.
func (p *Problems) Add(path string, err error) {
	if len(p.list) == 0 {
		p.path = path
	}
	if len(p.list) == MaxProblems {
		p.unsaid++
		return
	}
	p.list = append(p.list, err)
}

// Err returns nil if there are no problems, the problem if there is one, else all.
func (p *Problems) Err() error {
	switch len(p.list) {
	case 0:
		return nil
	case 1:
		return p.list[0]
	}
	return p
}

// List returns the problems that are listed.
func (p *Problems) List() []error { return p.list }

// Error is the first problem, and how many there are.
func (p *Problems) Error() string {
	return fmt.Sprintf("%v; and %s", p.list[0], plain.Count(len(p.list)-1+p.unsaid, "more problem"))
}

// Summary is the error for whoever has been shown the list.
func (p *Problems) Summary() string {
	if p.unsaid > 0 {
		return fmt.Sprintf("%s: has %d problems; the first %d are listed above", p.path, len(p.list)+p.unsaid, len(p.list))
	}
	return fmt.Sprintf("%s: has %d problems, listed above", p.path, len(p.list))
}

// Unwrap returns the problems that are listed.
func (p *Problems) Unwrap() []error { return p.list }
