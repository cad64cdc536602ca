package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"graphda/io/columnar"
	"graphda/io/dataframe"
	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
)

const interopPage = "docs/interop.md"

// DuckDB, polars, hyparquet and Arrow JS read our files as we do, and we read their files. -update writes the results
// to docs/interop.md. If possible, npm installs the programs in the user's cache.
func TestInterop(t *testing.T) {
	if testing.Short() {
		t.Skip("installs programs with npm")
	}
	root := must1(filepath.Abs("../.."))
	programs := installed(t, "testdata/interop")
	t.Chdir(t.TempDir())
	tables := map[string]string{"reads": theyRead(t, programs), "writes": theyWrite(t, programs)}
	path := filepath.Join(root, interopPage)
	page := content(t, path)
	told, update := page, flag.Lookup("update").Value.String() == "true"
	for name, table := range tables {
		begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
		before, rest, _ := strings.Cut(told, begin)
		old, after, ok := strings.Cut(rest, end)
		if !ok {
			t.Fatalf("%s has no place for %s", interopPage, name)
		}
		if old != table && !update {
			t.Errorf("%s says of what they %s\n%s\nand it is (write it with -update)\n%s", interopPage, name, old, table)
		}
		told = before + begin + table + end + after
	}
	if told != page && update {
		must(t, os.WriteFile(path, []byte(told), 0o666))
	}
}

// installed returns a folder outside the tree with the scripts of a folder and their dependencies.
func installed(t *testing.T, folder string) string {
	t.Helper()
	giveUp := func(err error) {
		if os.Getenv("INTEROP_REQUIRED") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			giveUp(err)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		giveUp(err)
	}
	list := sha256.Sum256([]byte(content(t, filepath.Join(folder, "package.json"))))
	dir := filepath.Join(cache, "graphda-interop", fmt.Sprintf("%x", list)[:12])
	scripts := must1(filepath.Glob(filepath.Join(folder, "*")))
	for _, path := range scripts {
		jobstest.WriteFile(t, dir, filepath.Base(path), content(t, path))
	}
	done := filepath.Join(dir, "installed")
	if _, err := os.Stat(done); errors.Is(err, fs.ErrNotExist) {
		c := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-package-lock")
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			giveUp(fmt.Errorf("npm install: %w: %s", err, out))
		}
		must(t, os.WriteFile(done, nil, 0o666))
	}
	return dir
}

func node(t *testing.T, into any, script string, args ...string) {
	t.Helper()
	c := exec.Command("node", append([]string{script}, args...)...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, into)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(script), err, &stderr)
	}
}

// ours returns files of all kinds, with their names on the page.
func ours(t *testing.T) (names, paths []string) {
	t.Helper()
	userTables(t)
	dir := must1(os.Getwd())
	add := func(name, path string) {
		names, paths = append(names, name), append(paths, filepath.Join(dir, path))
	}
	jobstest.WriteFile(t, ".", "f.csv", "name,truth\nG0,1\nG1,1\nG2,1\nG3,1\n")
	jobstest.WriteFile(t, ".", "g.csv", "feature,group\nG0,0\nG0,1\nG1,1\nG3,0\n")
	ok(t, append(importArgs, "--trials", "2", "--features", "f.csv", "--groups", "g.csv")...)
	add("`graph.parquet`", "data/mine/graph.parquet")
	add("`features.parquet`", "data/mine/features.parquet")
	add("`samples.parquet`", "data/mine/samples.parquet")
	jobstest.WriteFile(t, ".", "mine.yaml", "name: mine\nloss: logistic\ndatasets: [mine]\nmethods:\n"+
		"  - {method: graphda, gamma: 10, s: [3, 4]}\n  - {method: adam, alpha: 0.01}\nreports:\n  - {name: mine, kind: classification}\n")
	ok(t, "plan", "mine.yaml", "--data", "data")
	ok(t, "local", "runs/mine")
	add("`plan.parquet`", "runs/mine/plan.parquet")
	add("`tasks-0001.parquet`", "runs/mine/tasks-0001.parquet")
	add("shard", "runs/mine/results/000/task-00000.arrow")
	add("models of cells", "runs/mine/results/000/task-00000.models.arrow")
	part := must1(results.CreatePart(".", 0, "a", plan.Layout()))
	rows, _, err := results.ReadShard("runs/mine/results/000/task-00000.arrow", plan.Layout())
	must(t, err)
	must(t, part.Append(rows...))
	must(t, part.Close())
	add("part of a shard", filepath.Base(part.Path()))
	gdmerge(t, "runs/mine", "--out", "report", "--csv")
	add("`results.parquet`", "report/data/results.parquet")
	add("`results.csv`", "report/data/results.csv")
	add("a report's table", "report/data/mine.csv")
	ok(t, "tune", "data/mine", "--method", "graphda", "--out", "tuned")
	add("`model.parquet`", "tuned/model.parquet")
	add("`features.csv`", "tuned/features.csv")
	return names, paths
}

