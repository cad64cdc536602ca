package program

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"graphda/jobs/experiment"
)

// A Spec describes a program and its limits.
type Spec struct {
	*experiment.Program        // the first word of its command is a file in Dir or on PATH
	Dir                 string // folder with the program's files; also its working directory
	Log                 string // file for the program's stderr; "" for no log
}

// A Failure says why a program did not answer. The process has ended, unless the program itself reported the error.
type Failure struct {
	error
	Died   bool // the process ended by itself; another try may succeed
	Killed bool // SIGKILL ended the process or its child, perhaps because memory was short
}

// A Process is a running user's program. It is not safe for concurrent use.
type Process struct {
	Greeting

	spec   Spec
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan []byte // lines that the program wrote to stdout; closed at the end of stdout
	stderr tail
	ended  chan struct{}   // closed when the process has ended
	open   context.Context // done when Close is called
	close  context.CancelFunc
	begin  time.Time
	full   context.Context // cancelled when the process takes too much memory, with the error as cause
	fill   context.CancelCauseFunc

	mu  sync.Mutex
	cpu float64 // CPU seconds that the process and its children have used
}

// A program may take the time greeted to answer the Hello. It may take the time grace to end after TERM, or after its
// stdin was closed.
const (
	greeted = time.Minute
	grace   = 2 * time.Second
)

// Start starts a program, sends it the Hello, and reads its Greeting. The error is a Failure or ctx's error.
func Start(ctx context.Context, spec Spec, hello Hello) (*Process, error) {
	p := &Process{spec: spec, lines: make(chan []byte), ended: make(chan struct{}), begin: time.Now()}
	p.open, p.close = context.WithCancel(context.WithoutCancel(ctx))
	p.full, p.fill = context.WithCancelCause(context.WithoutCancel(ctx))
	if err := p.start(); err != nil {
		return nil, &Failure{error: fmt.Errorf("cannot be started: %w", err)}
	}
	err := p.exchange(ctx, min(spec.Timeout, greeted), hello, func(text []byte) (done bool, err error) {
		if err = decode(text, &p.Greeting); err == nil && (p.Name == "" || p.Version == "") {
			err = fmt.Errorf("answered the first message without a name or a version: %.60q", text)
		}
		p.Interpreter = p.cmd.Path
		return true, err
	})
	return p, err
}

// start starts the process from a thread that lives as long as the process, because Linux kills the process with the
// thread.
func (p *Process) start() (err error) {
	name := p.spec.Command[0]
	if _, err := os.Stat(filepath.Join(p.spec.Dir, name)); err == nil && !filepath.IsAbs(name) {
		name = "./" + name
	}
	p.cmd = exec.Command(name, p.spec.Command[1:]...)
	p.cmd.Dir, p.cmd.SysProcAttr, p.cmd.WaitDelay = p.spec.Dir, attributes(), grace
	threads := strconv.Itoa(p.spec.Processors)
	p.cmd.Env = append(os.Environ(), "OMP_NUM_THREADS="+threads, "OPENBLAS_NUM_THREADS="+threads,
		"MKL_NUM_THREADS="+threads, "PYTHONHASHSEED=0")
	p.stderr.path, p.cmd.Stderr = p.spec.Log, &p.stderr
	out, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer write.Close()
	p.cmd.Stdout = write
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return errors.Join(err, out.Close())
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked, so the thread ends with this function
		defer func() { p.stderr.log.Close() }()
		err := p.cmd.Start()
		if started <- err; err != nil {
			out.Close()
			return
		}
		go p.read(out)
		_ = p.cmd.Wait()                               // ProcessState has the result of Wait
		_ = out.SetReadDeadline(time.Now().Add(grace)) // a child of the process may hold the pipe open
		close(p.ended)
	}()
	if err = <-started; err == nil {
		go p.watch()
	}
	return err
}

// read sends the program's lines to p.lines. A line that is longer than maxLine may be cut.
func (p *Process) read(out io.ReadCloser) {
	defer out.Close()
	defer close(p.lines)
	for r := bufio.NewReaderSize(out, 1<<16); ; {
		var line []byte
		err := bufio.ErrBufferFull
		for err == bufio.ErrBufferFull && len(line) <= maxLine {
			var piece []byte
			piece, err = r.ReadSlice('\n')
			line = append(line, piece...)
		}
		if len(line) == 0 {
			return
		}
		select {
		case p.lines <- line:
		case <-p.open.Done():
			return
		}
	}
}

