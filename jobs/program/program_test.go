package program

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"graphda/graph"
	"graphda/io/matrix"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
)

// The test binary is also the program under test. Its arguments are "program" and a way to behave.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "program" {
		behave(os.Args[2])
		os.Exit(0)
	}
	if dir := os.Getenv("GRAPHDA_STARTER"); dir != "" { // set by TestKilled
		p, err := Start(context.Background(), Spec{Dir: dir, Program: &experiment.Program{Timeout: time.Minute,
			Command: []string{os.Args[0], "program", "hangs on"}, Memory: 1 << 30, Processors: 1}}, hello)
		if err != nil {
			panic(err)
		}
		fmt.Println(p.cmd.Process.Pid)
		select {}
	}
	maxLine = 1 << 20
	os.Exit(m.Run())
}

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

var canned = map[string][]string{
	"null":         {`"checkpoint":2,"weights":[1,null]`},
	"infinite":     {`"checkpoint":2,"weights":[1,1e999]`},
	"short":        {`"checkpoint":2,"weights":[1]`},
	"short scores": {`"checkpoint":2,"scores":{"valid":[1],"test":[1]}`},
	"online":       {`"checkpoint":2,"weights":[1,2],"online_scores":[1,2,3]`},
	"indices":      {`"checkpoint":2,"indices":[0,2],"values":[1,2]`},
	"key":          {`"checkpoint":2,"weigths":[1,2]`},
	"sorry":        {`"error":"the data\nare odd"`},
}

// behave answers the Hello, and then questions as the test needs.
func behave(how string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, maxLine)
	if how == "holds" {
		hold(Question{}, func(string) {})
	}
	say := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	in.Scan()
	switch how {
	case "no greeting":
		say(`{}`)
	case "greeting of words":
		say(`Loading required package: Matrix`)
	default:
		say(`{"name":"toy","version":"7","info":{"numpy":"2.0"}}`)
	}
	if how == "talks" {
		say(`hello`)
	}
	for in.Scan() {
		var q Question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			panic(err)
		}
		cell := func(rest string) { say(`{"cell":%q,%s}`, q.Cell, rest) }
		if lines := canned[how]; lines != nil {
			for _, line := range lines {
				cell(line)
			}
			continue
		}
		switch how {
		case "ends":
			fmt.Fprintln(os.Stderr, "first words\n\nModuleNotFoundError: no numpy")
			os.Exit(3)
		case "leaves":
			return
		case "hangs":
			select {}
		case "hangs on":
			signal.Ignore(syscall.SIGTERM)
			select {}
		case "lines":
			for {
				say(`{"cell":"x"}`)
			}
		case "floods":
			for range 40 {
				fmt.Print(strings.Repeat("x", 1<<16))
			}
			return
		case "one more":
			for _, k := range append(q.Checkpoints, 9) {
				cell(fmt.Sprintf(`"checkpoint":%d,"weights":[1,2]`, k))
			}
		case "greedy":
			hold(q, cell)
		case "greedy child":
			c := exec.Command(os.Args[0], "program", "holds")
			c.Stdout = os.Stdout
			c.Run()
		case "environment":
			cell(fmt.Sprintf(`"error":"%s %s %s %s %s %s"`, os.Getenv("OMP_NUM_THREADS"), os.Getenv("OPENBLAS_NUM_THREADS"),
				os.Getenv("MKL_NUM_THREADS"), os.Getenv("PYTHONHASHSEED"), q.Parameters, strings.Join(os.Args[3:], "|")))
		case "grandchild":
			c := exec.Command("sleep", "60")
			if err := c.Start(); err != nil {
				panic(err)
			}
			cell(fmt.Sprintf(`"error":"%d %d"`, os.Getpid(), c.Process.Pid))
		case "busy":
			var begun, used syscall.Rusage
			syscall.Getrusage(syscall.RUSAGE_SELF, &begun)
			for used = begun; used.Utime.Nano()-begun.Utime.Nano() < 1e8; {
				syscall.Getrusage(syscall.RUSAGE_SELF, &used)
			}
			fallthrough
		default:
			cell(`"checkpoint":2,"weights":[1,2],"intercept":0.5,"online_scores":[0.25,-1]`)
			cell(`"checkpoint":4,"indices":1,"values":3,"scores":{"valid":[1,2,3],"test":[4]}`)
		}
	}
	if how == "hangs on" {
		select {}
	}
}