// A reading is what a program has read from a file, or its error.
type reading struct {
	Rows  []map[string]any
	Error string
}

// theyRead lets all programs read our files, and returns a table of the results.
func theyRead(t *testing.T, programs string) string {
	t.Helper()
	names, paths := ours(t)
	var got map[string]map[string]reading
	node(t, &got, filepath.Join(programs, "read.mjs"), paths...)
	readers := []string{"DuckDB", "polars", "hyparquet", "Arrow JS"}
	table := "| file | types | compression | " + strings.Join(readers, " | ") + " |\n|---|---|---|" + strings.Repeat("---|", len(readers)) + "\n"
	for i, path := range paths {
		rows, types, compression := contentOf(t, path)
		if len(rows) == 0 {
			t.Errorf("%s is empty", path)
		}
		line := fmt.Sprintf("| %s | %s | %s |", names[i], types, compression)
		for _, reader := range readers {
			one, reads := got[path][reader]
			switch fault := differs(rows, one.Rows); {
			case !reads:
				line += " |"
			case one.Error != "":
				line += " " + one.Error + " |"
				t.Logf("%s does not read %s: %s", reader, path, one.Error)
			case fault != "":
				line += " wrong |"
				t.Errorf("%s reads %s otherwise: %s", reader, path, fault)
			default:
				line += " yes |"
			}
		}
		table += line + "\n"
	}
	return table
}

// contentOf reads one of our files with Arrow's own library, or as CSV.
func contentOf(t *testing.T, path string) (rows []map[string]any, types, compression string) {
	t.Helper()
	if filepath.Ext(path) == ".csv" {
		lines := must1(csv.NewReader(strings.NewReader(content(t, path))).ReadAll())
		for _, line := range lines[1:] {
			row := map[string]any{}
			for j, name := range lines[0] {
				row[name] = line[j]
			}
			rows = append(rows, row)
		}
		return rows, "text", "none"
	}
	f := openTable(t, path)
	var objects bytes.Buffer
	for _, record := range f.records {
		must(t, array.RecordToJSON(record, &objects))
	}
	for d := json.NewDecoder(&objects); d.More(); {
		var row map[string]any
		must(t, d.Decode(&row))
		rows = append(rows, row)
	}
	return rows, typesOf(f.schema), f.compression
}