// exchange writes a question. It passes the lines of the answer to the function `take` until `take` returns true. An
// error ends the process, unless the program itself reported the error.
func (p *Process) exchange(ctx context.Context, within time.Duration, question any,
	take func(line []byte) (done bool, err error)) error {
	select {
	case line, ok := <-p.lines:
		if ok {
			return p.fail(fmt.Errorf("wrote to stdout without a question: %.60q", line))
		}
	default:
	}
	text, err := json.Marshal(question)
	if err != nil {
		return err
	}
	timeout := time.After(within)
	go func() { _, _ = p.in.Write(append(text, '\n')) }() // the error is ignored, because no answer comes then
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				failure := p.ending()
				p.Close()
				return failure
			}
			if len(line) > maxLine {
				return p.fail(fmt.Errorf("answered a line of more than %d MiB", maxLine>>20))
			}
			done, err := take(line)
			if err == nil && done {
				p.measure()
				err = context.Cause(p.full)
			}
			switch {
			case errors.Is(err, errAnswer):
				return &Failure{error: err}
			case err != nil:
				return p.fail(err)
			case done:
				return nil
			}
		case <-p.full.Done():
			return p.fail(context.Cause(p.full))
		case <-timeout:
			return p.fail(fmt.Errorf("did not answer within %v", within))
		case <-ctx.Done():
			p.Close()
			return ctx.Err()
		}
	}
}

// ending says how the process ended, and quotes the last line of its stderr.
func (p *Process) ending() *Failure {
	select {
	case <-p.ended:
	case <-time.After(2 * grace): // a child may hold stderr open until the end of grace
		return &Failure{error: errors.New("closed its stdout before it had answered"), Died: true}
	}
	how := "ended before it had answered: " + p.cmd.ProcessState.String()
	if last := p.stderr.last(); last != "" {
		how += "; it wrote last: " + last
	}
	const shells = 128 // a shell exits with 128 plus the number of the signal that killed its command
	status, _ := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return &Failure{error: errors.New(how), Died: true, Killed: status.Signaled() && status.Signal() == syscall.SIGKILL ||
		status.ExitStatus() == shells+int(syscall.SIGKILL)}
}

func (p *Process) fail(err error) error {
	p.Close()
	return &Failure{error: err}
}

// Ask asks the program about a cell. On an error (a Failure or the error of ctx) it also returns the answers so far.
// Unless the process is Alive afterwards, the next cell needs another process.
func (p *Process) Ask(ctx context.Context, q *Question, shape Shape) (answers []*Answer, err error) {
	begin := p.measure()
	err = p.exchange(ctx, p.spec.Timeout, q, func(line []byte) (bool, error) {
		a, err := q.check(line, len(answers), shape)
		if err != nil {
			return false, err
		}
		a.CPU = p.measure() - begin
		answers = append(answers, a)
		return len(answers) == len(q.Checkpoints), nil
	})
	return answers, err
}

// Alive tells whether the process can answer another Ask.
func (p *Process) Alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return p.open.Err() == nil
	}
}

// Close ends the process and its process group. It closes stdin, then sends TERM, then KILL. If the process takes too
// much memory, Close does not wait between these steps.
func (p *Process) Close() {
	if p.open.Err() != nil {
		return
	}
	p.close()
	p.in.Close()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		select {
		case <-p.ended:
		case <-p.full.Done():
		case <-time.After(grace):
		}
		_ = syscall.Kill(-p.cmd.Process.Pid, signal) // kills the whole process group
	}
	<-p.ended
}

// A tail stores the last bytes of a program's stderr, and copies the first bytes to a log.
type tail struct {
	path   string   // path of the log; may be ""
	log    *os.File // nil until the program writes to stderr
	mu     sync.Mutex
	text   []byte
	logged int
}

func (t *tail) Write(b []byte) (int, error) {
	const most, logged = 4 << 10, 1 << 20 // largest number of bytes in memory, and in the log
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-most):]
	first := b[:min(len(b), logged-t.logged)]
	if t.log == nil && t.path != "" { // the cell does not fail if the log cannot be opened
		t.log, _ = os.OpenFile(t.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	}
	t.logged += len(first)
	_, _ = t.log.Write(first)
	return len(b), nil
}

func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return oneLine(string(lines[len(lines)-1]))
}

func (p *Process) watch() {
	for p.Alive() {
		p.measure()
		time.Sleep(100 * time.Millisecond)
	}
}

// measure returns the CPU time of the process and its children or, if that is unknown, the elapsed time. It also checks
// the memory limit.
func (p *Process) measure() (cpuSeconds float64) {
	cpu, memory, ok := measure(p.cmd.Process.Pid)
	if !ok {
		cpu = time.Since(p.begin).Seconds()
	}
	if memory > p.spec.Memory {
		p.fill(fmt.Errorf("out of memory: took %d MiB, but its memory in the experiment is %d MiB", memory>>20,
			p.spec.Memory>>20))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cpu = max(p.cpu, cpu)
	return p.cpu
}
