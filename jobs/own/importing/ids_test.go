package importing

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphda/io/arrowio"
	"graphda/io/dataframe"
	"graphda/io/samples"
)

const idEdges = "source,target\nNAN,1-Mar\n007,1-Mar\n"

// idRows returns samples with three odd gene names, and with the given texts in place of %s.
func idRows(head string, ids ...string) string {
	rows := head + ",status,NAN,1-Mar,007\n"
	for i, id := range ids {
		rows += fmt.Sprintf("%s,%d,%d,%d,%d\n", id, i%2, i, i*i, 5-i)
	}
	return rows
}

func idsOf(t *samples.Trial) (all []string) {
	for _, b := range []samples.Block{t.Train, t.Valid, t.Test} {
		for i := range b.Rows() {
			all = append(all, fmt.Sprintf("%s=%v", b.IDs[i], b.Row(i)[0]))
		}
	}
	slices.Sort(all)
	return all
}

// Samples and genes keep their names through every draw, whatever the names look like.
func TestIDs(t *testing.T) {
	odd := []string{"007", "NAN", "1-Mar", "1e5", "TRUE", "7"}
	behind := strings.Split(strings.TrimSpace(idRows("", "3", "4", "0", "1", "2", "5")), "\n")
	for i, cell := range append([]string{"sample_id"}, odd...) {
		behind[i] += "," + cell
	}
	for name, c := range map[string]struct {
		samples, id string
		want        []string
	}{
		"asked for":           {idRows("name", odd...), "name", odd},
		"asked beside others": {idRows("name,id,sample", "007,1,a", "NAN,2,b", "1-Mar,3,c", "1e5,4,d", "TRUE,5,e", "7,6,f"), "name", odd},
		"named sample":        {idRows("Sample", odd...), "", odd},
		"an index":            {idRows("", odd...), "", odd},
		"an index read again": {idRows("Unnamed: 0", odd...), "", odd},
		"an index twice over": {idRows("", "0", "1", "2", "0", "1", "2"), "", []string{"1", "2", "3", "4", "5", "6"}},
		"levels of an index":  {idRows(",", "a,007", "a,NAN", "a,1-Mar", "b,1e5", "b,TRUE", "b,7"), "", odd},
		"a count, then names": {idRows(",Unnamed: 0", "0,007", "1,NAN", "2,1-Mar", "3,1e5", "4,TRUE", "5,7"), "", odd},
		"sorted, then names":  {idRows(",index", "4,007", "0,NAN", "2,1-Mar", "1,1e5", "5,TRUE", "3,7"), "", odd},
		"numbers, names last": {joined(behind), "", odd},
		"R, read twice":       {idRows(",X", "1,007", "2,NAN", "3,1-Mar", "4,1e5", "5,TRUE", "6,7"), "", odd},
		"a count, then twice": {idRows(",index", "0,a", "1,b", "2,c", "3,a", "4,b", "5,c"), "", []string{"0", "1", "2", "3", "4", "5"}},
		"counts alone":        {idRows(",index", "5,0", "4,1", "3,2", "2,3", "1,4", "0,5"), "", []string{"5", "4", "3", "2", "1", "0"}},
		"none":                {strings.ReplaceAll(idRows("\x00", odd...), "\x00,", ""), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if c.want == nil {
				for _, id := range odd {
					c.samples = strings.Replace(c.samples, "\n"+id+",", "\n", 1)
				}
				c.want = []string{"1", "2", "3", "4", "5", "6"}
			}
			write(t, "samples.csv", c.samples)
			write(t, "edges.csv", idEdges)
			r := request()
			r.Positive, r.Drop, r.ID, r.Trials = "", nil, c.id, 2
			run(t, r)
			want := make([]string, len(c.want))
			for i, id := range c.want {
				want[i] = fmt.Sprintf("%s=%d", id, i)
			}
			slices.Sort(want)
			for trial := range 2 {
				got := load(t, r.Out, trial)
				if ids := idsOf(got); !slices.Equal(ids, want) {
					t.Errorf("trial %d: %q, want %q", trial, ids, want)
				}
				if !slices.Equal(got.Features.Names, []string{"NAN", "1-Mar", "007"}) || got.Graph.NumEdges() != 2 {
					t.Errorf("features %q, %d edges", got.Features.Names, got.Graph.NumEdges())
				}
			}
		})
	}
}

