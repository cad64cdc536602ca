package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"
	"gonum.org/v1/gonum/floats"

	"graphda/cmd/internal/command"
	"graphda/graph"
	"graphda/io/probes"
	"graphda/io/results"
	"graphda/io/results/export"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/own/tuning"
	"graphda/jobs/plan"
)

// A formatRow is a line in a table of docs/formats.md: a column or a key with its type.
type formatRow struct{ name, is string }

// docs/formats.md lists every column and key of every file with its type, and nothing else.
func TestManualFormats(t *testing.T) {
	page := formatTables(t, "../../docs/formats.md")
	root := must1(filepath.Abs("../.."))
	files := writtenFiles(t)
	keys := func(folder string, types ...string) (rows []formatRow) {
		for _, name := range types {
			rows = append(rows, jsonKeys(t, filepath.Join(root, folder), name)...)
		}
		return rows
	}
	files["plan.json"] = append(keys("jobs/plan", "Plan"), keys("jobs/plan", "planHeader")...)
	files["plan.json: datasets"] = keys("jobs/plan", "Dataset")
	files["plan.json: trials"] = keys("jobs/plan", "TrialSummary")
	files["plan.json: before"] = keys("jobs/plan", "EarlierPlan")
	files["Shards: counts"] = keys("io/results", "ShardInfo")
	files["Attempts"] = keys("io/results", "Attempt")
	files["submissions"] = keys("jobs/cluster/journal", "File")
	files["submissions: jobs"] = keys("jobs/cluster/journal", "Job")
	files["submissions: follow"] = keys("jobs/cluster/journal", "Follow")
	files["submissions: deaths"] = append(keys("jobs/run", "DeadTask"), keys("jobs/cluster/journal", "Death")...)
	files["JSON of answers"] = keys("io/table", "answerObject")
	for name, rows := range files {
		told := page[name]
		if told == nil {
			t.Errorf("the page has no table %q", name)
		}
		for _, r := range rows {
			if is, there := told[r.name]; !there {
				t.Errorf("%s: the page lacks | `%s` | %s | |", name, r.name, r.is)
			} else if is != r.is && r.is != "" {
				t.Errorf("%s: the page says that `%s` is %q, and it is %q", name, r.name, is, r.is)
			}
			delete(told, r.name)
		}
		for gone := range told {
			t.Errorf("%s: the page has `%s`, which no file has", name, gone)
		}
		delete(page, name)
	}
	for name := range page {
		t.Errorf("the page has a table %q of no file", name)
	}
}

var (
	formatHeading = regexp.MustCompile("^#+ (.*)$")
	formatLine    = regexp.MustCompile("^\\| (`.*`) \\| (.*?) \\| .+ \\|$")
	codeWord      = regexp.MustCompile("`([^`]+)`")
)

// formatTables reads the tables of a page. It returns them by heading, with the types by name, and without code
// marks.
func formatTables(t *testing.T, path string) map[string]map[string]string {
	t.Helper()
	tables, heading := map[string]map[string]string{}, ""
	for _, line := range strings.Split(content(t, path), "\n") {
		if m := formatHeading.FindStringSubmatch(line); m != nil {
			heading = strings.ReplaceAll(m[1], "`", "")
		} else if m := formatLine.FindStringSubmatch(line); m != nil {
			if tables[heading] == nil {
				tables[heading] = map[string]string{}
			}
			for _, name := range codeWord.FindAllStringSubmatch(m[1], -1) {
				if _, twice := tables[heading][name[1]]; twice {
					t.Errorf("%s: `%s` stands there twice", heading, name[1])
				}
				tables[heading][name[1]] = m[2]
			}
		}
	}
	return tables
}

