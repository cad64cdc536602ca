package importing

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"graphda/jobs/own/sampletable"
	"unicode/utf16"
)

// An oddFile is a file that is not as it should be, and what an import says of it.
type oddFile struct {
	what    string
	name    string // s.csv, or another name of the samples; e.csv and the like for the edges, l.csv for labels, f.csv for features, g.csv for groups
	content string
	change  func(r *Request)
	refused string // the error, or a part of it; "" if the file is taken
	note    string // a part of what is told, if it is taken
}

// with is the table with one thing replaced.
func with(old, new string) string { return strings.Replace(joined(table()), old, new, 1) }

func withAll(old, new string) string { return strings.ReplaceAll(joined(table()), old, new) }

// first returns the first lines of the table.
func first(n int) string { return joined(table()[:n]) }

// cells changes every row of the table.
func cells(change func(i int, f []string) []string) string {
	rows := table()
	for i, row := range rows {
		rows[i] = strings.Join(change(i, strings.Split(row, ",")), ",")
	}
	return joined(rows)
}

// plus adds a column to the table.
func plus(name string, value func(i int) string) string {
	return cells(func(i int, f []string) []string {
		if i == 0 {
			return append(f, name)
		}
		return append(f, value(i))
	})
}

func constantly(value string) func(int) string { return func(int) string { return value } }

func inUTF16(order binary.AppendByteOrder, content string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(content)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

func packed(content string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(content))
	z.Close()
	return b.String()
}

// indexed has an index before the ids, in a column of that name.
func indexed(id string) string {
	return cells(func(i int, f []string) []string {
		if i == 0 {
			return append([]string{"", id}, f[1:]...)
		}
		return append([]string{fmt.Sprint(i)}, f...)
	})
}

// of is an import with a column of patients.
func of(column string) func(r *Request) { return func(r *Request) { r.Patient = column } }

