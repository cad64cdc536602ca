package slurm

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files")

// TestMain lets the test binary be the program that scripts run, in jobs on the test cluster and in
// tests without a cluster.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "task" {
		code, err := element(os.Args)
		if err != nil {
			fmt.Fprintln(os.Stderr, "element:", err)
		}
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// An event is an entry in an element's record.
type event struct {
	What  string // "start", "end" or a signal's name
	Time  time.Time
	Args  []string
	Dir   string
	Procs string // GOMAXPROCS
	Env   Env
	Left  time.Duration // the cluster's answer
}

// element stands for gdrun task. It has the options that a script adds, and these:
//
//	--record DIR    folder for events, in a file for each task and start
//	--sleep D       how long it runs, unless a signal ends it
//	--requeue       on USR1 it requeues itself; after its second start it does not sleep
//	--heed D        how long it takes to end after TERM
func element(args []string) (int, error) {
	flags := flag.NewFlagSet("task", flag.ContinueOnError)
	index, offset := flags.Int("index", 0, ""), flags.Int("offset", 0, "")
	jobs, scratch := flags.Int("jobs", 0, ""), flags.String("scratch", "", "")
	record, sleep := flags.String("record", "", ""), flags.Duration("sleep", 0, "")
	requeue := flags.Bool("requeue", false, "")
	_, _ = jobs, scratch
	signals := make(chan os.Signal, 9)
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGTERM)
	if err := flags.Parse(args[3:]); err != nil { // task . options
		return 2, err
	}
	env, err := ReadEnv(os.Getenv)
	if err != nil {
		return 2, err
	}
	name := fmt.Sprintf("%05d.%d.json", *offset+*index, env.Restarts)
	file, err := os.OpenFile(filepath.Join(*record, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return 2, err
	}
	defer file.Close()
	note := func(e event) error {
		e.Time = time.Now()
		return json.NewEncoder(file).Encode(e)
	}
	dir, err := os.Getwd()
	if err != nil {
		return 2, err
	}
	start := event{What: "start", Args: args, Dir: dir, Procs: os.Getenv("GOMAXPROCS"), Env: env}
	if *sleep > 0 {
		if start.Left, err = new(Client).TimeLeft(context.Background(), env.ID); err != nil {
			return 1, err
		}
	}
	if err := note(start); err != nil {
		return 1, err
	}
	if *requeue && env.Restarts > 0 {
		*sleep = 0
	}
	for end := time.After(*sleep); ; {
		select {
		case <-end:
			return 0, note(event{What: "end"})
		case s := <-signals:
			var failed error
			if *requeue && s == syscall.SIGUSR1 {
				failed = new(Client).Requeue(context.Background(), env.ID)
			}
			return 75, errors.Join(failed, note(event{What: s.String()}))
		}
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