// The gene IDS is a feature, unless it is the first column.
func TestGeneIDS(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "e.csv", "source,target\na,IDS\nIDS,c\n")
	for _, id := range []string{"id", ""} {
		text := id + ",y,a,IDS,c\n"
		for i := range 10 {
			text += fmt.Sprintf("%d,%d,%d,%d.5,%d\n", i, i%2, i, 20-i, i*i)
		}
		write(t, "s.csv", text)
		r := tableRequest()
		r.Out = "data/" + id + "s"
		run(t, r)
		got := load(t, r.Out, 0)
		if names := got.Features.Names; !slices.Equal(names, []string{"a", "IDS", "c"}) {
			t.Errorf("ids by %q: features %q", id, names)
		}
		for _, id := range idsOf(got) {
			if name, a, _ := strings.Cut(id, "="); name != a {
				t.Errorf("sample %s has the values of %s", name, a)
			}
		}
	}
}

// A written is a table as some program writes it: from the names of the rows, some of them numbers, and the cells.
type written struct {
	file string
	text func(names []string, head string, rows []string) string
}

// below returns rows below a head. The function `first` turns each row's name into what comes before the cells.
func below(head string, first func(i int, name string) string) func([]string, string, []string) string {
	return func(names []string, columns string, rows []string) string {
		text := head + columns + "\n"
		for i, row := range rows {
			text += first(i, names[i]) + row + "\n"
		}
		return text
	}
}

func byName(_ int, name string) string { return name + "," }

// counted puts an index that numbers the rows before the names.
func counted(i int, name string) string { return fmt.Sprintf("%d,%s,", i, name) }

// asFloats writes whole numbers as R and pandas write them in a column of floats.
func asFloats(_ int, name string) string {
	switch x, err := strconv.Atoi(name); {
	case err != nil || strconv.Itoa(x) != name:
		return name + ","
	case x >= 100000:
		return fmt.Sprintf("%e,", float64(x))
	}
	return name + ".0,"
}

// last puts the names after the cells.
func last(head string) func([]string, string, []string) string {
	return func(names []string, columns string, rows []string) string {
		text := columns + "," + head + "\n"
		for i, row := range rows {
			text += row + "," + names[i] + "\n"
		}
		return text
	}
}

// turned returns a table with a column for each sample.
func turned(corner, second string) func([]string, string, []string) string {
	return func(names []string, columns string, rows []string) string {
		lines := []string{corner + "," + second + strings.Join(names, ",")}
		for j, name := range strings.Split(columns, ",") {
			line := name
			if second != "" {
				line += ",what"
			}
			for _, row := range rows {
				line += "," + strings.Split(row, ",")[j]
			}
			lines = append(lines, line)
		}
		return joined(lines)
	}
}

