package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"graphda/io/plain"
	"graphda/io/results"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/usage"
	"graphda/slurm"
)

// SubmitOptions say how a run is to be submitted. Empty resources are the defaults: time and memory follow
// what tasks of the same data took, and before there are such, what is expected of the tasks.
type SubmitOptions struct {
	Resources    slurm.Resources
	Target       time.Duration // CPU time of a task; 0: that of the plan
	Parallelism  int           // tasks that run at once; 0: as many as the cluster lets
	MaxJobs      int           // of this run in the queue, each task one; 0: any number
	MaxCoreHours float64       // hours of processors that the run holds in all; 0: any number
	Setup        string        // shell file to source first; may be empty
	Scratch      string        // folder on the nodes; may be empty
	RetryFailed  bool          // also submit cells that failed, and those whose jobs died of the data
	MaxMemory    int           // MiB that a task asks for at most; 0: what the partition's largest node has
	Merge        bool          // also submit a job that merges
	MergeOut     string        // its folder; empty: report in the run's folder
	Program      string        // absolute path of gdrun, as nodes see it
	MergeProgram string        // of gdmerge
	DryRun       bool          // write nothing
	After        []slurm.JobID // jobs of others that must end first
	Launcher     []string      // words before the programs, as apptainer exec image.sif
	Command      []string      // options of the call, as gdrun submit takes them, for the journal
	Again        bool          // also submit what has died alike again and again

	dir string // of the run, absolute
	way string // digest of what it takes for a job to start

	sources map[string]string // programs by the paths of their copies, which Program and MergeProgram are then
}

func (o *SubmitOptions) target(p *plan.Plan) time.Duration {
	switch {
	case o.Target > 0:
		return o.Target
	case p.Target > 0:
		return p.Target
	default:
		return defaultTarget
	}
}

// defaultMergeOut is the folder of the merging job's report in the run's.
const defaultMergeOut = "report"

// mergeOut is the folder of reports as the merging job, which runs in the run's folder,
// is to name it.
func (o *SubmitOptions) mergeOut() string {
	if o.MergeOut == "" {
		return defaultMergeOut
	}
	if below, err := filepath.Rel(o.dir, o.MergeOut); err == nil && filepath.IsLocal(below) {
		return below
	}
	return o.MergeOut
}

// check reads what can be checked before the cluster is asked.
func (o *SubmitOptions) check(r *run.Run) (err error) {
	if err := o.Resources.Validate(); err != nil {
		return &usage.Error{Err: err}
	}
	if o.Resources.WholeNode && o.Resources.CPUsPerTask == 0 {
		return usage.Errorf("whole-node: how many processors has a node? --cpus-per-task tells")
	}
	if o.Parallelism < 0 {
		return usage.Errorf("array-parallelism = %d, want at least 1", o.Parallelism)
	}
	if o.Scratch != "" && !filepath.IsAbs(o.Scratch) && !strings.HasPrefix(o.Scratch, "$TMPDIR") {
		return usage.Errorf("scratch = %q, want an absolute path, which all nodes have, or one that begins with $TMPDIR",
			o.Scratch)
	}
	if o.dir, err = filepath.Abs(r.Dir); err != nil {
		return err
	}
	if o.MergeOut != "" {
		if o.MergeOut, err = filepath.Abs(o.MergeOut); err != nil {
			return err
		}
	}
	if o.Setup != "" {
		if info, err := os.Stat(o.Setup); err != nil {
			return &usage.Error{Err: fmt.Errorf("setup file: %w", err)}
		} else if !info.Mode().IsRegular() {
			return usage.Errorf("setup file %s: not a file", o.Setup)
		}
	}
	return nil
}

// wholeNode fills in what a task with a node to itself asks for: all of the node's memory, and so much work
// that it takes as long as that of one processor would.
func (o *SubmitOptions) wholeNode(p *plan.Plan) {
	r := &o.Resources
	if !r.WholeNode {
		return
	}
	if r.Mem == "" && r.MemPerCPU == "" {
		r.Mem = "0"
	}
	if o.Target == 0 {
		o.Target = o.target(p) * time.Duration(r.CPUsPerTask)
	}
}