func hold(q Question, cell func(string)) {
	b := make([]byte, 96<<20)
	for i := range b {
		b[i] = byte(i)
	}
	cell(fmt.Sprintf(`"checkpoint":2,"weights":[1,%d]`, b[len(b)-1]))
	runtime.KeepAlive(b)
	time.Sleep(time.Minute)
}

func spec(t *testing.T, how string, more ...string) Spec {
	return Spec{Dir: t.TempDir(), Log: filepath.Join(t.TempDir(), "log"), Program: &experiment.Program{Timeout: time.Minute,
		Command: append([]string{os.Args[0], "program", how}, more...), Memory: 1 << 30, Processors: 3}}
}

var hello = Hello{Loss: "logistic", Features: 2}
var shape = Shape{Features: 2, Valid: 3, Test: 1}

func question() *Question {
	return &Question{Cell: "c1", Parameters: json.RawMessage(`{"a":1}`), Seed: 5, Checkpoints: []int{2, 4}}
}

func TestAsk(t *testing.T) {
	p := must1(Start(t.Context(), spec(t, "well"), hello))
	defer p.Close()
	if p.Name != "toy" || p.Version != "7" || string(p.Info) != `{"numpy":"2.0"}` || p.Interpreter != os.Args[0] {
		t.Errorf("greeting %+v of %s", p.Greeting, p.Interpreter)
	}
	for range 3 {
		answers, err := p.Ask(t.Context(), question(), shape)
		if err != nil || len(answers) != 2 {
			t.Fatalf("%d answers, error %v", len(answers), err)
		}
		a, b := answers[0], answers[1]
		if a.Checkpoint != 2 || !slices.Equal(a.Weights, []float64{1, 2}) || a.Intercept != 0.5 || a.Scores != nil || !slices.Equal(a.Online, []float64{0.25, -1}) {
			t.Errorf("first answer %+v", a)
		}
		if b.Checkpoint != 4 || !slices.Equal(b.Weights, []float64{0, 3}) || !slices.Equal(b.Scores.Valid, []float64{1, 2, 3}) || !slices.Equal(b.Scores.Test, []float64{4}) || b.Online != nil {
			t.Errorf("second answer %+v", b)
		}
	}
}

func TestCPU(t *testing.T) {
	p := must1(Start(t.Context(), spec(t, "busy"), hello))
	answers, err := p.Ask(t.Context(), question(), shape)
	if err != nil || answers[0].CPU < 0.05 {
		t.Errorf("a cell that was busy for 0.1 s took %+v, error %v", answers[0], err)
	}
	p.Close()
}