// writtenFiles writes a file of each kind, with every possible column. It returns the columns by the page's headings.
func writtenFiles(t *testing.T) map[string][]formatRow {
	t.Helper()
	userTables(t)
	must(t, samples.WriteGraph("graph.parquet", graph.Grid(1, 2), []string{"a", "b"}))
	must(t, samples.WriteFeatures("features.parquet", fullFeatures(t)))
	args := slices.Clone(importArgs)
	args[slices.Index(args, "--drop")] = "--patient"
	ok(t, append(args, "--trials", "5", "--standardise")...)
	jobstest.WriteFile(t, ".", "mine.yaml", "name: mine\nloss: logistic\ndatasets: [mine]\nmethods:\n"+
		"  - {method: graphda, gamma: 10, s: [3, 4]}\nreports:\n  - {name: mine, kind: classification}\n")
	ok(t, "plan", "mine.yaml", "--data", "data")
	ok(t, "local", "runs/mine")
	for _, method := range []string{"graphda", "l1-rda"} { // s is tuned for the first method, λ for the second
		ok(t, "tune", "data/mine", "--method", method, "--out", "tuned/"+method)
	}
	ok(t, "predict", "--model", "tuned/graphda/model.parquet", "--samples", "s.csv", "--out", "predicted.csv")
	label := importArgs[slices.Index(importArgs, "--label")+1]
	jobstest.WriteFile(t, ".", "cohort.csv", otherValues(content(t, "s.csv")))
	ok(t, "evaluate", "--model", "tuned/graphda/model.parquet", "--samples", "cohort.csv", "--label", label, "--report", "evaluated")
	adjusted := append(slices.Clone(importArgs), "--covariates", "G10", "--sample-weight", "G11", "--trials", "5")
	adjusted[slices.Index(adjusted, "data/mine")] = "data/adjusted"
	adjusted[slices.Index(adjusted, "--drop")] = "--id" // the model identifies its samples
	ok(t, adjusted...)
	ok(t, "tune", "data/adjusted", "--method", "da-iht", "--out", "tuned/adjusted")
	ok(t, "evaluate", "--model", "tuned/adjusted/model.parquet", "--samples", "cohort.csv", "--id", "patient", "--label", label,
		"--report", "beside")
	part := must1(results.CreatePart(".", 0, "a", plan.Layout()))
	must(t, part.Append(results.Row{Cell: "c", Params: make([]float64, len(plan.Layout()))}))
	must(t, part.Close())
	parts := must1(filepath.Glob("*.part"))
	out := must1(os.Create("results.parquet"))
	must(t, must1(export.NewParquet(out, plan.Layout())).Close())
	must(t, out.Close())

	shared, _ := describe(t, "data/mine/samples.parquet")
	jobstest.WriteDataset(t, "data/own", jobstest.Spec{})
	own, _ := describe(t, "data/own/trial-00/samples.parquet")
	imported, metadata := describe(t, "data/mine/trial-00/rows.parquet")
	metadata = append(metadata, formatRow{"alike", "text"}) // datasets have this key only if samples are nearly equal, which these are not
	beside, _ := describe(t, "data/adjusted/samples.parquet")
	_, adjustedMetadata := describe(t, "data/adjusted/trial-00/rows.parquet")
	_, adjustedMade := describe(t, "tuned/adjusted/model.parquet")
	graphRows, _ := describe(t, "graph.parquet")
	features, _ := describe(t, "features.parquet")
	planned, _ := describe(t, "runs/mine/plan.parquet")
	tasks, _ := describe(t, "runs/mine/tasks-0001.parquet")
	merged, _ := describe(t, "results.parquet")
	model, made := describe(t, "tuned/graphda/model.parquet")
	model = append(model, formatRow{"probes", "text"}) // models have this column only if features have several columns, which these do not
	_, more := describe(t, "tuned/l1-rda/model.parquet")
	shard, shardMetadata := describe(t, "runs/mine/results/000/task-00000.arrow")
	models, _ := describe(t, "runs/mine/results/000/task-00000.models.arrow")
	inParts, _ := describe(t, parts[0])
	checkParts(t, shard, inParts)
	shard = beyond(t, "a shard", shard, merged, map[string]string{"text": "dictionary of text",
		"int64 or null": "float64 or null", "text or null": "dictionary of text or null"}, "error")
	others := map[string]string{"int64 or null": "float64 or null", "text or null": "text"}
	if more := beyond(t, "plan.parquet", planned, merged, others); more != nil {
		t.Errorf("plan.parquet has %v, which results.parquet has not", more)
	}
	return map[string][]formatRow{
		"graph": graphRows, "features": features, "samples": union(union(shared, own), families(beside, "covariate_")),
		"rows": imported, "samples: metadata": union(metadata, adjustedMetadata),
		"tasks-0001.parquet": tasks, "Shards": shard, "Shards: metadata": shardMetadata,
		"Models of cells": models, "results.parquet": merged,
		"model.parquet":            families(model, "state_", "set_"),
		"model.parquet: metadata":  union(union(made, more), adjustedMade),
		"features.csv":             csvRows(t, "tuned/graphda/features.csv"),
		"gdrun predict":            csvRows(t, "predicted.csv"),
		"gdrun evaluate":           csvRows(t, "beside/evaluation.csv"),
		"gdrun evaluate: features": csvRows(t, "evaluated/features.csv"),
	}
}