var writers = map[string]written{
	"pandas, index":             {"s.csv", below(",", byName)},
	"pandas, index read again":  {"s.csv", below("Unnamed: 0,", byName)},
	"pandas, read twice":        {"s.csv", below("Unnamed: 0.1,Unnamed: 0,", counted)},
	"pandas, reset_index":       {"s.csv", below("index,", byName)},
	"pandas, reset_index twice": {"s.csv", below("level_0,index,", counted)},
	"pandas, Arrow":             {"s.csv", last("__index_level_0__")},
	"pandas, floats":            {"s.csv", below(",", asFloats)},
	"pandas, index and id":      {"s.csv", below(",id,", counted)},
	"polars, row index":         {"s.csv", below("index,id,", counted)},
	"R, row.names":              {"s.csv", below("row.names,", byName)},
	"R, read.csv":               {"s.csv", below("X,", byName)},
	"R, fread":                  {"s.csv", below("V1,", byName)},
	"R, readr":                  {"s.csv", below("...1,", byName)},
	"R, write.csv":              {"s.csv", below(`"",`, func(_ int, name string) string { return `"` + name + `",` })},
	"R, write.table":            {"s.csv", below("", byName)},
	"R, 1e+06":                  {"s.csv", below(`"",`, asFloats)},
	"Excel":                     {"s.csv", below("\ufeffSample ID,", byName)},
	"a name that nobody knows":  {"s.csv", below("array,", byName)},
	"id, in the middle":         {"s.csv", last("Sample_ID")},
	"genes as rows":             {"t.csv", turned("", "")},
	"genes beside an index": {"t.csv", func(names []string, columns string, rows []string) string {
		lines := strings.Split(strings.TrimSpace(turned("gene", "")(names, columns, rows)), "\n")
		for k := range lines {
			lines[k] = []string{"", "7", "3", "12"}[k] + "," + lines[k]
		}
		return joined(lines)
	}},
	"GCT": {"s.gct", func(names []string, columns string, rows []string) string {
		text := strings.ReplaceAll(turned("Name", "Description,")(names, columns, rows), ",", "\t")
		return fmt.Sprintf("#1.2\n%d\t%d\n", strings.Count(text, "\n")-1, len(names)) + text
	}},
}

// A sample keeps its label, whichever program wrote the samples and the labels, and in whatever order.
func TestJoins(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "e.csv", "source,target\na,b\nb,c\n")
	names := []string{"NKI_7", "S1", "s1", "41", "7", "1", "040", "100000", "1234567", "1000000000000000", "1e5", "1.5", "x y", "12"}
	cells, labels := make([]string, len(names)), make([]string, len(names))
	for i := range names {
		cells[i], labels[i] = fmt.Sprintf("%d,%d,%d", i, i*i%7, 10-i), fmt.Sprint(i%2)
	}
	var want map[string][]float64
	check := func(name string, r Request) {
		t.Helper()
		r.Out = "data/" + strings.NewReplacer(" ", "", ",", "-", ".", "-", "+", "").Replace(name)
		run(t, r)
		got := values(t, r.Out, 0)
		if want == nil {
			want = got
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != len(names) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	write(t, "s.csv", below("id,", byName)(names, "a,b,c,y", func() (all []string) {
		for i := range cells {
			all = append(all, cells[i]+","+labels[i])
		}
		return all
	}()))
	check("together", tableRequest())
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range slices.Sorted(maps.Keys(writers)) {
		for _, theirs := range slices.Sorted(maps.Keys(writers)) {
			if file := writers[theirs].file; name != "pandas, index" && theirs != "pandas, index" || file != "s.csv" {
				continue
			}
			random.Shuffle(len(names), func(i, k int) {
				names[i], names[k] = names[k], names[i]
				cells[i], cells[k] = cells[k], cells[i]
				labels[i], labels[k] = labels[k], labels[i]
			})
			r := tableRequest()
			r.Samples, r.Labels, r.Text.Transpose = writers[name].file, "l.csv", writers[name].file == "t.csv"
			write(t, r.Samples, writers[name].text(names, "a,b,c", cells))
			order := random.Perm(len(names))
			var n, l []string
			for _, i := range order {
				n, l = append(n, names[i]), append(l, labels[i])
			}
			write(t, "l.csv", writers[theirs].text(n, "y", l))
			check(name+" "+theirs, r)
		}
	}
}

// If another column has ids, an index that numbers rows is not used as ids, even if the tables were sorted or filtered.
func TestJoinsByNamesNotNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "e.csv", "source,target\na,b\nb,c\n")
	random := rand.New(rand.NewPCG(3, 4))
	for _, index := range []string{"", "Unnamed: 0", "X"} {
		for _, from := range []int{0, 1, 1000} {
			for name, rows := range map[string]int{"the same samples": 20, "other labels too": 26} {
				table := func(head string, count int, cells func(id int) string) string {
					text := index + "," + head + ",sample_id\n"
					numbers := random.Perm(count)
					for k, id := range random.Perm(count) {
						text += fmt.Sprintf("%d,%s,S%d\n", from+numbers[k], cells(id), id)
					}
					return text
				}
				write(t, "s.csv", table("a,b,c", 20, func(id int) string { return fmt.Sprintf("%d,%d,%d", id, id*id%7, 10-id) }))
				write(t, "l.csv", table("y", rows, func(id int) string { return fmt.Sprint(id % 2) }))
				r := tableRequest()
				r.Labels = "l.csv"
				run(t, r)
				for id, got := range values(t, r.Out, 0) {
					if a := int(got[1]); id != fmt.Sprint("S", a) || got[0] != float64(2*(a%2)-1) {
						t.Errorf("index %q from %d, %s: %s has label and features %v", index, from, name, id, got)
					}
				}
			}
		}
	}
}

