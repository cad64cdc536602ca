package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/rivo/uniseg"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/scenario"
	"graphda/io/seal"
	"graphda/jobs/jobstest"
	"graphda/jobs/simulate/simulatetest"
)

// The scenarios in testdata/scenarios show what every command prints. testdata/slurm has a fake Slurm that runs
// nothing.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "testdata/scenarios", commands(t))
}

// The commands on the pages in docs print what the pages show. Commands of README and tutorials run in an empty folder.
func TestManualPages(t *testing.T) {
	all, bin := commands(t), scenario.Programs(t, "gdrun", "gdmerge")
	all["gdmerge"] = scenario.Program(command.Gdmerge)
	scenario.Pages(t, "../../docs/*.md", "testdata/pages", bin, all)
	scenario.Pages(t, "../../README.md", "testdata/pages", bin, all)
}

// commands returns the commands of scenarios, and sets their environment.
func commands(t *testing.T) map[string]scenario.Command {
	t.Helper()
	fake := must1(filepath.Abs("testdata/slurm"))
	t.Setenv("PATH", fake+":"+os.Getenv("PATH"))
	t.Setenv("GRAPHDA_DATA", "")
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "SLURM_") || strings.HasPrefix(name, "SBATCH_") {
			t.Setenv(name, "") // set by a job that the tests may run in
			must(t, os.Unsetenv(name))
		}
	}
	t.Setenv("BIN", filepath.Dir(must1(os.Executable()))) // gdrun looks for gdmerge here
	return map[string]scenario.Command{
		"gdrun": scenario.Program(program), "grid": scenario.Grid, "rawfiles": rawFiles, "arrow": arrowFile,
		"older": olderFiles,
	}
}

// rawFiles makes up raw files of MNIST and KEGG: $ rawfiles raw.
func rawFiles(t *testing.T, args []string, _, _ io.Writer) int {
	t.Helper()
	simulatetest.WriteMNIST(t, args[1], simulatetest.Pictures()...)
	simulatetest.WriteKEGG(t, args[1], simulatetest.KEGGFiles(t))
	return 0
}

// arrowTypes lists the types that arrowFile accepts.
var arrowTypes = map[string]arrow.DataType{
	"number": arrow.PrimitiveTypes.Float64, "whole": arrow.PrimitiveTypes.Int64, "text": arrow.BinaryTypes.String,
	"list": arrow.ListOf(arrow.PrimitiveTypes.Float64),
}

// arrowFile writes an Arrow file as another program would, from rows in JSON and a type for each column: $ arrow
// rows.json samples.arrow y number x list split text.
func arrowFile(t *testing.T, args []string, _, _ io.Writer) int {
	t.Helper()
	var columns []arrow.Field
	for i := 3; i < len(args); i += 2 {
		columns = append(columns, arrow.Field{Name: args[i], Type: arrowTypes[args[i+1]], Nullable: true})
	}
	rows := must1(os.Open(args[1]))
	defer rows.Close()
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(columns, nil), rows)
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(args[2]), 0o777))
	file := must1(os.Create(args[2]))
	w := must1(ipc.NewFileWriter(file, ipc.WithSchema(rec.Schema())))
	must(t, w.Write(rec))
	must(t, w.Close())
	must(t, file.Close())
	return 0
}

// olderFiles turns files into files of version 0.1.0 with valid checksums: $ older PATH….
func olderFiles(t *testing.T, args []string, _, _ io.Writer) int {
	t.Helper()
	sealed := regexp.MustCompile(`(graphda-seal:sha256:)[0-9a-f]{64}`)
	counts := regexp.MustCompile(`(graphda-shard:)[0-9a-f]{64}:([^\x00]*)`)
	for _, path := range args[1:] {
		data := bytes.ReplaceAll(must1(os.ReadFile(path)), []byte(seal.Version), []byte("0.1.0"))
		data = bytes.ReplaceAll(data, []byte("same_samples"), []byte("were_samples")) // early imports did not have this key
		data = counts.ReplaceAllFunc(data, func(text []byte) []byte {
			of := counts.FindSubmatch(text)
			return fmt.Appendf(nil, "%s%x:%s", of[1], sha256.Sum256(of[2]), of[2])
		})
		if !sealed.Match(data) {
			must(t, os.WriteFile(path, data, 0o666))
			continue
		}
		data = sealed.ReplaceAll(data, []byte("${1}"+strings.Repeat("0", 64)))
		must(t, seal.Write(path, func(w io.Writer) error { return jobstest.Err(w.Write(data)) }))
	}
	return 0
}