// fullFeatures returns features with every possible property.
func fullFeatures(t *testing.T) *samples.Features {
	t.Helper()
	two := []float64{1, 2}
	f := &samples.Features{Names: []string{"a", "b"}, Truth: two, Groups: [][]int32{{0, 1}}, Row: two, Col: two, X: two,
		Y: two, Measured: []bool{true, false}, Fill: two, Scaling: &samples.Scaling{Mean: two, Deviation: two},
		Connectors: []string{"c"}, Probes: probes.Columns{{"a", "a.1"}, {"b"}}}
	for i, v := 0, reflect.ValueOf(f).Elem(); i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("%s of features is not written", v.Type().Field(i).Name)
		}
	}
	return f
}

// checkParts checks that parts have the columns of shards as the page says, both plain and after the mark.
func checkParts(t *testing.T, shard, part []formatRow) {
	t.Helper()
	want := []formatRow{{"graphda.block", "text or null"}}
	for _, r := range shard {
		want = append(want, formatRow{r.name, strings.Replace(r.is, "dictionary of text", "text", 1)})
	}
	if !reflect.DeepEqual(part, want) {
		t.Errorf("parts have\n%v\nwant\n%v", part, want)
	}
}

// beyond lists a file's columns that results.parquet lacks. It checks that the shared columns have the types that
// the page says, except the columns in same.
func beyond(t *testing.T, file string, rows, merged []formatRow, types map[string]string,
	same ...string) (more []formatRow) {
	t.Helper()
	of := map[string]string{}
	for _, r := range merged {
		of[r.name] = r.is
		if other := types[r.is]; other != "" && !slices.Contains(same, r.name) {
			of[r.name] = other
		}
	}
	for _, r := range rows {
		if is, there := of[r.name]; !there {
			more = append(more, r)
		} else if is != r.is {
			t.Errorf("%s has %s as %s, and the page says %s", file, r.name, r.is, is)
		}
	}
	return more
}

// families merges rows whose names begin with the same prefix.
func families(rows []formatRow, prefixes ...string) (out []formatRow) {
	for _, r := range rows {
		for _, prefix := range prefixes {
			if strings.HasPrefix(r.name, prefix) {
				r.name = prefix + "…"
			}
		}
		out = union(out, []formatRow{r})
	}
	return out
}

func union(a, b []formatRow) []formatRow {
	for _, r := range b {
		if !slices.ContainsFunc(a, func(there formatRow) bool { return there.name == r.name }) {
			a = append(a, r)
		}
	}
	return a
}

// A tableFile is what Arrow's own library reads from a Parquet or Arrow file.
type tableFile struct {
	schema      *arrow.Schema
	keys        []string // keys of its metadata
	records     []arrow.Record
	compression string // for Parquet
}

func openTable(t *testing.T, path string) (found tableFile) {
	t.Helper()
	f := must1(os.Open(path))
	defer f.Close()
	found.compression = "none"
	keep := func(r interface {
		Next() bool
		Record() arrow.Record
	}) {
		for r.Next() {
			r.Record().Retain()
			found.records = append(found.records, r.Record())
		}
	}
	if filepath.Ext(path) == ".parquet" {
		p := must1(file.NewParquetReader(f))
		if p.NumRowGroups() > 0 {
			chunk := must1(p.MetaData().RowGroup(0).ColumnChunk(0))
			if name := strings.ToLower(chunk.Compression().String()); name != "uncompressed" {
				found.compression = name
			}
		}
		r := must1(pqarrow.NewFileReader(p, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator))
		found.schema = must1(r.Schema())
		all := must1(r.ReadTable(t.Context()))
		defer all.Release()
		keep(array.NewTableReader(all, -1))
		pairs := p.MetaData().KeyValueMetadata()
		found.keys = pairs.Keys()
		return found
	}
	if filepath.Ext(path) == ".part" {
		r := must1(ipc.NewReader(f))
		found.schema = r.Schema()
		keep(r)
	} else {
		r := must1(ipc.NewFileReader(f))
		found.schema = r.Schema()
		for i := range r.NumRecords() {
			record := must1(r.Record(i))
			record.Retain()
			found.records = append(found.records, record)
		}
	}
	metadata := found.schema.Metadata()
	found.keys = metadata.Keys()
	return found
}