// typesOf lists the types in a file, each once.
func typesOf(schema *arrow.Schema) string {
	var types []string
	for _, f := range schema.Fields() {
		if name := typeName(f.Type); !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	return strings.Join(types, "; ")
}

// differs says where the rows that a program has read differ from the rows of the file, or returns "".
func differs(want, rows []map[string]any) string {
	if len(want) != len(rows) {
		return fmt.Sprintf("%d rows, want %d", len(rows), len(want))
	}
	for i, columns := range want {
		for name, value := range columns {
			if got, there := rows[i][name]; !there || !sameValue(value, got) {
				return fmt.Sprintf("row %d, column %q: %v (%T), want %v (%T)", i, name, got, got, value, value)
			}
		}
	}
	return ""
}

// sameValue compares a value with a program's value. Text from CSV may have become any type, if its text is the same.
// Some programs read times, which are texts here, only to the millisecond.
func sameValue(want, got any) bool {
	switch w := want.(type) {
	case nil:
		return got == nil
	case float64:
		if text, is := got.(string); is { // DuckDB's JSON has 64-bit integers as strings
			n, err := strconv.ParseFloat(text, 64)
			return err == nil && n == w
		}
		return got == w
	case string:
		switch g := got.(type) {
		case nil:
			return w == ""
		case string:
			return g == w || sameNumber(g, w)
		case float64:
			if at, err := time.Parse("2006-01-02 15:04:05.999999999", w); err == nil {
				return math.Abs(float64(at.UnixMicro())/1000-g) < 1
			}
			n, err := strconv.ParseFloat(w, 64)
			return err == nil && n == g
		case bool:
			return w == map[bool]string{true: "yes", false: "no"}[g]
		}
	case []any:
		g, is := got.([]any)
		return is && slices.EqualFunc(w, g, sameValue)
	}
	return false
}

func sameNumber(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// theirColumns lists the columns of the table that write.mjs writes, with the value in row i. Rows i + 100·k are
// the same.
var theirColumns = []struct {
	name string
	at   func(i int) any
}{
	{"text", func(i int) any { return fmt.Sprintf("t %d ü", i) }},
	{"category", func(i int) any { return []string{"low", "high"}[i%2] }},
	{"boolean", func(i int) any { return strconv.FormatBool(i%2 == 0) }},
	{"optional", func(i int) any {
		if i == 3 {
			return ""
		}
		return float64(i) / 4
	}},
	{"decimal", quarter}, {"float32", quarter}, {"float64", quarter},
	{"int8", signed}, {"int16", signed}, {"int32", signed}, {"int64", signed},
	{"uint8", unsigned}, {"uint16", unsigned}, {"uint32", unsigned}, {"uint64", unsigned},
	{"list", func(i int) any { return []float64{float64(i) / 4, float64(i)} }},
}

func quarter(i int) any  { return float64(i) / 4 }
func signed(i int) any   { return float64(i - 3) }
func unsigned(i int) any { return float64(i) }

// theyWrite lets all programs write a table, reads it, and returns a table of the results.
func theyWrite(t *testing.T, programs string) string {
	t.Helper()
	dir := t.TempDir()
	var files []struct {
		Writer, Format, Compression, Path, Error string
		Columns                                  []string
	}
	node(t, &files, filepath.Join(programs, "write.mjs"), dir)
	table := "| writer | file | compression |"
	for _, c := range theirColumns {
		table += " " + c.name + " |"
	}
	table += "\n|---|---|---|" + strings.Repeat("---|", len(theirColumns)) + "\n"
	var lines []string // lines of the table, without the compressions
	compressions := map[string][]string{}
	for _, f := range files {
		if f.Error != "" {
			t.Errorf("%s cannot write %s, %s: %s", f.Writer, f.Format, f.Compression, f.Error)
			continue
		}
		line := fmt.Sprintf("| %s | %s | %%s |", f.Writer, f.Format)
		for _, c := range theirColumns {
			if !slices.Contains(f.Columns, c.name) {
				line += " |"
				continue
			}
			switch err := readTheirs(f.Path, c.name, c.at); {
			case err != nil && strings.Contains(err.Error(), "is compressed with LZ4_RAW, which cannot be read"):
				line += " no |"
			case err != nil:
				t.Errorf("%s, %s, %s: %s: %v", f.Writer, f.Format, f.Compression, c.name, err)
				line += " no |"
			default:
				line += " yes |"
			}
		}
		if compressions[line] == nil {
			lines = append(lines, line)
		}
		compressions[line] = append(compressions[line], f.Compression)
	}
	for _, line := range lines {
		table += fmt.Sprintf(line, strings.Join(compressions[line], ", ")) + "\n"
	}
	return table
}

// readTheirs reads a column as gdrun import does, or as a dataset if it has lists.
func readTheirs(path, name string, at func(int) any) error {
	rows := 0
	if name == "list" {
		_, err := columnar.Read(path, func(f *columnar.File) error {
			c, err := f.Need(name)
			if err != nil {
				return err
			}
			return f.Floats(c, func(row int, values []float64) error {
				rows++
				if want := at(row % 100).([]float64); !slices.Equal(values, want) {
					return fmt.Errorf("row %d is %v, want %v", row, values, want)
				}
				return nil
			})
		})
		return errors.Join(err, whole(rows))
	}
	f, err := dataframe.OpenColumns(path, name)
	if err != nil {
		return err
	}
	defer f.Close()
	for ; f.Next(); rows++ {
		switch want := at(rows % 100).(type) {
		case string:
			if got := f.Text(0); got != want {
				return fmt.Errorf("row %d is %q, want %q", rows, got, want)
			}
		case float64:
			if got, err := f.Number(0); err != nil || got != want {
				return fmt.Errorf("row %d is %v, %w, want %v", rows, got, err, want)
			}
		}
	}
	return errors.Join(f.Err(), whole(rows))
}

func whole(rows int) error {
	if rows != 1000 {
		return fmt.Errorf("%d rows, want 1000", rows)
	}
	return nil
}
