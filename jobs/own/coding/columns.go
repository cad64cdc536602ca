package coding

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/message"
)

// TwoValued returns the end of a message that lists the columns with two values. It ignores missing values, and reads
// only the first rows.
func TwoValued(path string, o dataframe.Options) string {
	const rows = 500
	t, err := dataframe.Open(path, o)
	if err != nil {
		return ""
	}
	defer t.Close()
	values := make([][]string, len(t.Columns()))
	for n := 0; n < rows && t.Next(); n++ {
		for i := range values {
			if t.Check(i) != nil {
				continue
			}
			if v := t.Text(i); len(values[i]) < 3 && !missing(v) && !slices.Contains(values[i], v) {
				values[i] = append(values[i], v)
			}
		}
	}
	var names []string
	for i, name := range t.Columns() {
		if len(values[i]) == 2 && !dataframe.IsIndexName(name) && !NamesIDs(name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("; columns of %s with two values: %s", path, dataframe.Some(names))
}

// HasColumn reports whether a file has a column of this name.
func HasColumn(path string, o dataframe.Options, name string) bool {
	t, err := dataframe.Open(path, o)
	if err != nil {
		return false
	}
	defer t.Close()
	return slices.Contains(t.Columns(), name)
}

var geneColumn = regexp.MustCompile(`(?i)gene|symbol|ensembl|probe|entrez|feature|hugo`)

// Hint guesses why the columns of a table have unexpected names. `transposed` is set if the table was transposed.
// `other` is set if, read the other way round, the table has the label as a column.
func Hint(head []string, transposed, other bool) string {
	switch {
	case len(head) == 1 && strings.ContainsAny(head[0], " :/|"):
		return fmt.Sprintf("; if %q is not one name, --sep says what separates the fields", head[0])
	case transposed && other:
		return "; the file itself has this column: leave out --transpose"
	case !transposed && (other || geneColumn.MatchString(head[0])):
		return "; if rows are genes and columns are samples, add --transpose"
	}
	return ""
}

// These are common names of columns of ids, in small letters and without punctuation. A column named in sampleNames
// certainly has ids of samples.
var (
	idNames = []string{"id", "ids", "sample", "sampleid", "samplename", "patient", "patientid", "subject", "subjectid",
		"caseid", "barcode"}
	sampleNames = idNames[:5]
	notInName   = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")
)

// NamesSamples reports whether a column's name means ids of samples. IDS is a gene.
func NamesSamples(column string) bool {
	return column != "IDS" && slices.Contains(sampleNames, notInName.Replace(strings.ToLower(column)))
}

// NamesIDs reports whether a column's name suggests ids of samples or patients.
func NamesIDs(column string) bool {
	return slices.Contains(idNames, notInName.Replace(strings.ToLower(column)))
}

// NamesPatients reports whether a column's name suggests patients.
func NamesPatients(column string) bool { return patientName.MatchString(column) }

var patientName = regexp.MustCompile(`(?i)^(patient|subject|donor|individual|participant|person|animal)s?` +
	`([ _.-]?(id|no|nr|num|number|code|name))?$`)

// NoFeature adds advice to an error about a feature's column in which `count` of `rows` values are wrong. `patients` is
// set if the user named the column of patients, and `ids` if a column has ids.
func NoFeature(err error, column string, count, rows int, patients, ids bool) error {
	switch {
	case NamesPatients(column) && !patients:
		return fmt.Errorf("%w; if it names the samples' patients, --patient %q keeps each patient's samples on one side of "+
			"each split", err, column)
	case count == 1:
		return fmt.Errorf("%w; if the column is no feature, add --drop %q", err, column)
	case count == rows && !ids:
		return fmt.Errorf("%w; all values of the column are like it; add --id %q if it names the samples, or --drop %[2]q "+
			"if it is no feature", err, column)
	}
	err = fmt.Errorf("%w; %s like it; if the column is no feature, add --drop %q", err,
		message.Are(count-1, "more value"), column)
	if count == rows {
		err = fmt.Errorf("%w; --patient names a column of patients, and --covariates or --batch a column to adjust for", err)
	}
	return err
}

// Listed returns the names in lists of columns. A list that is itself the name of a column means this column. Any other
// list is read like a line of CSV.
func Listed(lists, columns []string) (all []string) {
	for _, list := range lists {
		if slices.Contains(columns, list) {
			all = append(all, list)
			continue
		}
		names, err := csv.NewReader(strings.NewReader(list)).Read()
		if err != nil { // a name contains a quotation mark
			names = strings.Split(list, ",")
		}
		for _, name := range names {
			all = append(all, strings.TrimSpace(name))
		}
	}
	return all
}