// A Submission is what is to be submitted of a run, worked out and not yet begun.
type Submission struct {
	Tasks    []*plan.Task
	Cells    int            // of the tasks
	Seconds  float64        // CPU time that the tasks are expected to take
	List     string         // file of the new list of tasks; empty: they were packed before
	Jobs     []*ProposedJob // arrays, and last the job that merges if one is wanted
	InQueue  int            // cells that wait or run already
	Failed   int            // cells that failed and are not tried again
	Left     int            // cells that are left for another submission
	Given    int            // cells that are given up, for their jobs would only die again
	Done     int            // cells
	Merging  slurm.JobID    // of the job that merges what is in the queue; empty: none
	Damaged  []string       // shards that are set aside, as texts
	Warnings []string

	run     *run.Run
	options SubmitOptions
	client  *slurm.Client
	journal *journal
	number  int
	packed  []*plan.Task // of the new list: Tasks, and those that are left
	needs   *needs
	deaths  []*death // that no submission has noted
	damaged []run.Damage
	lock    *submitLock // nil: none
}

// Propose works out what a run lacks: what it takes to have every cell, minus what is
// in the queue. Cells that no earlier list of tasks fits are packed into new tasks. It
// must be closed.
//
// It also completes the journal of earlier submissions that were interrupted.
func Propose(ctx context.Context, r *run.Run, client *slurm.Client, o SubmitOptions) (*Submission, error) {
	s := newSubmission(r, client, o)
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func newSubmission(r *run.Run, client *slurm.Client, o SubmitOptions) *Submission {
	return &Submission{run: r, options: o, client: client}
}

// open works out the submission.
func (s *Submission) open(ctx context.Context) error {
	if err := s.options.check(s.run); err != nil {
		return err
	}
	s.options.wholeNode(s.run.Plan)
	var missing *slurm.MissingError
	switch err := s.client.Available(ctx); {
	case errors.As(err, &missing) && s.options.DryRun:
		return s.openOffline()
	case errors.As(err, &missing):
		return &usage.Error{Err: err}
	case err != nil:
		return err
	}
	if err := s.openJournal(ctx); err != nil {
		return err
	}
	queue, err := s.askQueue(ctx)
	if err != nil {
		return err
	}
	s.Warnings = append(s.Warnings, queue.notOurs()...)
	return s.plan(queue, site{
		limits:  func() (*slurm.Limits, error) { return s.client.Limits(ctx) },
		explain: func(all []*death) { explain(ctx, s.run, all, s.client, queue) },
		partitions: func() ([]slurm.Partition, error) {
			return s.client.Partitions(ctx, s.options.Resources.Partition)
		},
	})
}

// askQueue asks about the jobs that may be there. What is done before they are asked about is in none of them; what is
// done after is seen when stock is taken again.
func (s *Submission) askQueue(ctx context.Context) (*queue, error) {
	if len(s.journal.jobs()) == 0 {
		return newQueue(), nil
	}
	stock, err := s.run.TakeStock(false)
	if err != nil {
		return nil, err
	}
	return s.journal.queue(ctx, s.client, stock)
}

// A site answers what a submission has to know of the cluster beside the queue.
type site struct {
	limits     func() (*slurm.Limits, error)
	explain    func([]*death)
	partitions func() ([]slurm.Partition, error)
}

// openOffline works out the submission for a cluster of which nothing is known.
func (s *Submission) openOffline() (err error) {
	if s.journal, err = readJournal(s.run); err != nil {
		return err
	}
	limits := slurm.Limits{MaxArraySize: slurm.DefaultMaxArraySize}
	s.Warnings = append(s.Warnings, fmt.Sprintf("no Slurm on this machine: the scripts are those for a cluster with "+
		"MaxArraySize = %d, Slurm's default, "+
		"and with no job of this run in its queue", limits.MaxArraySize))
	return s.plan(newQueue(), site{
		limits:     func() (*slurm.Limits, error) { return &limits, nil },
		explain:    func([]*death) {},
		partitions: func() ([]slurm.Partition, error) { return nil, nil },
	})
}

// Close lets others submit.
func (s *Submission) Close() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.close()
}

// openJournal locks the journal, reads it and completes it.
func (s *Submission) openJournal(ctx context.Context) (err error) {
	if !s.options.DryRun {
		dir := filepath.Join(s.run.Dir, submissionsDir)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		if s.lock, err = lockSubmissions(ctx, dir, s.client); err != nil {
			return err
		}
		s.client = s.lock.keptBy(s.client)
	}
	if s.journal, err = readJournal(s.run); err != nil {
		return err
	}
	return s.completeJournal(ctx)
}