// If row names match all samples, they win over a column called id. --id "" asks for row names. Samples that are
// columns of a file never share a name.
func TestRowNames(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "e.csv", "source,target\na,b\n")
	samples, labels := ",a,b\n", ",id,y\n"
	for i := range 10 {
		samples += fmt.Sprintf("VDX_%d,%d,%d\n", i, i, 10-i)
		labels += fmt.Sprintf("VDX_%d,%d,%d\n", i, i, i%2)
	}
	write(t, "s.csv", samples)
	write(t, "l.csv", labels)
	for _, asked := range []bool{false, true} {
		r := tableRequest()
		r.Labels, r.RowNames = "l.csv", asked
		run(t, r)
		for id, v := range values(t, r.Out, 0) {
			if id != fmt.Sprintf("VDX_%v", v[1]) || v[0] != float64(2*(int(v[1])%2)-1) {
				t.Errorf("%s has %v", id, v)
			}
		}
	}
	write(t, "s.gct", "#1.2\n2\t4\nName\tDescription\tS1\tS2\tS1\tS3\na\tx\t1\t2\t3\t4\ny\tx\t0\t1\t0\t1\n")
	r := tableRequest()
	r.Samples = "s.gct"
	if _, err := Import(context.Background(), r, nil); err == nil || !strings.Contains(err.Error(), `column "S1": is "S1", as another column is; each sample needs its own id`) {
		t.Errorf("error %v", err)
	}
}

// Patients 3 and 3.0 are the same.
func TestPatientsOfFloats(t *testing.T) {
	ofPatients(t, "id,who,y,a,b", func(i, k, y int) string {
		return fmt.Sprintf("s%03d,%d%s,%d,%d,%d", i, k, []string{"", ".0"}[i%2], y, i, i*i)
	})
	if result := run(t, patientsRequest()); !strings.Contains(result.Read[0], "of 30 patients") {
		t.Errorf("%s", result.Read[0])
	}
}

// If columns of ids match equally many rows, those with the same name in both files join them.
func TestJoinsByTheSameName(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "e.csv", "source,target\na,b\n")
	for _, head := range []string{"id,sample", "sample,id"} {
		samples, labels := head+",a,b\n", "sample,y\n"
		for i := range 10 {
			own := map[bool]string{true: "S%[2]d,S%[1]d,%[1]d,%[3]d\n", false: "S%[1]d,S%[2]d,%[1]d,%[3]d\n"}[head[0] == 'i']
			samples, labels = samples+fmt.Sprintf(own, i, 9-i, i*i%7), labels+fmt.Sprintf("S%d,%d\n", i, i%2)
		}
		write(t, "s.csv", samples)
		write(t, "l.csv", labels)
		r := tableRequest()
		r.Labels = "l.csv"
		run(t, r)
		for id, v := range values(t, r.Out, 0) {
			if id != fmt.Sprintf("S%v", v[1]) || v[0] != float64(2*(int(v[1])%2)-1) {
				t.Errorf("%s: %s has %v", head, id, v)
			}
		}
	}
}

