package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// A Submission is the planned submission of a run's missing cells. Send submits it.
type Submission struct {
	Tasks     []*plan.Task
	Cells     int
	Seconds   float64 // expected CPU time of the tasks
	List      string  // file of the new list of tasks; "" if an earlier list fits
	Jobs      []*ProposedJob
	FollowUp  *ProposedJob // sent before the arrays; may be nil
	Next      journal.Step // next step of a run with follow-up jobs
	Word      string       // why the run stops
	Alone     error        // why the arrays were sent without the follow-up job
	InQueue   int          // number of cells that wait or run
	Hidden    int          // number of cells in jobs that this user or machine cannot see
	Failed    int          // number of failed cells that are not tried again
	Left      int          // number of cells left for another submission
	GivenUp   int          // number of cells that are given up
	Done      int          // number of finished cells
	Following slurm.JobID  // follow-up job that already waits, or ""
	Whole     Cost         // cost of all missing cells
	Damaged   []run.Damage // damaged shards, which prepare renames
	Warnings  []string

	run     *run.Run
	options SubmitOptions
	client  *slurm.Client
	journal *journal.Journal
	packed  []*plan.Task // all tasks of the new list, including tasks left for later
	needs   *needs
	batch   *batch           // nil if nothing is submitted
	deaths  []*journal.Death // deaths that are not recorded yet
	taken   []*journal.File  // files with hidden jobs that --take-over gave up
	lock    *journal.Lock    // nil if the journal is not locked
	offline bool             // whether this machine has no Slurm

	reason   string         // why tasks are left for another submission
	round    journal.Follow // record of this call
	noted    *journal.File  // record of the sent jobs; nil before the first
	waitFor  []slurm.JobID  // arrays that the follow-up job waits for
	replaced []slurm.JobID  // older follow-up jobs
}

// A Cost is the expected cost of tasks.
type Cost struct {
	Cells, Tasks int
	Seconds      float64
}

// Propose plans to submit the cells that are neither done nor queued. If no earlier list of tasks fits, it packs them
// into new tasks. It also completes the records of interrupted submissions. The caller closes the Submission.
func Propose(ctx context.Context, r *run.Run, client *slurm.Client, o SubmitOptions) (*Submission, error) {
	s := &Submission{run: r, options: o, client: client}
	switch err := s.open(ctx); {
	case err == nil:
	case o.Follow != "" && s.journal != nil && s.isNewest() && journal.IsLasting(err):
		s.Fail(err)
	default:
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Submission) open(ctx context.Context) error {
	if err := s.options.check(s.run); err != nil {
		return err
	}
	s.options.wholeNode(s.run.Plan)
	if s.options.Follow != "" {
		if err := s.lockJournal(ctx); err != nil {
			return err
		}
		if s.journal.FollowUp() == nil || s.journal.IsStopped() {
			return nil
		}
		s.journal.Self = s.options.Follow
	}
	var missing *slurm.MissingError
	switch err := s.client.Available(ctx); {
	case errors.As(err, &missing) && s.options.DryRun:
		s.offline = true
		s.Warnings = append(s.Warnings, fmt.Sprintf("no Slurm on this machine: the scripts are for a cluster with Slurm's "+
			"default MaxArraySize = %d and no job of this run in its queue", slurm.DefaultMaxArraySize))
	case errors.As(err, &missing):
		return &userinput.Error{Err: err}
	case err != nil:
		return err
	}
	if s.journal == nil {
		if err := s.lockJournal(ctx); err != nil {
			return err
		}
	}
	if !s.offline {
		if err := s.completeJournal(ctx); err != nil {
			return err
		}
	}
	if acts, err := s.acts(ctx); err != nil || !acts {
		return err
	}
	queue, err := s.askQueue(ctx)
	if err != nil {
		return err
	}
	if s.options.TakeOver {
		s.taken = s.journal.TakeOver(queue)
	}
	s.Warnings = append(s.Warnings, queue.Notes()...)
	for _, o := range queue.Hidden() {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s cannot be seen from here: %s; their cells are not submitted. If "+
			"these jobs have ended, gdrun submit %s --take-over submits their cells again", &o, o.Why, slurm.Quote(s.run.Dir)))
	}
	return s.plan(ctx, queue)
}

// askQueue asks the cluster about jobs that may not have ended. It first counts the finished cells, so that it need not
// ask about their jobs. plan counts again, because more cells may finish meanwhile.
func (s *Submission) askQueue(ctx context.Context) (*journal.Queue, error) {
	if s.offline || len(s.journal.Jobs()) == 0 {
		return journal.NewQueue(), nil
	}
	stock, err := s.run.TakeStock(false)
	if err != nil {
		return nil, err
	}
	return s.journal.Queue(ctx, s.client, stock)
}

// Close releases the lock, so that others can submit.
func (s *Submission) Close() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Close()
}

// lockJournal locks the journal and reads it. A follow-up job waits longer for the lock than a person.
func (s *Submission) lockJournal(ctx context.Context) (err error) {
	if !s.options.DryRun {
		dir := filepath.Join(s.run.Dir, journal.SubmissionsDir)
		if err := journal.CheckFolders(s.run); err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		patience := 10 * time.Second
		if s.options.Follow != "" {
			patience = 20 * time.Minute
		}
		if s.lock, err = journal.TakeLock(ctx, dir, s.client, patience); err != nil {
			return err
		}
		s.client = s.lock.KeptBy(s.client)
	}
	s.journal, err = journal.Read(s.run)
	return err
}