// Each way to fail has its own message, and leaves no process behind.
func TestFailures(t *testing.T) {
	for how, want := range map[string]string{
		"no greeting":       `answered the first message without a name or a version: "{}\n"`,
		"greeting of words": `wrote an invalid answer: invalid character 'L' looking for beginning of value: "Loading required package: Matrix\n"`,
		"talks":             `wrote to stdout without a question: "hello\n"`,
		"leaves":            "ended before it had answered: exit status 0",
		"hangs":             "did not answer within 300ms",
		"hangs on":          "did not answer within 300ms",
		"floods":            "answered a line of more than 1 MiB",
		"lines":             `answered for another cell: "{\"cell\":\"x\"}\n"`,
		"null":              `wrote an invalid answer: "null" in a list, want only finite numbers`,
		"infinite":          `wrote an invalid answer: "1e999" in a list, want only finite numbers`,
		"short scores":      "answered 1 scores of the validation samples, want 3",
		"online":            "answered 3 online scores since the last checkpoint, want 2",
		"indices":           "answered index 2, want ascending indices from 0 to 1",
		"key":               `wrote an invalid answer: json: unknown field "weigths"`,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s := spec(t, how)
			if strings.HasPrefix(how, "hangs") {
				s.Timeout = 300 * time.Millisecond
			}
			p, err := Start(t.Context(), s, hello)
			if err == nil {
				time.Sleep(20 * time.Millisecond) // time for an answer that nobody asked for
				_, err = p.Ask(t.Context(), question(), shape)
			}
			var failure *Failure
			if !errors.As(err, &failure) || !strings.HasPrefix(err.Error(), want) {
				t.Fatalf("error %v, want %s", err, want)
			}
			if failure.Died != (how == "leaves") {
				t.Errorf("died is %v", failure.Died)
			}
			if p != nil {
				if p.Alive() {
					t.Error("it is alive")
				}
				p.Close()
				if err := syscall.Kill(-p.cmd.Process.Pid, 0); err == nil {
					t.Error("a process of its group is left")
				}
			}
		})
	}
}

func TestOneMore(t *testing.T) {
	t.Parallel()
	p := must1(Start(t.Context(), spec(t, "one more"), hello))
	if _, err := p.Ask(t.Context(), question(), shape); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	if _, err := p.Ask(t.Context(), question(), shape); err == nil || !strings.HasPrefix(err.Error(), "wrote to stdout without a question") {
		t.Errorf("error %v", err)
	}
}

func TestOutOfMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is measured on Linux alone")
	}
	t.Parallel()
	for _, how := range []string{"greedy", "greedy child"} {
		s := spec(t, how)
		s.Memory = 48 << 20
		p := must1(Start(t.Context(), s, hello))
		begin := time.Now()
		_, err := p.Ask(t.Context(), question(), shape)
		if err == nil || !strings.HasPrefix(err.Error(), "out of memory: took ") || !strings.HasSuffix(err.Error(), " MiB, but its memory in the experiment is 48 MiB") {
			t.Errorf("%s: error %v", how, err)
		}
		if time.Since(begin) > 10*time.Second {
			t.Errorf("%s: noticed after %v", how, time.Since(begin))
		}
	}
}