// Patients 1.1 and 1.10 are different, even as columns of a file.
func TestPatientsOfColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "e.csv", "source,target\na,b\n")
	lines := []string{"", "who", "y", "a", "b"}
	for i := range 40 {
		who := fmt.Sprintf("1.%d", 1+i/4)
		if i%4 > 1 {
			who = fmt.Sprintf("%0*d", 1+i/20, 1+i/4)
		}
		for k, cell := range []any{fmt.Sprint("S", i), who, i / 2 % 2, i, i * i % 7} {
			lines[k] += fmt.Sprint(",", cell)
		}
	}
	write(t, "t.csv", joined(lines))
	size := "#1.3\n2\t40\t0\t2\nid"
	write(t, "s.gct", size+strings.ReplaceAll(joined(lines), ",", "\t"))
	for _, file := range []string{"t.csv", "s.gct"} {
		r := tableRequest()
		r.Samples, r.Text.Transpose, r.Patient = file, file == "t.csv", "who"
		if result := run(t, r); !strings.Contains(result.Read[0], "40 samples of 2 features, of 20 patients") {
			t.Errorf("%s: %s", file, result.Read[0])
		}
	}
}

// The index of pandas in a Parquet file is not a feature, whatever its place and name. Floats of any size equal the
// whole numbers of other files. --drop accepts each level by its name, and labels keep the level.
func TestIndexOfPandas(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "e.csv", "source,target\na,b\n")
	var a, b, cases, number []float64
	labels := "case number,y\n"
	for i := range 10 {
		a, b, number = append(a, float64(i)), append(b, float64(10-i)), append(number, float64(i/2))
		cases = append(cases, 1e15+float64(i))
		labels += fmt.Sprintf("100000000000000%d,%d\n", i, i%2)
	}
	write(t, "l.csv", labels)
	const named, ranged = `"case number"`, `{"kind": "range", "name": "row"}`
	for name, c := range map[string]struct {
		index, column, drop, want string
	}{
		"no name":                 {`"__index_level_0__"`, "__index_level_0__", "", ""},
		"a name":                  {named, "case number", "", ""},
		"a range":                 {named + `, {"kind": "range"}`, "case number", "", ""},
		"two levels":              {named + `, "number"`, "case number", "", ""},
		"a level to drop":         {named + `, "number"`, "case number", "number", ""},
		"a range to drop":         {ranged, "case number", "row", "has no column of ids"},
		"no such level":           {ranged, "case number", "rows", `drop = "rows" is not a column`},
		"a range and a column":    {`{"kind": "range", "name": "a"}`, "id", "", ""},
		"the id to drop":          {named, "case number", "case number", "has no column of ids"},
		"an id that labels share": {`"id"`, "id", "case number", `drop = "case number" is not a column`},
	} {
		metadata := map[string]string{"pandas": `{"index_columns": [` + c.index + `], "columns": []}`}
		columns := []arrowio.ParquetColumn{arrowio.Flat("a", a, nil), arrowio.Flat("b", b, nil), arrowio.Flat(c.column, cases, nil)}
		if strings.HasSuffix(c.index, `"number"`) {
			columns = append(columns, arrowio.Flat("number", number, nil))
		}
		must(t, arrowio.WriteParquet("s.parquet", metadata, len(a), columns...))
		r := tableRequest()
		r.Samples, r.Labels = "s.parquet", "l.csv"
		if c.drop != "" {
			r.Drop = []string{c.drop}
		}
		result, err := Import(context.Background(), r, nil)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %s", name, err, c.want)
			}
			continue
		}
		if err != nil || result.Features != 2 {
			t.Errorf("%s: %v, %+v", name, err, result)
			continue
		}
		for id, v := range values(t, r.Out, 0) {
			if id != fmt.Sprintf("100000000000000%v", v[1]) || v[0] != float64(2*(int(v[1])%2)-1) {
				t.Errorf("%s: %s has %v", name, id, v)
			}
		}
	}
}

