package main

import (
	"context"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/scenario"
	"graphda/jobs/jobstest"
)

// imported is the beginning of a command that imports the practice tables.
const imported = "import --edges tables/network.csv --out data/x --samples tables/samples.csv "

// waysOut lists mistakes with a text that the message must contain to help the user.
var waysOut = []struct{ typed, says string }{
	// flags that are missing
	{"evaluate --model tuned/mine/model.parquet --samples tables/cohort2.csv", `flag --label is missing; add --label COLUMN with the column of the labels, whose values are "tumour" and "normal"`},
	{imported, "; --label COLUMN names the column of the labels"},
	{"predict", "as in: gdrun predict --model tuned/mine/model.parquet"},
	{"predict --model tuned/mine/model.parquet", "flag --samples is missing, as in: gdrun predict"},
	{"import", "as in: gdrun import --samples s.csv"},
	{"explain --model tuned/mine/model.parquet", "flag --out is missing, as in: gdrun explain"},
	{"cell", "flag --method is missing, as in: gdrun cell"},
	{"project --edges tables/network.csv", "want either --weights or --prizes"},
	{"confidence data/mine --false 1 --fdr 0.1", "want exactly one of --false N and --fdr SHARE"},
	{"reproduce figure12", "docs/data.md"},
	{"cell data/mine --method graphda", "gamma is missing; want a number above 0"},
	// arguments
	{"predict tuned/mine/model.parquet tables/new.csv", "try: gdrun predict --model tuned/mine/model.parquet --samples tables/new.csv"},
	{"predict --model tuned/mine/model.parquet tables/new.csv", "try: gdrun predict --model tuned/mine/model.parquet --samples tables/new.csv"},
	{"explain tuned/mine/model.parquet", "try: gdrun explain --model tuned/mine/model.parquet --out FOLDER"},
	{"import a b", "try: gdrun import --samples a --edges b --out FOLDER"},
	{"methods graphda", "gdrun methods takes no argument"},
	{"experiments table1", "gdrun experiments takes no argument"},
	{"tune", "such as data/mine"},
	{"confidence", "such as data/mine"},
	{"local", "such as runs/first-quick"},
	{"status", "such as runs/first-quick"},
	{"plan", "such as first.yaml"},
	// files and folders
	{"predict --samples tables/new.csv --model tuned/mine", "did you mean tuned/mine/model.parquet?"},
	{"explain --out x --model tuned/mine", "did you mean tuned/mine/model.parquet?"},
	{"predict --samples tables/new.csv --model mine", "did you mean tuned/mine/model.parquet?"},
	{"predict --samples tables/new.csv --model tuned/mien/model.parquet", "did you mean tuned/mine/model.parquet?"},
	{"predict --samples tables/new.csv --model data/mine", "did you mean tuned/mine/model.parquet?"},
	{"predict --model tuned/mine/model.parquet --samples tables/neww.csv", "did you mean tables/new.csv?"},
	{"predict --model tuned/mine/model.parquet --samples new.csv", "did you mean tables/new.csv?"},
	{"import --label status --out data/x --samples samples.csv --edges tables/network.csv", "did you mean tables/samples.csv?"},
	{"import --label status --out data/x --samples tables/samples.csv --edges netwrok.csv", "did you mean tables/network.csv?"},
	{"import --label status --out data/x --samples tables --edges tables/network.csv", "there is tables/cohort2.csv"},
	{"tune mine", "did you mean data/mine?"},
	{"tune data/mien", "did you mean data/mine?"},
	{"tune data", "there is data/mine"},
	{"tune tuned/mine", "did you mean data/mine?"},
	{"confidence mine", "did you mean data/mine?"},
	{"cell mine --method adam --set alpha=1", "did you mean data/mine?"},
	{"inspect data/mien", "did you mean data/mine?"},
	{"tune tables/samples.csv", "with gdrun import --samples tables/samples.csv --edges NETWORK --out data/NAME"},
	{"tune mines.csv", "with gdrun import --samples mines.csv --edges NETWORK --out data/NAME"},
	{"tune data/mine --method da-gl", "da-gl: needs groups of features, but the dataset has none (gdrun import --groups)"},
	{"tune data/mine --size 5 --max-features 3", "--size 5 and --max-features 3: want only one of them"},
	{"local runs/first", "did you mean runs/first-quick?"},
	{"local first-quick", "did you mean runs/first-quick?"},
	{"status runs/first-quik", "did you mean runs/first-quick?"},
	{"local tab.yaml", "plan an experiment with gdrun plan tab.yaml"},
	{"plan frist.yaml", "did you mean first.yaml?"},
	{"plan tabel1", "did you mean table1?"},
	{"plan Benchmark", "did you mean benchmark?"},
	{"reproduce Table1", "did you mean table1?"},
	{"plan tab.yaml", "tab.yaml:2: found a tab character that violates indentation"},
	{"gdmerge runs/first", "did you mean runs/first-quick?"},
	{"gdmerge runs/first-quik", "did you mean runs/first-quick?"},
	// columns
	{imported + "--label Status", `--label = "Status" is not a column of tables/samples.csv`},
	{imported + "--label Status", `did you mean "status"?`},
	{imported + "--label statsu", `did you mean "status"?`},
	{imported + "--label status --id Patient", `did you mean "patient"?`},
	{imported + "--label status --positive tumour --patient pateint", `did you mean "patient"?`},
	{imported + "--label status --positive tumour --covariates g1", `--covariates = "g1"`},
	{imported + "--label status --positive tumour --covariates g1", `did you mean "G1"?`},
	{imported + "--label status --positive tumour --drop Patient", `did you mean "patient"?`},
	{imported + "--label status --positive tumour --source sorce --target target", `did you mean "source"?`},
	{imported + "--label status --positive Tumor", `has "tumour", "normal"`},
	{"evaluate --model tuned/mine/model.parquet --samples tables/cohort2.csv --label Status", `did you mean "status"?`},
	{"evaluate --model tuned/mine/model.parquet --samples tables/cohort2.csv --label status --patient Patient", `did you mean "patient"?`},
	{"learn --model l.parquet --from tuned/mine/model.parquet --samples tables/cohort2.csv --label Status", `did you mean "status"?`},
	{"learn --model l.parquet --from tuned/mine --samples tables/cohort2.csv --label status", "did you mean tuned/mine/model.parquet?"},
	// commands
	{"report runs/first-quick", "try: gdmerge runs/first-quick"},
	{"merge runs/first-quick", "try: gdmerge runs/first-quick"},
	{"version", "try: gdrun --version"},
	{"fit data/mine", `did you mean "tune"?`},
	{"train data/mine", `did you mean "tune"?`},
	{"score x", `did you mean "predict"?`},
	{"info x", `did you mean "inspect"?`},
	{"demo", `did you mean "example"?`},
	{"run x", `did you mean "local"?`},
	{"Tune data/mine", `did you mean "tune"?`},
	{"evalute x", `did you mean "evaluate"?`},
	{"--tune data/mine", "did you mean gdrun tune?"},
	{"help tun", `did you mean "tune"?`},
	{"simulate benchmarks", `did you mean "benchmark"?`},
	// flags
	{"plan first.yaml --quick", "did you mean --scale quick?"},
	{"tune data/mine --json", "did you mean --format json?"},
	{"tune data/mine --output x", "did you mean --out?"},
	{"tune data/mine --threads 4", "did you mean --jobs?"},
	{"tune data/mine --methods graphda", "did you mean --method?"},
	{"tune data/mine --label status", "a flag of gdrun import"},
	{"tune data/mine --edges x", "a flag of gdrun import"},
	{"import --network x", "did you mean --edges?"},
	{"import --normalize", "did you mean --standardise?"},
	{"import --cv 5", "did you mean --folds?"},
	{"import --splits 5", "did you mean --trials?"},
	{"import --random-state 5", "did you mean --seed?"},
	{"import --overwrite", "did you mean --force?"},
	{"import --subject x", "did you mean --patient?"},
	{"import --input x", "did you mean --samples?"},
	{"submit runs/first-quick --memory 2G", "did you mean --mem?"},
	// values
	{"tune data/mine --method lasso", `did you mean "l1-rda"?`},
	{"tune data/mine --method GraphDA", `did you mean "graphda"?`},
	{"tune data/mine --method t-test", `did you mean "marginal"?`},
	{"tune data/mine --loss mse", `did you mean "least_squares"?`},
	{"tune data/mine --format md", `did you mean "markdown"?`},
	{"tune data/mine --color yes", "--color = \"yes\", want auto, always or never"},
	{"tune data/mine -j 0", "--jobs = 0, want at least 1"},
	{"tune data/mine --passes 9223372036854775807", "--passes = 9223372036854775807, want at most 1000000000"},
	{"confidence data/mine --draws 4611686018427387904", "--draws = 4611686018427387904, want at most 1000000000"},
	{"plan first.yaml --trials 9223372036854775807", "want numbers and ranges"},
	{"simulate benchmark --train 2147483648", "want 1 to 1000000 each"},
	{imported + "--folds 4294967296 --repeats 4294967296", "--folds = 4294967296, want at most 1000000000"},
	{"local runs/first-quick -j 0", "--jobs = 0, want 1 to"},
	{"plan first.yaml --scale small", `did you mean "quick"?`},
	{"plan first.yaml --trials five", "--trials = \"five\", want numbers and ranges"},
	{imported + "--task cox", `did you mean "survival"?`},
	{imported + "--task Regression", `did you mean "regression"?`},
	{imported + "--missing Mean", `did you mean "mean"?`},
	{imported + "--duplicates maximum", `did you mean "max"?`},
	{imported + "--trials ten", "--trials = \"ten\", want a whole number"},
	{"predict --model tuned/mine/model.parquet --samples tables/new.csv --weights rigde", `did you mean "ridge"?`},
	{"cell data/mine --method graphda --set gama=1", `did you mean "gamma"?`},
	{"cell data/mine --method graphd --set gamma=1,s=3", `did you mean "graphda"?`},
}