var oddSamples = []oddFile{
	{what: "NA", content: with("P3,1,3", "P3,1,NA"), refused: `line 5, column "a": is "NA": a missing value`},
	{what: "#N/A", content: with("P3,1,3", "P3,1,#N/A"), refused: `line 5, column "a": is "#N/A": a missing value`},
	{what: "NaN", content: with("P3,1,3", "P3,1,NaN"), change: func(r *Request) { r.Missing = sampletable.MissingMean }, note: "1 of 30 values are missing"},
	{what: "a column without a value", content: plus("d", constantly("")), change: func(r *Request) { r.Missing = sampletable.MissingMedian }, refused: `column "d": has no values; --drop "d" leaves it out`},
	{what: "a value missing in every sample", content: plus("d", constantly("NA")), change: func(r *Request) { r.Missing = sampletable.MissingSamples }, refused: "every sample has a missing value"},
	{what: "a value missing of every feature", content: cells(func(i int, f []string) []string {
		if i == 4 {
			return []string{f[0], f[1], "", "", ""}
		}
		return f
	}), change: func(r *Request) { r.Missing = sampletable.MissingFeatures }, refused: "every feature has a missing value"},
	{what: "a missing label", content: with("P3,1", "P3,"), change: func(r *Request) { r.Missing = sampletable.MissingMedian }, refused: `s.csv: column "y": has no label for 1 of 10 samples: P3 (line 5); --unlabelled drop leaves them out`},
	{what: "a missing label, left out", content: with("P3,1", "P3,NA"), change: func(r *Request) { r.Unlabelled = "drop" }, note: "left out 1 sample of s.csv without a label (10 %): P3"},
	{what: "three classes", content: with("P3,1", "P3,2"), refused: `column "y": has 3 values, "0" (5), "1" (4), "2" (1); want two classes, or --task regression`},
	{what: "labels of many numbers", content: cells(func(i int, f []string) []string {
		if i > 0 {
			f[1] = fmt.Sprint(i * i)
		}
		return f
	}), refused: `want two classes, or --task regression`},
	{what: "a class with capitals and without", content: with("P3,1", "P3,I"), refused: "has 3 classes"},
	{what: "classes that need a word", content: cells(func(i int, f []string) []string {
		if i > 0 {
			f[1] = []string{"sick", "well"}[i%2]
		}
		return f
	}), refused: `--positive "well" or --positive "sick" says which of them is +1`},
	{what: "yes and no", content: cells(func(i int, f []string) []string {
		if i > 0 {
			f[1] = []string{"Yes", "NO"}[i%2]
		}
		return f
	})},
	{what: "a column of words", content: plus("sex", constantly("f")), refused: `line 2, column "sex": is "f", want a finite decimal number; 9 more values are like it; if the column is no feature, add --drop "sex"; --patient names a column of patients, and --covariates or --batch a column to adjust for`},
	{what: "a column of days", content: plus("day", constantly("2020-01-31")), refused: `line 2, column "day": is "2020-01-31"`},
	{what: "a long row", content: with("P3,1,3,2,7", "P3,1,3,2,7,8"), refused: "s.csv: line 5: has 6 fields, but line 1 has 5"},
	{what: "many ragged rows", content: cells(func(i int, f []string) []string { return f[:5-i%3] }), refused: "line 2: has 4 fields, but line 1 has 5; and 6 more problems"},
	{what: "UTF-16 of Windows", content: "\xff\xfe" + inUTF16(binary.LittleEndian, joined(table()))},
	{what: "UTF-16, the other way round", content: "\xfe\xff" + inUTF16(binary.BigEndian, joined(table()))},
	{what: "a byte order mark", content: "\ufeff" + joined(table())},
	{what: "lines of Windows", content: withAll("\n", "\r\n")},
	{what: "lines of old Macs", content: withAll("\n", "\r")},
	{what: "an unknown separator", content: withAll(",", ":"), refused: `its columns are id:y:a:b:c; if "id:y:a:b:c" is not one name, --sep says what separates the fields`},
	{what: "an unknown separator, told", content: withAll(",", ":"), change: func(r *Request) { r.Text.Separator = ':' }},
	{what: "semicolons and decimal commas", content: strings.NewReplacer(",", ";").Replace(with("P3,1,3", "P3,1,3.5")), change: func(r *Request) { r.Text.Decimal = ',' }, refused: `is "3.5", want a finite number with a decimal comma`},
	{what: "decimal commas in quotes", content: with("P3,1,3", `P3,1,"3,5"`), change: func(r *Request) { r.Text.Decimal = ',' }},
	{what: "tabs in .csv", content: withAll(",", "\t")},
	{what: "bars", content: withAll(",", "|")},
	{what: "white space in .txt", name: "s.txt", content: withAll(",", "   ")},
	{what: "an id twice", content: with("P3,", "P1,"), refused: `line 5, column "id": is "P1", as in line 3; each sample needs its own id`},
	{what: "an id that is not UTF-8", content: with("P3,", "\xff,"), refused: `line 5, column "id": is "\xff", which is not UTF-8`},
	{what: "no such id", content: joined(table()), change: func(r *Request) { r.ID = "name" }, refused: `id = "name" is not a column of s.csv; its columns are id, y, a, b, c`},
	{what: "the label as id", content: joined(table()), change: func(r *Request) { r.ID = "y" }, refused: `id = "y" is also the label`},
	{what: "no such patient", content: joined(table()), change: of("who"), refused: `patient = "who" is not a column of s.csv`},
	{what: "the label as patient", content: joined(table()), change: of("y"), refused: `patient = "y" is also the label, the id or the split`},
	{what: "no patient", content: plus("who", func(i int) string { return fmt.Sprint(i)[:i%9%2] }), change: of("who"), refused: `line 3, column "who": is "", want the sample's patient; and 4 more problems`},
	{what: "patients on two sides", content: cells(func(i int, f []string) []string {
		if i == 0 {
			return append(f, "who", "split")
		}
		return append(f, fmt.Sprint("Q", i/2), []string{"train", "train", "valid", "test"}[i%4])
	}), change: of("who"), refused: `line 4, column "split": is "test" for patient "Q1", but "valid" in line 3`},
	{what: "fewer of a class than folds", content: with("P3,1", "P3,0"), change: func(r *Request) { r.Folds, r.Trials = 5, 5 }, refused: `4 rows of class "1", want at least 5, one for each fold`},
	{what: "folds of a third", content: joined(table()), change: func(r *Request) { r.Folds, r.Trials = 3, 4 }, refused: "folds = 3 with --trials 4"},
	{what: "no end of the last line", content: strings.TrimSuffix(joined(table()), "\n"), note: "s.csv: line 11: has no line end, so its last value may be cut off; if the value is complete, add a line end"},
	{what: "no id", content: with("P3,", ","), refused: `line 5, column "id": is empty, want the id of a sample`},
	{what: "dates of a spreadsheet for genes", content: with(",c\n", ",2-Sep\n"), note: "1 feature is named like dates, because spreadsheets turn genes such as MARCH1 into dates; restore the names in the file: 2-Sep"},
	{what: "blank lines", content: "\n\n\n", refused: "s.csv: is empty, want a row of column names"},
	{what: "p = 1", content: cells(func(_ int, f []string) []string { return f[:3] }), refused: "e.csv: has no edge between two features: the samples have only one feature, a"},
	{what: "n = 1", content: first(2), refused: `column "y": is "0" in every row, want two classes`},
	{what: "n = 2 in regression", content: first(3), change: func(r *Request) { r.Task = sampletable.Regression }, refused: "s.csv: has 2 rows, want at least 3, one for each split"},
	{what: "n = 6", content: first(7)},
	{what: "a constant column", content: plus("d", constantly("7")), note: "1 feature is constant and thus useless: d"},
	{what: "scales that differ", content: plus("d", func(i int) string { return fmt.Sprint(i * 100000) }), note: "the features differ in scale by a factor of"},
	{what: "gzip by another name", content: packed(joined(table()))},
	{what: "gzip cut off", name: "s.csv.gz", content: packed(joined(table()))[:60], refused: "s.csv.gz: the gzip file is cut off"},
	{what: "text that is no Parquet", name: "s.parquet", content: joined(table()), refused: "s.parquet: "},
	{what: "no table", name: "s.docx", content: joined(table()), refused: "s.docx: is of an unknown kind"},
	{what: "a file of R", name: "s.rds", content: "RDX3\n\x00\x00", refused: "s.rds: is of an unknown kind; want a name that ends with .csv, .tsv, .txt"},
	{what: "genes as rows", content: "gene,S1,S2,S3\nTP53,1,2,3\nMDM2,4,5,6\n", refused: "its columns are gene, S1, S2, S3; if rows are genes and columns are samples, add --transpose"},
	{what: "row names of R", content: cells(func(i int, f []string) []string {
		if i == 0 {
			return f[1:]
		}
		return f
	})},
	{what: "an index of pandas", content: with("id,", ",")},
	{what: "an index beside ids", content: indexed("id"), note: "ids by column \"id\"; the first column, an index, is left out"},
	{what: "an index beside ids of another name", content: indexed("code"), change: func(r *Request) { r.ID = "code" }, note: "ids by column \"code\"; the first"},
	{what: "ids of a name that nobody knows", content: indexed("code"), change: func(r *Request) { r.Drop = []string{""} }, refused: `line 2, column "code": is "P0", want a finite decimal number; all values of the column are like it; add --id "code" if it names the samples, or --drop "code" if it is no feature`},
	{what: "an index of pandas, read and saved again", content: with("id,", "Unnamed: 0,")},
	{what: "empty columns at the end", content: withAll("\n", ",,\n")},
	{what: "empty rows at the end", content: joined(table()) + ",,,,\n,,,,\n"},
	{what: "spaces around names and values", content: withAll(",", " , ")},
	{what: "a GCT file of another size", name: "s.gct", content: "#1.2\n3\t2\nName\tDescription\tS1\tS2\na\tx\t1\t2\n", refused: "s.gct: has 1 rows of genes, but line 2 says 3"},
}