func TestStart(t *testing.T) {
	s := spec(t, "well")
	s.Command[0] = "no-such-program"
	if _, err := Start(t.Context(), s, hello); err == nil || !strings.HasPrefix(err.Error(), `cannot be started: exec: "no-such-program"`) {
		t.Errorf("error %v", err)
	}
	// The command is a file of the folder, with arguments that a shell would split or expand.
	s = spec(t, "environment", "a b", "'q\"", "$(x)\n", "")
	script := "#!/bin/sh\nexec \"$@\"\n"
	must(t, os.WriteFile(filepath.Join(s.Dir, "mine.sh"), []byte(script), 0o700))
	s.Command = append([]string{"mine.sh"}, s.Command...)
	p := must1(Start(t.Context(), s, hello))
	defer p.Close()
	_, err := p.Ask(t.Context(), question(), shape)
	if err == nil || err.Error() != `the program says: 3 3 3 0 {"a":1} a b|'q"|$(x) |` {
		// The program may have written the newline of an argument as an escape.
		jobstest.WantError(t, err, "a b|'q")
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	p := must1(Start(t.Context(), spec(t, "hangs"), hello))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := p.Ask(ctx, question(), shape); !errors.Is(err, context.Canceled) || p.Alive() {
		t.Errorf("error %v, alive %v", err, p.Alive())
	}
}

// The children of a program end with it.
func TestGrandchild(t *testing.T) {
	p := must1(Start(t.Context(), spec(t, "grandchild"), hello))
	_, err := p.Ask(t.Context(), question(), shape)
	words := strings.Fields(err.Error())
	grandchild := must1(strconv.Atoi(words[len(words)-1]))
	p.Close()
	wantEnd(t, grandchild)
}

// A child in another session holds all open files of a program. Nobody waits for the child, whether the program
// answers, ends or hangs.
func TestEscapes(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	for _, then := range []string{"exec cat", "exit 3", "exec sleep 30"} {
		t.Run(then, func(t *testing.T) {
			t.Parallel()
			s := spec(t, "well")
			s.Command, s.Timeout = []string{"sh", "-c", "setsid sleep 30 & read -r hello; echo '{\"name\":\"a\",\"version\":\"1\"}'; " + then}, time.Second
			begin := time.Now()
			p := must1(Start(t.Context(), s, hello))
			if _, err := p.Ask(t.Context(), question(), shape); err == nil {
				t.Error("no error")
			}
			p.Close()
			if took := time.Since(begin); took > 15*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// Folders of ended processes are removed. Folders of living processes are not.
func TestSweep(t *testing.T) {
	scratch := t.TempDir()
	dead := filepath.Join(scratch, "gdrun-trial-dead", "program")
	must(t, os.MkdirAll(dead, 0o700))
	first, lock, err := makeFolder(scratch)
	must(t, err)
	defer lock.Close()
	second, other, err := makeFolder(scratch)
	must(t, err)
	defer other.Close()
	if left := must1(filepath.Glob(filepath.Join(scratch, "*"))); len(left) != 2 || !slices.Contains(left, first) || !slices.Contains(left, second) {
		t.Errorf("there are %q", left)
	}
}

// If the process that started a program ends, even by KILL, the program ends. On Linux this holds even if the program
// does not read its input.
func TestKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere a program ends when it reads the end of its stdin")
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "GRAPHDA_STARTER="+t.TempDir())
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	pid, err2 := strconv.Atoi(strings.TrimSpace(line))
	must(t, errors.Join(err, err2, syscall.Kill(pid, 0), c.Process.Kill()))
	_ = c.Wait()
	wantEnd(t, pid)
}

// wantEnd waits for the end of a process that is not a child.
func wantEnd(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d lives on", pid)
}

func TestWriteTrial(t *testing.T) {
	b := func(rows int, from float64) samples.Block {
		b := samples.Block{P: 2}
		for i := range rows {
			b.X = append(b.X, from+float64(i)/3, -1e-300)
			b.Y = append(b.Y, float64(i%2*2-1))
		}
		return b
	}
	g := must1(graph.New(2, []graph.Edge{{U: 0, V: 1}}, []float64{0.5}))
	trial := &samples.Trial{Train: b(4, 0), Valid: b(3, 10), Test: b(1, 20), Graph: g, Features: &samples.Features{Names: []string{"a,b", "c"}}}
	for format := range formats {
		f := must1(WriteTrial(t.TempDir(), format, trial, 3))
		for path, want := range map[string][]float64{f.TrainX: trial.Train.X[:6], f.ValidX: trial.Valid.X, f.TestX: trial.Test.X} {
			m, err := matrix.Read(path)
			if err != nil || !slices.Equal(m.Data, want) {
				t.Errorf("%s holds %+v, error %v", path, m, err)
			}
		}
		text, err := os.ReadFile(f.TrainY)
		if err != nil || format == "csv" && string(text) != "-1\n1\n-1\n" || format == "npy" && (len(text) != 128+24 || !strings.Contains(string(text), "'shape': (3,), }")) {
			t.Errorf("%s: %q, error %v", f.TrainY, text, err)
		}
		for path, want := range map[string]string{f.Names: "name\n\"a,b\"\nc\n", f.Edges: "source,target,cost\n0,1,0.5\n"} {
			if text, err := os.ReadFile(path); err != nil || string(text) != want {
				t.Errorf("%s holds %q, error %v", path, text, err)
			}
		}
		files, err := os.ReadDir(filepath.Dir(f.Names))
		if err != nil || len(files) != 6 {
			t.Errorf("%d files, want no labels of validation and test samples: %v", len(files), files)
		}
		jobstest.Must(t, f.Check())
		for what, spoil := range map[string]func(string) error{
			"gone":      func(string) error { return nil },
			"a folder":  func(path string) error { return os.Mkdir(path, 0o777) },
			"a pipe":    func(path string) error { return syscall.Mkfifo(path, 0o666) },
			"its own":   func(path string) error { return os.Symlink(path, path) },
			"rewritten": func(path string) error { return os.WriteFile(path, []byte("x"), 0o666) },
			"huge":      func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o666), os.Truncate(path, 1<<36)) },
		} {
			jobstest.Must(t, errors.Join(os.Remove(f.TestX), spoil(f.TestX)))
			if err := f.Check(); !errors.As(err, new(*Failure)) {
				t.Errorf("%s: error %v, want the program's failure", what, err)
			}
			jobstest.Must(t, errors.Join(os.RemoveAll(f.TestX), os.WriteFile(f.TestX, nil, 0o666)))
		}
		if err := os.RemoveAll(f.Dir); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(f.TrainX); err == nil {
			t.Error("the files are left")
		}
	}
}