// Each mistake is answered in one line that says what to type.
func TestWaysOut(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GRAPHDA_DATA", "")
	ok(t, "example", "tables")
	ok(t, "import", "--samples", "tables/samples.csv", "--label", "status", "--positive", "tumour", "--edges",
		"tables/network.csv", "--trials", "5", "--out", "data/mine")
	ok(t, "tune", "data/mine", "--method", "marginal")
	jobstest.WriteFile(t, ".", "first.yaml",
		"{name: first, loss: logistic, datasets: [mine], methods: [{method: adam, alpha: 0.1}]}")
	jobstest.WriteFile(t, ".", "mines.csv", "id,y\n")
	jobstest.WriteFile(t, ".", "tab.yaml", "name: tab\n\tloss: logistic\n")
	ok(t, "plan", "first.yaml", "--out", "runs/first-quick")
	for _, c := range waysOut {
		words, run := strings.Fields(c.typed), program
		if words[0] == "gdmerge" {
			words, run = words[1:], command.Gdmerge
		}
		o := scenario.Call(t, context.Background(), run, append([]string{"gdrun"}, words...)...)
		if o.Code != command.Usage && o.Code != command.Failed || o.Stdout != "" || strings.Count(o.Stderr, "\n") != 1 ||
			!strings.Contains(o.Stderr, c.says) {
			t.Errorf("gdrun %s: exit code %d, %q, want %q\n%s", c.typed, o.Code, o.Stdout, c.says, o.Stderr)
		}
	}
}