// completeJournal finds the jobs of interrupted submissions. It waits until it knows whether each job exists.
func (s *Submission) completeJournal(ctx context.Context) error {
	const interval = 10 * time.Second
	for {
		changed, open, err := s.journal.FindLost(ctx, s.client, s.client.Now(), s.lock.Settled())
		if err != nil || s.options.DryRun {
			return err
		}
		for _, f := range changed {
			if err := s.journal.Save(f); err != nil {
				return err
			}
		}
		if open == 0 {
			return nil
		}
		if err := s.client.Wait(ctx, errors.New("a submission was interrupted, and its job may still appear"),
			interval); err != nil {
			return err
		}
	}
}

func (s *Submission) plan(ctx context.Context, queue *journal.Queue) error {
	if err := s.options.stage(); err != nil {
		return err
	}
	if s.options.inPlace {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s is mounted noexec, so jobs run %s directly: do not change this "+
			"program until they have ended", s.run.Dir, s.options.Program))
	}
	stock, err := s.run.TakeStock(true)
	if err != nil {
		return err
	}
	s.Damaged = slices.DeleteFunc(stock.Damaged, func(d run.Damage) bool { return queue.IsActive(d.Task.Number) })
	if s.options.RetryFailed && s.options.Follow != "" {
		s.options.retried = s.journal.SentAgain()
	}
	missing := run.Outstanding(s.run, stock, queue.IsTaken, s.options.retries)
	merged := s.journal.IsMerged(s.options.reportDir(), len(s.run.Plan.Cells))
	follows := s.options.UntilDone && (!queue.Empty() || s.options.Follow == "" && !merged)
	if err := s.learn(ctx, queue, stock, len(missing) > 0 || follows); err != nil {
		return err
	}
	cells := s.needs.submittable(slices.Clone(missing))
	s.GivenUp = len(missing) - len(cells)
	s.Warnings = append(s.Warnings, s.needs.notes...)
	for _, g := range s.needs.reasons {
		s.Warnings = append(s.Warnings, g.String())
	}
	s.tally(stock, cells, queue)
	if s.Done == len(s.run.Plan.Cells) && queue.Empty() && !s.options.DryRun {
		if err := s.run.RemoveLeftovers(stock); err != nil {
			return err
		}
	}
	if s.batch, err = newBatch(s.needs, s.journal.Next()); err != nil {
		return err
	}
	if len(cells) > 0 {
		if err := s.planArrays(ctx, cells, queue); err != nil {
			return err
		}
	}
	if s.options.UntilDone {
		return s.follow(queue)
	}
	return nil
}

// learn finds the causes of earlier deaths. If `asks` is set, it also asks the cluster for the largest possible demand.
func (s *Submission) learn(ctx context.Context, queue *journal.Queue, stock *run.Stock, asks bool) error {
	known := s.journal.Deaths()
	noted := map[string]bool{}
	for _, d := range known {
		noted[d.Log] = true
	}
	all := journal.FindDeaths(s.run, stock.State, stock, queue)
	s.deaths = slices.DeleteFunc(all, func(d *journal.Death) bool { return noted[d.Log] })
	var partitions []slurm.Partition
	if !s.offline {
		s.journal.Explain(ctx, s.deaths, s.client)
		if asks {
			var err error
			partitions, err = s.client.Partitions(ctx, s.options.Resources.Partition)
			if err != nil && !errors.As(err, new(*slurm.Error)) {
				return err
			}
		}
	}
	known = append(known, s.deaths...)
	most, err := s.most(ctx, partitions, known)
	if err != nil {
		return err
	}
	if err := s.options.fits(most); err != nil {
		return err
	}
	if s.options.MaxMemory > 0 {
		most.memory = min(most.memory, s.options.MaxMemory)
	}
	s.needs = learn(s.run, stock, known, &s.options, most)
	s.Warnings = append(s.Warnings, journal.Tell(s.deaths)...)
	return nil
}

// most returns the largest demand that the partitions allow. It asks for memory limits only if the user gives --mem, or
// if a job ran out of memory.
func (s *Submission) most(ctx context.Context, partitions []slurm.Partition, known []*journal.Death) (demand, error) {
	r := &s.options.Resources
	if partitions != nil && (r.AskedMemory() > 0 || slices.ContainsFunc(known, func(d *journal.Death) bool {
		return d.Cause == results.OutOfMemory
	})) {
		if err := s.client.LimitMemory(ctx, partitions); err != nil && !errors.As(err, new(*slurm.Error)) {
			return demand{}, err
		}
	}
	var most demand
	most.memory, most.time = slurm.Most(partitions, r.Partition == "")
	if partitions == nil {
		return most, nil
	}
	if here, err := s.journal.Here(ctx, s.client); err != nil || !here.Limits {
		return most, err
	}
	limit := s.client.QOSLimit(ctx, cmp.Or(r.QOS, "normal"))
	most.time = min(most.time, limit.Time)
	most.memory = min(most.memory, cmp.Or(limit.Memory, most.memory))
	return most, ctx.Err()
}

func (s *Submission) tally(stock *run.Stock, cells []int, queue *journal.Queue) {
	s.Cells = len(cells)
	undone := 0
	for _, state := range stock.State {
		switch state {
		case run.StateDone:
			s.Done++
		case run.StateFailed:
			s.Failed++
		default:
			undone++
		}
	}
	for _, c := range cells {
		if stock.State[c] == run.StateFailed {
			s.Failed--
		} else {
			undone--
		}
	}
	never := func(int) bool { return false }
	seen, all := run.Outstanding(s.run, stock, queue.IsTaken, never), run.Outstanding(s.run, stock, queue.IsActive, never)
	s.Hidden = len(all) - len(seen)
	s.InQueue = undone - s.GivenUp - s.Hidden
}