var oddEdges = []oddFile{
	{what: "a head alone", name: "e.csv", content: "source,target\n", refused: "e.csv: 0 of 0 nodes are features (0 %), 0 of 3 features are nodes (0 %); want 50 % of either"},
	{what: "no column names", name: "e.csv", content: "a,c\nb,c\n"},
	{what: "nodes that are names of columns", name: "e.csv", content: "a,b\nb,c\n", refused: "e.csv: begins with a and b, which may be names of columns or of nodes"},
	{what: "one column", name: "e.csv", content: "source\na\n", refused: "e.csv: has no columns source and target"},
	{what: "a cost that is no number", name: "e.csv", content: "source,target,cost\na,b,cheap\n", refused: `e.csv: line 2, column "cost": is "cheap", want a finite number of at least 0`},
	{what: "a missing cost", name: "e.csv", content: "source,target,cost\na,b,NA\n", refused: `column "cost": is "NA", want a finite number of at least 0`},
	{what: "self-loops", name: "e.csv", content: "source,target\na,b\nb,b\nb,c\n", note: "left out 1 self-loop of e.csv"},
	{what: "an edge twice", name: "e.csv", content: "source,target\na,b\nb,a\n", note: "left out 1 repeated edge of e.csv"},
	{what: "another case", name: "e.csv", content: "source,target\nA,B\nB,C\n", refused: "Perhaps they differ in case; --ignore-case matches them"},
	{what: "another case, told", name: "e.csv", content: "source,target\nA,B\nB,C\n", change: func(r *Request) { r.Edges.IgnoreCase = true }},
	{what: "versions", name: "e.csv", content: "source,target\na.1,b.2\nb.2,c.11\n", refused: "Perhaps only one of each pair has a version such as .1 at its end"},
	{what: "prefixes", name: "e.csv", content: "source,target\nhsa:a,hsa:b\nhsa:b,hsa:c\n", refused: "Perhaps they differ in a prefix"},
	{what: "other ids", name: "e.csv", content: "source,target\nENSG00000141510,ENSG00000135679\n", refused: "Perhaps they are of two kinds, Ensembl genes and symbols"},
	{what: "ids of proteins", name: "e.csv", content: "source,target\nP04637,Q00987\n", refused: "are of two kinds, UniProt ids and symbols"},
	{what: "few names in common", name: "e.csv", content: "source,target\na,x\nx,y\ny,z\nz,w\n", refused: "e.csv: 1 of 5 nodes are features (20 %), 1 of 3 features are nodes (33.3 %); want 50 % of either; if the other names have no counterpart, --min-matched 0.33 accepts this"},
	{what: "ragged rows", name: "e.csv", content: "source,target\na,b\na,b,c\nb\n", refused: "e.csv: line 3: has 3 fields, but line 1 has 2; and 1 more problem"},
	{what: "a confidence that is not there", name: "e.csv", content: "source,target\na,b\n", change: func(r *Request) { r.Edges.Confidence = "score" }, refused: `confidence = "score" is not a column of e.csv; its columns are source, target`},
	{what: "labels of no sample", name: "l.csv", content: "id,y\nX1,1\nX2,0\n", refused: "l.csv: has labels for 0 of the 10 samples of s.csv"},
	{what: "two labels of one sample", name: "l.csv", content: "id,y\nP1,1\nP1,0\n", refused: `l.csv: line 3, column "y": is "0" for sample "P1", but "1" in line 2`},
	{what: "no names of features", name: "f.csv", content: "locus,truth\na,1\n", refused: `f.csv: has no column "name"; its columns are locus, truth`},
	{what: "nothing about features", name: "f.csv", content: "name,weight\na,1\n", refused: "f.csv: has none of the columns truth, row, col, x and y besides name; its columns are name, weight"},
	{what: "a truth in words", name: "f.csv", content: "name,truth\na,big\n", refused: `f.csv: line 2, column "truth": is "big", want a finite decimal number`},
	{what: "no truth", name: "f.csv", content: "name,truth\na,\n", refused: `f.csv: line 2, column "truth": is "", want`},
	{what: "two truths", name: "f.csv", content: "name,truth,truth\na,1,1\n", refused: `f.csv: column "truth": occurs twice in the file`},
	{what: "a feature twice", name: "f.csv", content: "name,truth\na,1\na,1\n", refused: `f.csv: line 3, column "name": has "a" a second time; want one row for each feature`},
	{what: "groups beside the truth", name: "f.csv", content: "name,truth,group\na,1,x\n", refused: `f.csv: column "group": has groups, which --groups reads; remove the column`},
	{what: "one coordinate", name: "f.csv", content: "name,row\na,1\n", refused: "f.csv: has only one of the columns row and col, or of x and y; want both or neither"},
	{what: "places of a few", name: "f.csv", content: "name,row,col\na,1,1\n", refused: `f.csv: column "row": needs a value for each feature, but there is no row for b, c`},
	{what: "features of another name", name: "f.csv", content: "name,truth\nA,1\n", refused: "f.csv: has no row for any feature; features have names like a, b, c"},
	{what: "no feature", name: "f.csv", content: "name,truth\n", refused: "f.csv: has no row for any feature"},
	{what: "no column of groups", name: "g.csv", content: "gene,kind\na,1\n", refused: `g.csv: has no column "group"; its columns are gene, kind`},
	{what: "no group", name: "g.csv", content: "feature,group\na,\n", refused: `g.csv: line 2, column "group": is "", want the name of a group`},
	{what: "groups of nothing", name: "g.csv", content: "feature,group\nx,1\n", refused: `g.csv: column "feature": names no feature; features have names like a, b, c`},
}

