package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"graphda/jobs/jobstest"
)

// measured writes 120 samples of 24 genes with long names, two from each patient, and a network. Up to two genes are
// related to status, dose and days; shuffled is related to nothing.
func measured(t *testing.T) {
	t.Helper()
	const genes = 24
	name := func(j int) string { return fmt.Sprintf("ENSG%011d.%d|a gene with a long name, β-chain", 7*j, j) }
	s, e := "id,person,age,site,status,shuffled,dose,days,died", "source,target\n"
	for j := range genes {
		s += fmt.Sprintf(",%q", name(j))
		e += fmt.Sprintf("%q,%q\n", name(j), name((j+1)%genes))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 120 {
		y := float64(i%2*2 - 1)
		s += fmt.Sprintf("\nS%d,P%d,%d,%s,%s,%s,%.3f,%.3f,%d", i, i/4*2+i%2, 40+rng.IntN(40), []string{"north", "south"}[rng.IntN(2)],
			[]string{"healthy controls of the hospital", "patients with the disease"}[i%2],
			[]string{"no", "yes"}[rng.IntN(2)], y+0.1*rng.NormFloat64(), 10*(3-2*y)*(0.5+rng.Float64()), min(1, rng.IntN(4)))
		for j := range genes {
			x := rng.NormFloat64()
			if j < 2 {
				x += 1.5 * y
			}
			s += fmt.Sprintf(",%.4f", x)
		}
	}
	jobstest.WriteFile(t, ".", "s.csv", s+"\n")
	jobstest.WriteFile(t, ".", "cohort.csv", otherValues(s)+"\n")
	jobstest.WriteFile(t, ".", "e.csv", e)
}

// otherValues changes the decimal numbers of a CSV table, so that no model has learned from its samples.
func otherValues(table string) string {
	head, rows, _ := strings.Cut(table, "\n")
	return head + "\n" + strings.ReplaceAll(rows, ".", ".0")
}

// screenful runs a command and checks what it prints: at most 24 lines of at most 100 columns, and no more than the
// terminal has. It returns the words.
func screenful(t *testing.T, columns int, args ...string) string {
	t.Helper()
	t.Setenv("COLUMNS", fmt.Sprint(columns))
	o := ok(t, args...)
	lines := strings.Split(strings.TrimSuffix(o.Stdout+o.Stderr, "\n"), "\n")
	if answers := []string{"tune", "confidence", "evaluate"}; len(lines) > 24 && slices.Contains(answers, args[0]) {
		t.Errorf("gdrun %q: %d lines at %d columns:\n%s", args, len(lines), columns, strings.Join(lines, "\n"))
	}
	for _, line := range lines {
		if n := uniseg.StringWidth(line); n > min(100, columns) {
			t.Errorf("gdrun %q: a line of %d at %d columns: %s", args, n, columns, line)
		}
	}
	return words(strings.Join(lines, " "))
}

func words(s string) string { return strings.Join(strings.Fields(s), " ") }

// everywhere checks that the verdict of a command is all that -q prints, and that JSON and CSV have it.
func everywhere(t *testing.T, command ...string) {
	t.Helper()
	quiet := ok(t, append(command, "-q")...)
	verdict, text := words(quiet.Stdout), screenful(t, 200, command...)
	if quiet.Stderr != "" || !strings.HasPrefix(text, verdict) {
		t.Errorf("gdrun %q -q: %q, %q", command, verdict, quiet.Stderr)
	}
	var answer struct {
		Verdict string
		Found   json.RawMessage
		Tables  []struct{ Rows []map[string]any }
	}
	must(t, json.Unmarshal([]byte(ok(t, append(command, "--format", "json")...).Stdout), &answer))
	if answer.Verdict != verdict || len(answer.Tables) == 0 || string(answer.Found) != "true" {
		t.Errorf("gdrun %q: %+v in JSON, want %q", command, answer, verdict)
	}
	if csv := ok(t, append(command, "--format", "csv")...).Stdout; !strings.HasPrefix(csv, "found,verdict\ntrue,") {
		t.Errorf("gdrun %q in CSV: %s", command, csv)
	}
	if all := words(ok(t, append(command, "--verbose")...).Stdout); len(all) < 2*len(text) {
		t.Errorf("gdrun %q --verbose: %s", command, all)
	}
}

// tune, confidence and evaluate print a screenful, whatever they are asked for, and files have the verdict.
func TestScreen(t *testing.T) {
	t.Chdir(t.TempDir())
	measured(t)
	const classes, others = "--label status --positive patients\x00with\x00the\x00disease --trials ", "person age site status shuffled dose days died"
	for i, c := range []struct{ asked, columns, method, cohort, verdict, found string }{
		{classes + "5", "status", "marginal", "--label status", "Found: AUC ", "true"},
		{"--label shuffled --trials 5", "shuffled", "l1-rda", "--label shuffled", "NOTHING FOUND: ", "false"},
		{classes + "2 --patient person", "status person", "da-iht", "--label status --patient person --recentre", "NOT DECIDED: ", ""},
		{classes + "5 --covariates age --batch site", "status age site", "da-iht", "--label status", "Found: gain in AUC ", "true"},
		{"--label dose --task regression --trials 5", "dose", "marginal", "--label dose", "Found: R² ", "true"},
		{"--task survival --time days --event died --trials 5", "days died", "da-iht", "", "Found: C-index ", "true"},
	} {
		args := strings.Fields("import --samples s.csv --edges e.csv --id id --standardise --out data/mine " + c.asked)
		for name := range strings.FieldsSeq(others) {
			if !slices.Contains(strings.Fields(c.columns), name) {
				args = append(args, "--drop", name)
			}
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "\x00", " ")
		}
		screenful(t, 80, args...)
		for _, command := range []string{"tune data/mine --passes 1 --method " + c.method, "confidence data/mine --s 4 --f 3 --draws 1 --passes 1",
			"evaluate --model tuned/mine/model.parquet --samples cohort.csv --id id " + c.cohort} {
			command := strings.Fields(command)
			if text := screenful(t, 80, command...); command[0] == "tune" && !strings.Contains(text, c.verdict) {
				t.Errorf("%q: %s", c.asked, text)
			}
			if i == 0 {
				everywhere(t, command...)
			}
		}
		for _, name := range []string{"features.csv", "expected.csv"} {
			lines := strings.Split(content(t, filepath.Join("tuned", "mine", name)), "\n")
			if !strings.HasSuffix(lines[0], ",found,verdict") || !strings.Contains(strings.ReplaceAll(lines[1], `"`, ""), ","+c.found+","+c.verdict) {
				t.Errorf("%q: %s: %s", c.asked, name, lines[:2])
			}
		}
		screenful(t, 80, "explain", "--model", "tuned/mine/model.parquet", "--out", "explained")
		screenful(t, 80, "predict", "--model", "tuned/mine/model.parquet", "--samples", "s.csv", "--id", "id", "--format", "text")
	}
}
