package command

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"graphda/io/message"
	"graphda/jobs/executor"
)

// Progress shows the progress of a run, as a bar on a terminal, and elsewhere as a line from time to time. It measures
// progress by the estimated CPU time of cells.
type Progress struct {
	Patience time.Duration // time before anything is shown

	w     io.Writer
	bar   *progressbar.ProgressBar // nil if the output is not a terminal
	total float64
	cells int
	unit  string
	start time.Time

	mu     sync.Mutex
	done   float64
	taken  float64 // estimated CPU seconds of the cells that earlier calls have done
	before int     // number of cells that earlier calls have done
	count  int
	failed int
	next   time.Time // time of the next line, or of the bar's next update
}

const between = 10 * time.Second

// NewProgress returns the progress of a number of cells with an estimated CPU time in seconds. `unit` names one of the
// counted things, such as "cell".
func NewProgress(w io.Writer, unit string, cells int, seconds float64) *Progress {
	p := &Progress{w: w, unit: unit, cells: cells, total: max(seconds, 1e-9), start: time.Now()}
	p.next = p.start.Add(between)
	if f := Terminal(w); f != nil {
		p.next = p.start
		p.bar = progressbar.NewOptions64(1000, progressbar.OptionSetWriter(f), progressbar.OptionSetWidth(30),
			progressbar.OptionSetDescription(p.counts()), progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetElapsedTime(false), progressbar.OptionClearOnFinish())
	}
	return p
}

// Event records an event.
func (p *Progress) Event(e executor.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += e.Seconds
	p.count += e.Cells
	switch e.Kind {
	case executor.TaskSkipped, executor.TaskTakenOver:
		p.taken += e.Seconds
		p.before += e.Cells
	case executor.CellFailed:
		p.failed++
		p.say("failed: %s", e.Text)
	case executor.TaskDamaged:
		p.say("%s", e.Text)
	}
	p.show()
}

// Reach records how many steps of equal length are done. The total may grow.
func (p *Progress) Reach(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count, p.cells, p.done, p.total = done, total, float64(done), float64(total)
	p.show()
}

func (p *Progress) show() {
	now := time.Now()
	ended, due := p.count >= p.cells, now.After(p.next)
	switch {
	case now.Sub(p.start) < p.Patience:
	case p.bar != nil && (due || ended):
		p.next = now.Add(between / 100)
		p.bar.Describe(fmt.Sprintf("%s; %s; work", p.counts(), p.times(now)))
		_ = p.bar.Set64(min(1000, int64(1000*p.done/p.total))) // an error does no harm
	case p.bar == nil && due && !ended:
		p.next = now.Add(between)
		p.say("%s, %.0f%% of the work; %s", p.counts(), 100*min(1, p.done/p.total), p.times(now))
	}
}

func (p *Progress) counts() string {
	s := fmt.Sprintf("%s of %s", message.Number(p.count), message.Count(p.cells, p.unit))
	if p.failed > 0 {
		s += fmt.Sprintf(", %d failed", p.failed)
	}
	return s
}

func (p *Progress) times(now time.Time) string {
	return fmt.Sprintf("%v elapsed, about %v left", now.Sub(p.start).Round(time.Second), p.left(now))
}

func (p *Progress) left(now time.Time) time.Duration {
	rate := (p.done - p.taken) / now.Sub(p.start).Seconds()
	if rate <= 0 {
		return 0
	}
	return time.Duration(max(0, p.total-p.done) / rate * float64(time.Second)).Round(time.Second)
}

func (p *Progress) say(format string, args ...any) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	Note(p.w, format, args...)
}

// Clear ends the bar.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// Close ends the bar and prints what was done.
func (p *Progress) Close() {
	p.Clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.count == 0, time.Since(p.start) < p.Patience:
		return
	case p.count == p.before:
		fmt.Fprintf(p.w, "%s done before\n", p.counts())
		return
	}
	fmt.Fprintf(p.w, "%s in %v\n", p.counts(), time.Since(p.start).Round(100*time.Millisecond))
}