// completeJournal finds the jobs of submissions that were interrupted.
func (s *Submission) completeJournal(ctx context.Context) error {
	const interval = 10 * time.Second
	for {
		changed, open, err := s.journal.findLostJobs(ctx, s.client, time.Now(), s.lock.settled())
		if err != nil || s.options.DryRun {
			return err
		}
		for _, f := range changed {
			if err := s.journal.save(f); err != nil {
				return err
			}
		}
		if open == 0 {
			return nil
		}
		if err := s.client.Wait(ctx, errors.New("a submission was interrupted, and its job may still come"),
			interval); err != nil {
			return err
		}
	}
}

// plan finds the tasks and makes the jobs.
func (s *Submission) plan(queue *queue, at site) error {
	s.owesMerge()
	if err := s.options.stage(); err != nil {
		return err
	}
	stock, err := s.run.TakeStock(true)
	if err != nil {
		return err
	}
	s.setAside(stock, queue)
	missing := outstanding(s.run, stock, queue.isActive, s.options.RetryFailed)
	if len(missing) == 0 && !s.options.Merge {
		at.partitions = func() ([]slurm.Partition, error) { return nil, nil }
	}
	if err := s.learn(queue, stock, at); err != nil {
		return err
	}
	cells := s.needs.submittable(slices.Clone(missing))
	s.Given = len(missing) - len(cells)
	s.Warnings = append(s.Warnings, s.needs.notes...)
	for _, g := range s.needs.up {
		s.Warnings = append(s.Warnings, g.String())
	}
	s.tally(stock, cells)
	var lacksMerge bool
	s.Merging, lacksMerge = s.journal.merging(queue)
	if s.options.Merge && lacksMerge && s.Given > 0 {
		s.Warnings = append(s.Warnings, "no job that merges is submitted while cells are given up")
		lacksMerge = false
	}
	wantsMerge := s.options.Merge && (len(cells) > 0 || lacksMerge)
	if len(cells) == 0 && !wantsMerge {
		return s.tidy(stock, queue)
	}
	s.number = s.journal.next()
	b, err := newBatch(s.run, &s.options, stock, s.needs, s.number)
	if err != nil {
		return err
	}
	if len(cells) > 0 {
		if err := s.planArrays(at.limits, cells, stock, queue, b); err != nil {
			return err
		}
	}
	if wantsMerge && s.Left > 0 {
		s.Warnings = append(s.Warnings, "the job that merges is submitted with the last of the tasks that are left")
	}
	if !wantsMerge || s.Left > 0 || len(cells) > 0 && len(s.Jobs) == 0 {
		return nil
	}
	var active []slurm.JobID
	for _, a := range queue.jobs {
		if a.job.Count > 0 {
			active = append(active, a.job.ID)
		}
	}
	merge, err := b.merge(s.Jobs, active)
	s.Jobs = append(s.Jobs, merge)
	return err
}

// tidy removes what a finished run does not need.
func (s *Submission) tidy(stock *run.Stock, queue *queue) error {
	if s.options.DryRun || s.Done < len(s.run.Plan.Cells) || len(queue.jobs)+len(queue.foreign) > 0 {
		return nil
	}
	return s.run.RemoveLeftovers(stock)
}

// setAside notes the damaged shards, but those of tasks that wait or run.
func (s *Submission) setAside(stock *run.Stock, queue *queue) {
	for _, d := range stock.Damaged {
		if !queue.isActive(d.Task.Number) {
			s.damaged = append(s.damaged, d)
			s.Damaged = append(s.Damaged, d.String())
		}
	}
}

// owesMerge takes up the job that merges which an earlier submission was asked for, and could not bring since tasks
// were left.
func (s *Submission) owesMerge() {
	for _, f := range slices.Backward(s.journal.files) {
		if len(f.Jobs) == 0 {
			continue
		}
		if f.Owes != "" && !s.options.Merge {
			s.options.Merge, s.options.MergeOut = true, f.Owes
		}
		return
	}
}

// learn finds out what earlier jobs have died of, and what the next are to ask for.
func (s *Submission) learn(queue *queue, stock *run.Stock, at site) error {
	known := s.journal.deaths()
	noted := map[string]bool{}
	for _, d := range known {
		noted[d.Job] = true
	}
	all, _ := deaths(s.run, stock.State, stock, queue)
	s.deaths = slices.DeleteFunc(all, func(d *death) bool { return noted[d.Job] })
	at.explain(s.deaths)
	known = append(known, s.deaths...)
	partitions, err := at.partitions()
	if err != nil && !errors.As(err, new(*slurm.Error)) {
		return err
	}
	most := mostOf(partitions, s.options.Resources.Partition == "")
	if err := s.options.fits(most); err != nil {
		return err
	}
	if s.options.MaxMemory > 0 {
		most.memory = min(most.memory, s.options.MaxMemory)
	}
	s.needs = learn(s.run, stock, known, &s.options, most)
	s.Warnings = append(s.Warnings, tellDeaths(s.deaths)...)
	return nil
}