// describe lists the columns of a file and the keys of its metadata, whose values are texts. It skips the key of
// Arrow's own schema.
func describe(t *testing.T, path string) (columns, metadata []formatRow) {
	t.Helper()
	f := openTable(t, path)
	for _, c := range f.schema.Fields() {
		is := typeName(c.Type)
		if c.Nullable {
			is += " or null"
		}
		columns = append(columns, formatRow{c.Name, is})
	}
	for _, k := range f.keys {
		metadata = append(metadata, formatRow{k, "text"})
	}
	return columns, metadata
}

func typeName(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.StringType:
		return "text"
	case *arrow.ListType:
		return "list of " + typeName(t.Elem())
	case *arrow.DictionaryType:
		return "dictionary of " + typeName(t.ValueType)
	case *arrow.TimestampType:
		return "time in " + t.Unit.String() + ", " + t.TimeZone
	}
	return t.Name()
}

func csvRows(t *testing.T, path string) (rows []formatRow) {
	t.Helper()
	f := must1(os.Open(path))
	defer f.Close()
	names := must1(csv.NewReader(f).Read())
	for _, n := range names {
		rows = append(rows, formatRow{name: n})
	}
	return rows
}

// jsonKeys lists the JSON keys of a Go type. It reads them from the source, to include keys that are rarely written.
func jsonKeys(t *testing.T, folder, name string) (rows []formatRow) {
	t.Helper()
	files := must1(filepath.Glob(filepath.Join(folder, "*.go")))
	for _, path := range files {
		parsed := must1(parser.ParseFile(token.NewFileSet(), path, nil, 0))
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, is := n.(*ast.TypeSpec)
			if !is || spec.Name.Name != name {
				return true
			}
			for _, f := range spec.Type.(*ast.StructType).Fields.List {
				if f.Tag == nil {
					continue
				}
				key, _, _ := strings.Cut(reflect.StructTag(must1(strconv.Unquote(f.Tag.Value))).Get("json"), ",")
				if key != "-" {
					rows = append(rows, formatRow{name: key})
				}
			}
			return false
		})
	}
	if rows == nil {
		t.Errorf("%s has no type %s with keys", folder, name)
	}
	return rows
}