// docs/commands.md has every command and every exit code, in the words of the help and of the manual.
func TestCommandsPage(t *testing.T) {
	page, dir := content(t, "../../docs/commands.md"), t.TempDir()
	list := ok(t, "", "--generate-bash-completion").Stdout
	ok(t, "man", dir)
	t.Setenv("COLUMNS", "200")
	codes := regexp.MustCompile(`(?m)^    ?(\d+)  (.*)$`).FindAllStringSubmatch(ok(t, "--help").Stdout, -1)
	if n := strings.Count(list, "\n"); n < 18 || len(codes) < 5 {
		t.Errorf("there are %d commands and %d exit codes:\n%s", n, len(codes), list)
	}
	for line := range strings.Lines(list) {
		name, usage, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if row := "\n| `gdrun " + name + "` | " + usage + " |"; !strings.Contains(page, row) {
			t.Errorf("docs/commands.md has no %s", row)
		}
		if _, err := os.Stat(filepath.Join(dir, "gdrun-"+name+".1")); err != nil {
			t.Error(err)
		}
	}
	for _, code := range codes {
		if row := fmt.Sprintf("\n| %s | %s |", code[1], code[2]); !strings.Contains(page, row) {
			t.Errorf("docs/commands.md has no %s", row)
		}
	}
}

// Every page is in one group of docs/README.md.
func TestIndex(t *testing.T) {
	index := content(t, "../../docs/README.md")
	for _, path := range must1(filepath.Glob("../../docs/*.md")) {
		name := filepath.Base(path)
		if n := strings.Count(index, "\n| ["); n < 20 {
			t.Fatalf("the index has %d pages", n)
		}
		if n := strings.Count(index, "]("+name+") |"); n != 1 && name != "README.md" {
			t.Errorf("docs/README.md lists %s %d times", name, n)
		}
	}
}

// Everything that pages and the README link to or show exists.
func TestLinks(t *testing.T) {
	pages := must1(filepath.Glob("../../docs/*.md"))
	results := must1(filepath.Glob("../../docs/results/*/README.md"))
	pages = append(slices.Concat(pages, results), "../../docs/results/README.md", "../../README.md", "../../ARCHITECTURE.md",
		"../../BENCHMARKS.md")
	for _, path := range pages {
		link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)|<img src="([^":]+)"`)
		for _, m := range link.FindAllStringSubmatch(content(t, path), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1]+m[2])); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1]+m[2], err)
			}
		}
	}
}

// Every option on the page for administrators exists.
func TestPageForAdmins(t *testing.T) {
	page := content(t, "../../docs/for-admins.md")
	options := regexp.MustCompile("(?m)^\\| `(--[a-z-]+)").FindAllStringSubmatch(page, -1)
	if len(options) < 4 {
		t.Errorf("%d options", len(options))
	}
	help := ok(t, "submit", "--help").Stdout
	for _, option := range options {
		if !strings.Contains(help, " "+option[1]+" ") {
			t.Errorf("gdrun submit has no %s", option[1])
		}
	}
}

// Help texts, tables and lists fit terminals of any width.
func TestTextFits(t *testing.T) {
	planned(t)
	list := regexp.MustCompile(`(?m)^     ([a-z]+) `).FindAllStringSubmatch(ok(t, "--help").Stdout, -1)
	if len(list) < 18 || len(list) > 22 {
		t.Errorf("there are %d commands", len(list))
	}
	all := [][]string{{"experiments"}, {"methods"}, {"status", "runs/tiny"}, {"inspect", "runs/tiny"}, {"inspect", "data/grid"},
		cellArgs, {"--help"}, {"simulate", "benchmark", "--help"}, {"simulate", "mnist", "--help"}, {"simulate", "kegg", "--help"}}
	for _, m := range list {
		all = append(all, []string{m[1], "--help"})
	}
	for _, width := range []int{80, 100, 120} {
		t.Setenv("COLUMNS", strconv.Itoa(width))
		for _, args := range all {
			for line := range strings.Lines(gdrun(t, args...).Stdout) {
				if n := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("gdrun %q: at %d columns a line has %d: %s", args, width, n, line)
				}
				if strings.Count(line, "(default") > 1 || strings.Contains(line, "required") && strings.Contains(line, "(default: 0") {
					t.Errorf("gdrun %q tells a default twice, or one that there is not: %s", args, line)
				}
			}
		}
	}
}