// fits refuses what no node of the partition gives: such jobs would wait for ever.
func (o *SubmitOptions) fits(most demand) error {
	partition := "the default partition"
	if o.Resources.Partition != "" {
		partition = "partition " + o.Resources.Partition
	}
	if limit, err := slurm.ParseTime(o.Resources.Time); err == nil && limit > most.time {
		return usage.Errorf("time = %s, and %s gives at most %s", o.Resources.Time, partition, hours(most.time))
	}
	if memory := askedMemory(&o.Resources); memory > most.memory {
		return usage.Errorf("memory = %s, and the largest node of %s has %s", slurm.FormatMemory(memory), partition,
			slurm.FormatMemory(most.memory))
	}
	return nil
}

// mostOf is what a job may ask for in partitions, or in the default one of them.
func mostOf(partitions []slurm.Partition, byDefault bool) demand {
	var most demand
	for _, p := range partitions {
		if p.Default || !byDefault {
			most.memory, most.time = max(most.memory, p.Memory), max(most.time, p.Time)
		}
	}
	if most == (demand{}) { // nothing is known
		return demand{memory: math.MaxInt, time: slurm.Unlimited}
	}
	return most
}

// tellDeaths counts deaths by their causes, the most frequent first.
func tellDeaths(all []*death) []string {
	count := map[results.Cause]int{}
	for _, d := range all {
		count[d.Cause]++
	}
	causes := slices.SortedFunc(maps.Keys(count), func(a, b results.Cause) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, c := range causes {
		part := fmt.Sprintf("%d × %s", count[c], c)
		if line := commonLast(all); c == results.NotStarted && line != "" {
			part += " (" + line + ")"
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s died: %s", plain.Count(len(all), "job"), strings.Join(parts, ", "))}
}

// planArrays makes the arrays of the cells' tasks.
func (s *Submission) planArrays(ask func() (*slurm.Limits, error), cells []int, stock *run.Stock,
	queue *queue, b *batch) error {
	limits, err := ask()
	if err != nil {
		return err
	}
	if err := s.pack(cells, stock, b); err != nil {
		return err
	}
	s.sendPilot(queue)
	s.afford(stock, queue, b)
	for _, t := range s.Tasks {
		_, cpu := b.seconds(t)
		s.Seconds += cpu
	}
	stretches := b.stretches(s.Tasks)
	s.warn(stretches, b)
	s.Jobs, err = b.propose(stretches, *limits)
	return err
}

// tally counts the cells that are not submitted.
func (s *Submission) tally(stock *run.Stock, cells []int) {
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
	s.InQueue = undone - s.Given
}

// pack chooses the tasks: those that were packed before, if they fit, else new ones.
func (s *Submission) pack(cells []int, stock *run.Stock, b *batch) error {
	target := s.options.target(s.run.Plan)
	again := func() []*plan.Task {
		tasks := repack(s.run, cells, target, b.estimate, func(c int) demand { return s.needs.least[c] })
		b.times.fit(tasks)
		number(tasks, s.run.NextTask(), func(t *plan.Task) int { return b.class(t).rank() })
		return tasks
	}
	s.Tasks = reusableTasks(s.run, cells, stock, target, b.estimate)
	b.times.fit(s.Tasks)
	var packed []*plan.Task
	switch {
	case s.Tasks == nil, tooMany(b.stretches(s.Tasks)):
		packed = again()
	case s.options.Target > 0:
		if fresh := again(); !samePacking(s.Tasks, fresh) {
			packed = fresh
		} else {
			b.times.fit(s.Tasks)
		}
	}
	if packed != nil {
		list, err := plan.NextList(s.run.Dir)
		if err != nil {
			return err
		}
		s.Tasks, s.packed, s.List = packed, packed, list
	}
	return nil
}

// warn tells of tasks that do not fit the time limit that was asked for.
func (s *Submission) warn(stretches []stretch, b *batch) {
	if s.options.Resources.Time == "" {
		return
	}
	long, longest := 0, time.Duration(0)
	for _, st := range stretches {
		if st.time > b.times.first {
			long += len(st.tasks)
			longest = max(longest, st.time)
		}
	}
	if long > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d of the %d tasks are expected to take longer than --time %s; they go "+
			"to arrays of their own with up to %s",
			long, len(s.Tasks), s.options.Resources.Time, strings.TrimSuffix(longest.String(), "0s")))
	}
}