// A full is a device without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// Output files are written even if printing fails. tune checks each file before it computes.
func TestOutputsBeforePrinting(t *testing.T) {
	workplace(t, jobstest.Spec{Trials: 2}, "")
	for _, args := range []string{"tune data/grid --method da-iht --out out", "confidence data/grid --s 3 --f 3 --draws 1 --out c.csv"} {
		var notes bytes.Buffer
		if code := command.Execute(t.Context(), program, strings.Fields("gdrun "+args), full{}, &notes); code != command.Failed {
			t.Errorf("gdrun %s: exit code %d, want %d: %s", args, code, command.Failed, &notes)
		}
	}
	for _, e := range must1(os.ReadDir("out")) {
		if name := e.Name(); name[0] != '.' && name != "model.parquet" && !slices.Contains(tuning.FileNames, name) {
			t.Errorf("%s is written, and not looked at before", name)
		}
	}
	for _, name := range []string{"c.csv", "out/model.parquet", "out/report.html", "out/expected.csv", "out/features.csv", "out/settings.csv"} {
		content(t, name)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	return string(must1(os.ReadFile(path)))
}

// predict and evaluate read samples from standard input as from a file. If the input is not a table, the error
// names standard input.
func TestPredictStandardInput(t *testing.T) {
	workplace(t, jobstest.Spec{}, "")
	text := learnStream(16, 30)
	jobstest.WriteFile(t, ".", "s.csv", text)
	jobstest.WriteFile(t, ".", "s.tsv", strings.ReplaceAll(text, ",", "\t"))
	jobstest.WriteFile(t, ".", "none.csv", "")
	ok(t, strings.Fields("learn --model m.parquet --dataset data/grid --method da-iht --set gamma=5,s=5 --samples s.csv")...)
	in := func(path string) {
		before := os.Stdin
		os.Stdin = must1(os.Open(path))
		t.Cleanup(func() { os.Stdin.Close(); os.Stdin = before })
	}
	for _, command := range []string{"predict", "evaluate --label y --format csv"} {
		args := append(strings.Fields(command), "--model", "m.parquet", "--samples")
		want := ok(t, append(args, "s.csv")...).Stdout
		for _, path := range []string{"s.csv", "s.tsv"} {
			in(path)
			if got := ok(t, append(args, "-")...).Stdout; got != want || want == "" {
				t.Errorf("gdrun %s: %s\nwant %s", command, got, want)
			}
		}
	}
	for path, want := range map[string]string{"m.parquet": "standard input: ", "none.csv": "standard input: is empty"} {
		in(path)
		refused(t, 1, strings.Fields("predict --model m.parquet --samples -"), want)
	}
}

// readWeights returns the columns of a file of `gdrun cell --weights`. The intercept comes last.
func readWeights(t *testing.T, path string) (names []string, w, wbar []float64) {
	t.Helper()
	lines := must1(csv.NewReader(strings.NewReader(content(t, path))).ReadAll())
	if got := strings.Join(lines[0], " "); got != "name weight weight_wbar" {
		t.Fatalf("the columns are %s", got)
	}
	for _, l := range lines[1:] {
		a, errA := strconv.ParseFloat(l[1], 64)
		b, errB := strconv.ParseFloat(l[2], 64)
		if errA != nil || errB != nil {
			t.Fatalf("%q: %v, %v", l, errA, errB)
		}
		names, w, wbar = append(names, l[0]), append(w, a), append(wbar, b)
	}
	return names, w, wbar
}

// Scores of the test samples, computed from the file alone, equal the program's scores.
func TestWeightsScoreTheTestSplit(t *testing.T) {
	for _, c := range []struct {
		loss    string
		targets bool
	}{{"logistic", false}, {"least_squares", true}} {
		workplace(t, jobstest.Spec{Train: 7, Test: 200, Targets: c.targets, Seed: 3}, "")
		o := ok(t, "cell", "--dataset", "data/grid", "--method", "graphda", "--set", "gamma=10,s=4", "--loss", c.loss, "--weights", "w.csv", "--format", "json")
		var row map[string]any
		must(t, json.Unmarshal([]byte(o.Stdout), &row))
		names, w, wbar := readWeights(t, "w.csv")
		trial := must1(must1(samples.Open(filepath.Join("data", "grid"))).Load(0, samples.AnyLabels))
		p := trial.Test.P
		if len(names) != p+1 || names[0] != trial.Features.Names[0] || names[p] != "(intercept)" {
			t.Fatalf("%d rows, %q to %q, want %d features and the intercept", len(names), names[0], names[len(names)-1], p)
		}
		for suffix, weights := range map[string][]float64{"": w, "_wbar": wbar} {
			scores, without := make([]float64, trial.Test.Rows()), make([]float64, trial.Test.Rows())
			for i := range scores {
				without[i] = floats.Dot(trial.Test.Row(i), weights[:p])
				scores[i] = without[i] + weights[p]
			}
			measure, of := "test_accuracy", func(scores []float64) float64 { return new(metrics.Evaluator).Classify(scores, trial.Test.Y).Accuracy }
			if c.targets {
				measure, of = "test_mse", func(scores []float64) float64 { return metrics.MSE(scores, trial.Test.Y) }
			}
			want := row[measure+suffix].(float64)
			if got := of(scores); math.Abs(got-want) > 1e-12*want || suffix == "" && of(without) == got {
				t.Errorf("%s%s %v by the file (%v without the intercept), the program says %v", measure, suffix, got, of(without), want)
			}
		}
		if selected := metrics.SupportOf(w[:p], nil).Nonzeros; row["nonzeros"] != float64(selected) {
			t.Errorf("%v features are selected, the program says %v", selected, row["nonzeros"])
		}
	}
}