// Each odd file gives one clear line, or is handled. Nothing is left of an import that fails.
func TestOddFiles(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range slices.Concat(oddSamples, oddEdges) {
		if c.name == "" {
			c.name = "s.csv"
		}
		name := strings.ReplaceAll(c.name+", "+c.what, "/", " ")
		if seen[name] {
			t.Errorf("%s stands twice", name)
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) { c.check(t) })
	}
}

func (c *oddFile) check(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "s.csv", joined(table()))
	write(t, "e.csv", "source,target\na,b\nb,c\n")
	write(t, c.name, c.content)
	r := tableRequest()
	switch c.name[0] {
	case 's':
		r.Samples = c.name
	case 'e':
		r.Edges.Path = c.name
	case 'l':
		r.Labels, r.Drop = c.name, []string{"y"}
	case 'f':
		r.Features = c.name
	case 'g':
		r.Groups = c.name
	}
	if c.change != nil {
		c.change(&r)
	}
	result, err := Import(context.Background(), r, nil)
	_, left := os.Stat("data/mine")
	switch {
	case c.refused == "" && err != nil:
		t.Errorf("error %v", err)
	case c.refused == "" && c.note != "" && !strings.Contains(strings.Join(append(result.Read, result.Notes...), "\n"), c.note):
		t.Errorf("read %q, notes %q, want %s", result.Read, result.Notes, c.note)
	case c.refused == "" && (result.Features < 3 || result.Edges == 0):
		t.Errorf("%+v", result)
	case c.refused == "":
		return
	case err == nil:
		t.Errorf("taken: %+v", result)
	case !strings.Contains(err.Error(), c.refused) || strings.ContainsAny(err.Error(), "\n\r\t") || len(err.Error()) > 400:
		t.Errorf("error %v, want %s", err, c.refused)
	case left == nil:
		t.Error("something is left")
	}
}