// A level called split assigns samples to splits. A transposed table of pandas has its names behind the samples.
func TestLevelsOfPandas(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "e.csv", "source,target\na,b\n")
	read := func(index string, transpose bool, columns ...arrowio.ParquetColumn) (*Result, error) {
		metadata := map[string]string{"pandas": `{"index_columns": [` + index + `]}`}
		must(t, arrowio.WriteParquet("s.parquet", metadata, 3, columns...))
		r := tableRequest()
		r.Samples, r.Text.Transpose, r.Trials = "s.parquet", transpose, 0
		return Import(context.Background(), r, nil)
	}
	result, err := read(`"id", "split"`, false, arrowio.Flat("a", []float64{1, 2, 3}, nil), arrowio.Flat("b", []float64{3, 1, 2}, nil),
		arrowio.Flat("y", []float64{0, 1, 0}, nil), arrowio.Texts("id", []string{"r", "s", "t"}),
		arrowio.Texts("split", []string{"train", "valid", "test"}))
	if err != nil || result.Splits[0].Samples != 1 || result.Trials != 1 {
		t.Errorf("split as a level: %+v, %v", result, err)
	}
	for _, c := range []struct{ index, more, want string }{
		{`"gene"`, "", ""}, {`"__index_level_0__"`, "", ""}, {"", "", ""},
		{`"gene", "chromosome"`, "chromosome", "has the index levels gene, chromosome; to transpose the table, keep one level"},
	} {
		name, _, _ := strings.Cut(strings.Trim(c.index, `"`), `"`)
		var columns []arrowio.ParquetColumn
		names := arrowio.Texts(name, []string{"a", "b", "y"})
		if name == "" { // without an index, the first column has the names
			columns = append(columns, arrowio.Texts("gene", []string{"a", "b", "y"}))
		}
		for i := range 10 {
			columns = append(columns, arrowio.Flat(fmt.Sprint("S", i), []float64{float64(i), float64(10 - i), float64(i % 2)}, nil))
		}
		if name != "" {
			columns = append(columns, names)
		}
		if c.more != "" {
			columns = append(columns, arrowio.Texts(c.more, []string{"1", "2", "3"}))
		}
		_, err := read(c.index, true, columns...)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %s", c.index, err, c.want)
			}
			continue
		}
		must(t, err)
		for id, v := range values(t, tableRequest().Out, 0) {
			if id != fmt.Sprint("S", v[1]) || v[0] != float64(2*(int(v[1])%2)-1) {
				t.Errorf("%s: %s has %v", c.index, id, v)
			}
		}
	}
}

// A Parquet file of pandas describes each of its columns. Reading takes time in proportion to the number of columns.
func TestWideTableOfPandas(t *testing.T) {
	t.Chdir(t.TempDir())
	const n = 5000
	about, columns := []string{}, []arrowio.ParquetColumn{}
	for j := range n {
		about = append(about, fmt.Sprintf(`{"name": "a%d", "metadata": null}`, j))
		columns = append(columns, arrowio.Flat(fmt.Sprint("a", j), []float64{float64(j), 1, 2, 3, 4, 5, 6, 7, 8, 9}, nil))
	}
	columns = append(columns, arrowio.Flat("y", []float64{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, nil))
	metadata := map[string]string{"pandas": `{"index_columns": [{"kind": "range"}], "columns": [` + strings.Join(about, ",") + `]}`}
	must(t, arrowio.WriteParquet("s.parquet", metadata, 10, columns...))
	got := testing.AllocsPerRun(1, func() {
		table := must1(dataframe.Open("s.parquet", dataframe.Options{}))
		for i := range table.Columns() {
			table.IsIndex(i)
		}
		must(t, table.Close())
	})
	if got > 200*n {
		t.Errorf("%v allocations for %d columns", got, n)
	}
}
