package dataframe

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"graphda/io/seal/sealtest"
)

// put writes files into a new folder and returns the path of the first.
func put(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		must(t, os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o666))
	}
	return filepath.Join(dir, files[0])
}

// whole returns the content of a table, one line per row with | between fields.
func whole(path string, o Options) (string, error) {
	t, err := Open(path, o)
	if err != nil {
		return "", err
	}
	defer t.Close()
	rows := []string{strings.Join(t.Columns(), "|")}
	for t.Next() {
		var fields []string
		for i := range t.Columns() {
			fields = append(fields, t.Text(i))
		}
		rows = append(rows, strings.Join(fields, "|"))
	}
	return strings.Join(rows, "\n"), t.Err()
}

func wide(order binary.AppendByteOrder, content string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(content)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

const gctFile = "#1.2\n2\t3\nName\tDescription\tS1\tS2\t007\nTP53\tna\t1\t2.5\t3\n1-Mar\tmembrane\t4\tNA\t6\n"

// TestFormats reads the formats of the field and compares each with the expected table.
func TestFormats(t *testing.T) {
	turned := "|TP53|1-Mar\nS1|1|4\nS2|2.5|NA\n007|3|6"
	graph := `<?xml version="1.0"?><graphml><key id="w" for="edge" attr.name="conf"/><key id="n" for="node" attr.name="name"/><graph>` +
		`<node id="n0"><data key="n">TP53</data></node><edge source="n0" target="n1"><data key="w">0.5</data></edge><node id="n1"><data key="n">A &amp; B</data></node>` +
		`</graph></graphml>`
	for name, c := range map[string]struct {
		files []string
		o     Options
		want  string
	}{
		"gct":              {[]string{"x.gct", gctFile}, Options{}, turned},
		"gct, compressed":  {[]string{"x.gct.gz", string(sealtest.Gzip(gctFile))}, Options{}, turned},
		"gct 1.3":          {[]string{"x.gct", "#1.3\n1\t2\t1\t1\nid\tpr\tS1\tS2\nstatus\tna\tcase\tcontrol\nTP53\tx\t1\t2\n"}, Options{}, "|status|TP53\nS1|case|1\nS2|control|2"},
		"genes as rows":    {[]string{"x.csv", "gene,S1,S2\nTP53,1,2\nMDM2,x,4e0\n"}, Options{Transpose: true}, "gene|TP53|MDM2\nS1|1|x\nS2|2|4"},
		"sif":              {[]string{"x.sif", "TP53 pp MDM2 CDK2\nlonely\nA\tis in\tB\n"}, Options{}, "source|relation|target\nA|is in|B"},
		"edge list":        {[]string{"x.edges", "# a comment\n1 2\n2  3 0.5\n3 4 1\n"}, Options{}, "source|target|weight\n1|2|\n2|3|0.5\n3|4|1"},
		"edges by R":       {[]string{"x.edges", "\"1\" \"A\" 0.5\n\"A\" \"B\" 1\n"}, Options{}, "source|target|weight\n1|A|0.5\nA|B|1"},
		"edges by commas":  {[]string{"x.ncol", "\"1\",\"A\"\nA,\"5\"\"x\"\n"}, Options{}, "source|target\n1|A\nA|5\"x"},
		"edges' data":      {[]string{"x.edgelist", "1 2 {}\n2 3 {'weight': 0.5}\n3 4 {'kind': 'x', 'weight': 1e-3}\n"}, Options{}, "source|target|weight\n1|2|\n2|3|0.5\n3|4|1e-3"},
		"edges' data, tab": {[]string{"x.edgelist", "a b\tc\t{'weight': 2}\n"}, Options{}, "source|target|weight\na b|c|2"},
		"gmt by R":         {[]string{"x.gmt", "\"P53\"\t\"x\"\t\"TP53\"\n"}, Options{}, "feature|group|description\nTP53|P53|x"},
		"R, .csv":          {[]string{"x.csv", "\"from\" \"to\"\n\"1\" \"a\" \"b c\"\n\"2\" \"b c\" \"d\"\n"}, Options{}, "|from|to\n1|a|b c\n2|b c|d"},
		"gmt":              {[]string{"x.gmt", "P53\thttp://x\tTP53\tMDM2\t\nCYCLE\t\tCDK2\n"}, Options{}, "feature|group|description\nTP53|P53|http://x\nMDM2|P53|http://x\nCDK2|CYCLE|"},
		"graphml":          {[]string{"x.graphml", graph}, Options{}, "source|target|conf\nTP53|A & B|0.5"},
		"graphml, costs":   {[]string{"x.graphml", strings.Replace(graph, `for="edge" `, "", 1)}, Options{}, "source|target|conf\nTP53|A & B|0.5"},
		"graphml, for all": {[]string{"x.graphml", strings.Replace(graph, `for="edge"`, `for="all"`, 1)}, Options{}, "source|target|conf\nTP53|A & B|0.5"},
		"graphml, unknown": {[]string{"x.graphml", strings.Replace(graph, `<data key="n">TP53`, `<data key="undeclared">other`, 1)}, Options{}, "source|target|conf\nn0|n1|0.5"},
		"graphml, ids":     {[]string{"x.graphml", strings.Replace(graph, "TP53", "", 1)}, Options{}, "source|target|conf\nn0|n1|0.5"},
		"UTF-16":           {[]string{"x.csv", "\xff\xfe" + wide(binary.LittleEndian, "a,größe\n1,𝛼\n")}, Options{}, "a|größe\n1|𝛼"},
		"UTF-16, reversed": {[]string{"x.csv", "\xfe\xff" + wide(binary.BigEndian, "a,b\n1,2\n")}, Options{}, "a|b\n1|2"},
		"UTF-16, no mark":  {[]string{"x.csv", wide(binary.LittleEndian, "a,b\n1,2\n")}, Options{}, "a|b\n1|2"},
		"R's row names":    {[]string{"x.txt", "\"a\" \"b c\"\n\"r 1\" 1 2\n\"s\" 3   4 \n"}, Options{}, "|a|b c\nr 1|1|2\ns|3|4"},
		"old Macs, wide":   {[]string{"x.csv", strings.Repeat("a", 5000) + ",b\r1,2\r"}, Options{}, strings.Repeat("a", 5000) + "|b\n1|2"},
		"old Macs":         {[]string{"x.csv", "a,b\r1,2\r"}, Options{}, "a|b\n1|2"},
		"bars":             {[]string{"x.CSV", "a|b\n1|2\n"}, Options{}, "a|b\n1|2"},
		"told":             {[]string{"x.csv", "a:b\n1:2\n"}, Options{Separator: ':'}, "a|b\n1|2"},
		"empty rows":       {[]string{"x.csv", "a,b\n1,2\n,\n , \n"}, Options{}, "a|b\n1|2"},
	} {
		got, err := whole(put(t, c.files...), c.o)
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
}

// TestBomb checks that a file is refused if it unpacks to much more than its size.
func TestBomb(t *testing.T) {
	packed := string(sealtest.Gzip(strings.Repeat("0,0\n", 700_000)))
	for _, name := range []string{"x.csv.gz", "x.gct.gz", "x.sif.gz"} {
		path := put(t, name, packed)
		if _, err := whole(path, Options{}); err == nil || strings.Count(err.Error(), path) != 1 {
			t.Errorf("%s: error %v", name, err)
		}
	}
	path := put(t, "x.csv.gz", packed)
	sealtest.WantError(t, sealtest.Err(whole(path, Options{})), "unpacks to more than 100 times its size")
	if _, err := whole(path, Options{Force: true}); err != nil {
		t.Errorf("with force: %v", err)
	}
}

// TestTransposedPlace checks that an error in a transposed table names the place in the file.
func TestTransposedPlace(t *testing.T) {
	path := put(t, "x.csv", "gene,S1,S2\nTP53,1,2\n\nMDM2,x,4\n")
	table, err := Open(path, Options{Transpose: true})
	if err != nil || !table.Next() {
		t.Fatal(err)
	}
	_, err = table.Number(2)
	if want := path + `: line 4, column "S1": is "x", want a finite decimal number`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestForeign checks that a file of another kind is named as such, whatever its name is.
func TestForeign(t *testing.T) {
	for _, name := range []string{"x.csv", "x.sif", "x.gmt", "x.xlsx", "x"} {
		for content, want := range map[string]string{
			"PK\x03\x04\r": "is an Excel workbook or another zip archive; save the sheet as CSV",
			"BZh91\r":      "is compressed with bzip2; unpack it, or use gzip",
		} {
			_, err := whole(put(t, name, content), Options{})
			sealtest.WantError(t, err, name+": "+want)
		}
	}
}
