package network

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"graphda/io/dataframe"
)

// aliases maps an alias to the names of the nodes that have this alias.
type aliases map[string][]string

// aliasColumns are pairs of columns in tables of aliases: in our format and in STRING's. The first column names a node
// of the network, and the second has another name of this node.
var aliasColumns = [][2]string{{"alias", "name"}, {"#string_protein_id", "preferred_name"},
	{"#string_protein_id", "alias"}}

// readAliases reads a table with a pair of aliasColumns, or a table with only two columns, whose first row counts as an
// alias. If that row is a header, this does no harm, because no node has its name.
func readAliases(path string, o dataframe.Options) (aliases, error) {
	t, err := open(path, o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	all, head := aliases{}, t.Columns()
	add := func(alias, name string) {
		alias, name = dataframe.NameText(alias), dataframe.NameText(name)
		if alias != "" && name != "" && !slices.Contains(all[alias], name) {
			all[alias] = append(all[alias], name)
		}
	}
	has := func(pair [2]string) bool { return slices.Contains(head, pair[0]) && slices.Contains(head, pair[1]) }
	at := [2]int{0, 1}
	if k := slices.IndexFunc(aliasColumns, has); k >= 0 {
		for i, column := range aliasColumns[k] {
			if at[i], err = t.Find(column); err != nil {
				return nil, err
			}
		}
	} else if len(head) == 2 {
		add(head[0], head[1])
	} else {
		return nil, t.Wrong(-1, "has no columns alias and name; want these, or a file with only two columns; its columns "+
			"are %s",
			dataframe.Some(head))
	}
	for t.Next() {
		add(t.Text(at[0]), t.Text(at[1]))
	}
	return all, t.Err()
}

// GeneOf returns a function that finds which gene a column of a table of samples measures. The gene is the node of the
// network that has the column's name as an alias. In the table of aliases, genes may also be aliases of columns. If a
// column has no alias, the gene is the column's name. If a column measures several genes, gene is the column's name and
// certain is false.
func (l *EdgeList) GeneOf() func(column string) (gene string, certain bool) {
	nodes, genes := map[string]bool{}, map[string][]string{}
	for _, name := range l.all() {
		nodes[name] = true
	}
	for alias, names := range l.aliases {
		for _, column := range names {
			genes[column] = append(genes[column], alias)
		}
	}
	return func(column string) (string, bool) {
		all := genes[column]
		if all == nil {
			all = l.aliases[column]
		}
		isNone := func(name string) bool { return !nodes[name] }
		if known := slices.DeleteFunc(slices.Clone(all), isNone); len(known) > 0 {
			all = known
		}
		if nodes[column] || len(all) != 1 {
			return column, nodes[column] || len(all) == 0
		}
		return all[0], true
	}
}

// severalNodes is the finder's result for an alias of several nodes.
const severalNodes = -2

// finder returns a function that finds the node for a name in the file: first by the names of nodes, then by aliases.
// It ignores case if the request says so. For an unknown name, the function returns −1. finder returns an error if the
// names number the nodes from 0 and the file from 1, or the reverse.
func (l *EdgeList) finder(nodes []string) (func(name string) int32, error) {
	index := dataframe.IndexNames(nodes)
	last := strconv.Itoa(len(nodes))
	_, from0 := index["0"]
	if _, from1 := index[last]; from0 != from1 && areWhole(nodes) {
		missing, own := "0", last
		if from0 {
			missing, own = last, "0"
		}
		if all := l.all(); slices.Contains(all, missing) && !slices.Contains(all, own) {
			return nil, l.bad(-1, "", "has node %s and not node %s, but the other file has node %[2]s and not node %[1]s: one "+
				"file numbers the nodes from 0, the other from 1", missing, own)
		}
	}
	folded := map[string]int32{}
	for u, name := range nodes {
		if !l.request.IgnoreCase {
			break
		}
		key := strings.ToLower(name)
		if first, again := folded[key]; again {
			return nil, l.bad(-1, "", "--ignore-case makes the names %q and %q equal; rename one of them, or leave out "+
				"--ignore-case", nodes[first], name)
		}
		folded[key] = int32(u)
	}
	direct := func(name string) int32 {
		if u, ok := index[name]; ok {
			return u
		}
		if u, ok := folded[strings.ToLower(name)]; ok {
			return u
		}
		return -1
	}
	return func(name string) int32 {
		u := direct(name)
		if u >= 0 {
			return u
		}
		for _, other := range l.aliases[name] {
			v := direct(other)
			if v >= 0 && u >= 0 && v != u {
				return severalNodes
			}
			u = max(u, v)
		}
		return u
	}, nil
}

var (
	version    = regexp.MustCompile(`\.[0-9]+$`)
	notWord    = regexp.MustCompile(`[^\pL\pN]+`)
	namePrefix = regexp.MustCompile(`^[^:|_.]*[:|_.]`)
	numbered   = regexp.MustCompile(`^((?i:samples?|s|pat|patients?|p|gsm|id)?)[^A-Za-z0-9]?0*(\d+)$`)
	barcode    = regexp.MustCompile(`(?i)^(TCGA.\w{2}.\w{4})\b(?:.(\d\d))?.*`)
)

// A guess is a common reason why two files name the same genes or samples differently.
type guess struct {
	same func(string) string // returns the part on which all names of a gene or sample agree
	why  string

	// rest returns another part of a name. Names whose other parts differ belong to different things, such as S1 and
	// P1. `rest` may be nil.
	rest func(string) string
}

// DifferInCase is the guess that names differ only in upper and lower case.
const DifferInCase = "names differ in case"

const (
	differentVersions = "names differ in a version at the end, such as .1"
	differentForms    = "names look the same, but consist of different Unicode characters"
)

// invisible removes characters that are not visible, such as zero-width spaces.
var invisible = strings.NewReplacer("\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\ufeff", "", "\u00ad", "")

var guesses = []guess{
	{func(s string) string { return invisible.Replace(norm.NFKC.String(s)) }, differentForms, nil},
	{strings.ToLower, DifferInCase, nil},
	{
		func(s string) string { return version.ReplaceAllString(s, "") },
		differentVersions, version.FindString,
	},
	{
		func(s string) string { return namePrefix.ReplaceAllString(s, "") },
		"names differ in a prefix that ends with a sign such as :", namePrefix.FindString,
	},
	{
		func(s string) string { return withoutSigns(strings.ToLower(strings.TrimPrefix(s, "X"))) },
		"names differ in signs such as - and ., which R changes in names of columns unless check.names = FALSE", nil,
	},
	{
		func(s string) string { return numbered.ReplaceAllString(s, "$2") },
		"names differ in letters or zeros before a number",
		func(s string) string { return strings.ToLower(numbered.ReplaceAllString(s, "$1")) },
	},
	{
		func(s string) string { return barcode.ReplaceAllString(s, "$1") },
		"names differ in what follows the patient's TCGA barcode",
		func(s string) string { return barcode.ReplaceAllString(s, "$2") },
	},
}

// withoutSigns removes signs, except between digits: S1-1 is not S11.
func withoutSigns(s string) string {
	var b strings.Builder
	for i, part := range notWord.Split(s, -1) {
		if before := b.String(); i > 0 && before != "" && part != "" && isDigit(before[len(before)-1]) && isDigit(part[0]) {
			b.WriteByte('.')
		}
		b.WriteString(part)
	}
	return b.String()
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// systems are patterns of gene and protein ids, the most specific first.
var systems = []struct {
	looks *regexp.Regexp
	name  string
}{
	{regexp.MustCompile(`^([0-9]+\.)?ENS[A-Z]*P[0-9]{11}`), "Ensembl proteins"},
	{regexp.MustCompile(`^ENS[A-Z]*T[0-9]{11}`), "Ensembl transcripts"},
	{regexp.MustCompile(`^ENS[A-Z]*G[0-9]{11}`), "Ensembl genes"},
	{regexp.MustCompile(`_at$`), "probes of a chip"},
	{regexp.MustCompile(`^[NX][MRP]_[0-9]+`), "RefSeq ids"},
	{regexp.MustCompile(`^([OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9]([A-Z][A-Z0-9]{2}[0-9]){1,2})(-[0-9]+)?$`),
		"UniProt ids"},
	{regexp.MustCompile(`^([a-z]{3}:)?[0-9]+$`), "numbers, such as Entrez ids"},
	{regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`), "symbols"},
}

// system returns the kind of id that most of the names look like, or "".
func system(names []string) string {
	for _, s := range systems {
		n := 0
		for _, name := range names {
			if s.looks.MatchString(name) {
				n++
			}
		}
		if 2*n > len(names) {
			return s.name
		}
	}
	return ""
}

// Mismatch guesses why few of the gene names are among the other names. It returns "" if it has no guess.
func Mismatch(names, others []string) string {
	if why := Spelling(names, others); why != "" {
		return why
	}
	if a, b := system(names), system(others); a != b && a != "" && b != "" {
		return fmt.Sprintf("names are of two kinds, %s and %s", a, b)
	}
	return ""
}

// Spelling guesses how names of the same genes are written differently. It returns "" if it has no guess.
func Spelling(names, others []string) string {
	why, _ := alike(names, others, true)
	return why
}

// Alike guesses how ids of the same samples are written differently. Two ids and their counterparts are examples. If
// ids agree only in part, such as in numbers, Alike warns that they may belong to different samples. It returns "" if
// it has no guess.
func Alike(names, others []string) (why, examples string) { return alike(names, others, false) }

// alike implements Alike for ids, and Spelling for genes, which may have different versions.
func alike(names, others []string, genes bool) (why, examples string) {
	plain, _, _ := share(names, others, guess{same: func(s string) string { return s }})
	least := max(2*plain, 0.1)
	for _, g := range guesses {
		if genes && g.why == differentVersions {
			g.rest = nil
		}
		same, apart, pairs := share(names, others, g)
		switch text := strings.Join(pairs, ", "); {
		case same >= least:
			return g.why, text
		case apart >= least && !genes && why == "":
			why, examples = "they belong to other samples, such as another cohort, because only a part of each name agrees", text
		}
	}
	return why, examples
}

// share counts the names with a counterpart under the guess g, and the names whose counterparts differ in g.rest. It
// divides both counts by the length of the shorter list. `pairs` has examples of counterparts, or, if there are none,
// of counterparts that differ.
func share(names, others []string, g guess) (same, apart float64, pairs []string) {
	known := make(map[string][]string, len(others))
	for _, name := range others {
		known[g.same(name)] = append(known[g.same(name)], name)
	}
	var differ []string
	format := "%q and %q"
	if g.why == differentForms {
		format = "%+q and %+q"
	}
	for _, name := range names {
		all := known[g.same(name)]
		i := slices.IndexFunc(all, func(other string) bool {
			if g.rest == nil {
				return true
			}
			a, b := g.rest(name), g.rest(other)
			return a == b || a == "" || b == ""
		})
		switch {
		case i >= 0:
			if same++; name != all[i] && len(pairs) < 2 {
				pairs = append(pairs, fmt.Sprintf(format, name, all[i]))
			}
		case len(all) > 0:
			if apart++; len(differ) < 2 {
				differ = append(differ, fmt.Sprintf("%q and %q", name, all[0]))
			}
		}
	}
	if same == 0 {
		pairs = differ
	}
	of := float64(max(1, min(len(names), len(others))))
	return same / of, apart / of, pairs
}

// Missed guesses why a table of samples lacks all named columns, and says what to type. It returns "" if it has no
// guess. It reads the rows of the table. turned is set if the table was transposed.
func Missed(t *dataframe.Table, names []string, turned bool) string {
	var rows []string
	for t.Next() {
		rows = append(rows, t.Text(0))
	}
	isName := func(row string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, row) })
	}
	found := slices.ContainsFunc(rows, isName)
	switch why, examples := Alike(names, t.Columns()); {
	case found && turned:
		return ". They are columns of the file itself; leave out --transpose"
	case found:
		return ". They are rows; add --transpose, which turns them into columns"
	case examples != "":
		return fmt.Sprintf(". Perhaps %s (%s): rename the columns to the first name of each pair", why, examples)
	case why != "":
		return ". Perhaps " + why
	}
	return ""
}