func keysOf(t reflect.Type) (keys []string) {
	for f := range t.Fields() {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			keys = append(keys, keysOf(f.Type)...)
		case key != "-":
			keys = append(keys, key)
		}
	}
	return keys
}

// The lines and the entry in docs/programs.md can be read by this package and by package
// experiment, and have every key.
func TestPage(t *testing.T) {
	text := must1(os.ReadFile("../../docs/programs.md"))
	page := string(text)
	lines := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(lines) != 3 {
		t.Fatalf("%d blocks of JSON, want 3", len(lines))
	}
	hello, greeting, _ := strings.Cut(lines[0][1], "\n")
	first, second, _ := strings.Cut(lines[2][1], "\n")
	question := strings.ReplaceAll(lines[1][1], "\n", "")
	q := &Question{Cell: "5f2c…", Checkpoints: []int{100, 101}}
	second = strings.Replace(second, `"checkpoint":400`, `"checkpoint":101`, 1)
	for line, into := range map[string]any{hello: new(Hello), greeting: new(Greeting), question: new(Question)} {
		if err := decode([]byte(line), into); err != nil {
			t.Error(err)
		}
	}
	for k, line := range []string{first, second} {
		if _, err := q.check([]byte(line), k, Shape{2, 1, 1}); err != nil {
			t.Error(err)
		}
	}
	for block, s := range map[string]any{hello: Hello{}, question: Question{}, page: Answer{}} {
		for _, key := range keysOf(reflect.TypeOf(s)) {
			if !strings.Contains(block, `"`+key+`":`) && !strings.Contains(block, "\n| `"+key+"` |") {
				t.Errorf("no key %q of %T in %.60s", key, s, block)
			}
		}
	}

	_, entry, _ := strings.Cut(page, "```yaml\n")
	entry, _, _ = strings.Cut(entry, "```")
	var read struct{ Methods []map[string]any }
	if err := yaml.Unmarshal([]byte(entry), &read); err != nil || len(read.Methods) != 1 {
		t.Fatalf("%d entries, error %v", len(read.Methods), err)
	}
	experimentText := "name: x\nloss: logistic\ndatasets: [graph01-mu0.3]\n" + entry
	if _, err := experiment.Parse("page.yaml", []byte(experimentText), experiment.ScaleFull); err != nil {
		t.Error(err)
	}
	_, err := experiment.Parse("page.yaml", []byte(strings.Replace(experimentText, "    command", "    comand", 1)), experiment.ScaleFull)
	_, known, _ := strings.Cut(err.Error(), "known here: ")
	for _, key := range strings.Split(known, ", ") {
		if _, ok := read.Methods[0][key]; !ok {
			t.Errorf("the entry on the page has no %q", key)
		}
	}
}
