package slurm

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Entry is a job in the queue, or an element of a job array.
type Entry struct {
	ID     JobID // id of the job or element
	Job    JobID // id of the job, or of the element's array
	Index  int   // index of the element; −1 outside an array
	State  State
	Reason string // why the job waits or ended: Resources, JobHeldUser, NonZeroExitCode, …
	Node   string // node, or list of nodes
	Name   string
	Dir    string // working directory
	Script string // path of the batch script
}

// record separates the jobs in squeue's output, and field separates their fields. Job names may contain any other byte.
const record, field = "\x1e", "\x1f"

// queueFormat lists, in squeue's format, the fields that parseEntry reads.
const queueFormat = record + "%F" + field + "%K" + field + "%T" + field + "%r" + field + "%N" + field + "%j" +
	field + "%Z" + field + "%o" + field

// Queue returns the entry of a job, or the entries of an array's elements, until some minutes after their end. An
// unknown id has no entries. Queue takes only one id. If squeue asks for several ids, the controller sends its whole
// table of jobs.
func (c *Client) Queue(ctx context.Context, id JobID) ([]Entry, error) {
	if err := id.check(); err != nil {
		return nil, err
	}
	return c.queue(ctx, "--jobs="+string(id))
}

// QueueOf returns the entries of all jobs of the given users.
func (c *Client) QueueOf(ctx context.Context, users []int) ([]Entry, error) {
	ids := make([]string, len(users))
	for i, uid := range users {
		ids[i] = strconv.Itoa(uid)
	}
	return c.queue(ctx, "--user="+strings.Join(ids, ","))
}

func (c *Client) queue(ctx context.Context, which string) ([]Entry, error) {
	out, err := c.query(ctx, "squeue", "--noheader", "--array", "--states=all", "--format="+queueFormat, which)
	if IsKind(err, NoSuchJob) { // possible only in a query about one job
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseQueue(out)
}

func parseQueue(text string) ([]Entry, error) {
	var entries []Entry
	_, text, _ = strings.Cut(text, record)
	if text == "" {
		return nil, nil
	}
	for line := range strings.SplitSeq(text, record) {
		e, err := parseEntry(line)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func parseEntry(text string) (Entry, error) {
	f := strings.Split(text, field)
	if len(f) != 9 {
		return Entry{}, fmt.Errorf("squeue printed %q: %d fields, want 9", text, len(f))
	}
	e := Entry{ID: JobID(f[0]), Job: JobID(f[0]), Index: -1, State: parseState(f[2]), Reason: f[3], Node: f[4],
		Name: f[5], Dir: f[6], Script: f[7]}
	if f[1] != "N/A" {
		e.ID += JobID("_" + f[1])
		e.Index, _ = strconv.Atoi(f[1]) // checked below
	}
	if err := e.ID.check(); err != nil {
		return Entry{}, fmt.Errorf("squeue printed %q: %w", text, err)
	}
	return e, nil
}

// TimeLeft returns the time until a running job reaches its limit. For a job without a limit it returns Unlimited or,
// with some versions of Slurm, a year.
func (c *Client) TimeLeft(ctx context.Context, id JobID) (time.Duration, error) {
	if err := id.check(); err != nil {
		return 0, err
	}
	out, err := c.query(ctx, "squeue", "--noheader", "--jobs="+string(id), "--format=%L")
	if err != nil {
		return 0, err
	}
	text := strings.TrimSpace(out)
	if text == "" {
		return 0, &Error{Program: "squeue", Kind: NoSuchJob, Text: "job " + string(id) + " does not run"}
	}
	return parseLeft(text[strings.LastIndexByte(text, '\n')+1:])
}

// Cancel cancels jobs and elements of arrays. It ignores jobs that have already ended.
func (c *Client) Cancel(ctx context.Context, ids ...JobID) error {
	for some := range slices.Chunk(ids, 1000) { // a command gets at most 1,000 ids
		which, err := join(some)
		if err != nil {
			return err
		}
		_, err = c.query(ctx, "scancel", strings.Split(which, ",")...)
		if err != nil && !IsKind(err, NoSuchJob) && !strings.Contains(err.Error(), "already completing or completed") {
			return err
		}
	}
	return nil
}

// Requeue puts running jobs or elements back into the queue. They receive TERM. A job may requeue itself, unless its
// site forbids this.
func (c *Client) Requeue(ctx context.Context, ids ...JobID) error {
	which, err := join(ids)
	if err != nil || which == "" {
		return err
	}
	_, err = c.query(ctx, "scontrol", "requeue", which)
	return err
}

// StartAfter makes a waiting job start when all the other jobs have ended, but not before the delay begin has passed.
func (c *Client) StartAfter(ctx context.Context, id JobID, begin time.Duration, others []JobID) error {
	if err := id.check(); err != nil {
		return err
	}
	after, err := join(others)
	if err != nil {
		return err
	}
	if after != "" {
		after = "afterany:" + strings.ReplaceAll(after, ",", ":")
	}
	start := "StartTime=now"
	if begin > 0 {
		start += fmt.Sprintf("+%d", int(begin.Seconds()))
	}
	_, err = c.query(ctx, "scontrol", "update", "JobId="+string(id), "Dependency="+after, start)
	return err
}

// RequeueAfter requeues a running job and then calls StartAfter. If StartAfter fails, the job starts too early.
func (c *Client) RequeueAfter(ctx context.Context, id JobID, begin time.Duration, others []JobID) error {
	err := c.Requeue(ctx, id)
	if c.StartAfter(ctx, id, begin, others) == nil { // succeeds only if the requeue worked
		return nil
	}
	return err
}

func join(ids []JobID) (string, error) {
	words := make([]string, len(ids))
	for i, id := range ids {
		if err := id.check(); err != nil {
			return "", err
		}
		words[i] = string(id)
	}
	return strings.Join(words, ","), nil
}

// A State is Slurm's name of a job's state.
type State string

// Common states of jobs. Slurm has more states.
const (
	Pending     State = "PENDING"
	Running     State = "RUNNING"
	Completing  State = "COMPLETING"
	Requeued    State = "REQUEUED"
	Completed   State = "COMPLETED"
	Cancelled   State = "CANCELLED"
	Failed      State = "FAILED"
	Timeout     State = "TIMEOUT"
	NodeFail    State = "NODE_FAIL"
	Preempted   State = "PREEMPTED"
	OutOfMemory State = "OUT_OF_MEMORY"
)

var ended = map[State]bool{
	Completed: true, Cancelled: true, Failed: true, Timeout: true, NodeFail: true, Preempted: true,
	OutOfMemory: true, "BOOT_FAIL": true, "DEADLINE": true, "REVOKED": true,
}

// Active tells whether a job waits or runs. Unknown states count as active, so that no work is done twice.
func (s State) Active() bool { return !ended[s] }

// parseState reads a state, without the words that sacct adds in "CANCELLED by 1000".
func parseState(s string) State {
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return State(strings.TrimSuffix(word, "+"))
}

// reasons explains why jobs wait. begins is a prefix of Slurm's reason. Longer prefixes come first.
var reasons = []struct{ begins, means string }{
	{"PartitionTimeLimit", never + "the time limit is longer than the partition allows"},
	{"PartitionNodeLimit", never + "the job asks for more nodes than the partition allows"},
	{"MaxMemPerLimit", never + "the job asks for more memory than the partition allows"},
	{"QOSMaxWall", never + "the time limit is longer than the quality of service allows"},
	{"QOSMaxMemoryPerJob", never + "the job asks for more memory than the quality of service allows"},
	{"AssocMaxWall", never + "the time limit is longer than the account allows"},
	{"AssocMaxMemPerJob", never + "the job asks for more memory than the account allows"},
	{"PartitionConfig", "the partition has no nodes for this job now"},
	{"PartitionDown", "the partition is closed"}, {"PartitionInactive", "the partition is closed"},
	{"Priority", "jobs with a higher priority come first"},
	{"Resources", "no nodes are free at the moment"},
	{"JobArrayTaskLimit", "--array-parallelism allows no more tasks at once"},
	{"JobHoldMaxRequeue", "Slurm holds the job, because it was requeued too often"},
	{"JobHeldUser", "the user has put the job on hold"}, {"JobHeldAdmin", "an administrator has put the job on hold"},
	{"Dependency", "other jobs must end first"}, {"BeginTime", "the job was requeued a moment ago, or its start time " +
		"has not come"},
	{"QOS", "a limit of the quality of service is reached"}, {"Assoc", "a limit of the account or user is reached"},
	{"MaxJobsPerAccount", "a limit of the account is reached"}, {"MaxCpuPerAccount", "a limit of the account is reached"},
	{"ReqNodeNotAvail", "the nodes that the job asks for are down, drained or reserved"},
	{"RESV_DEL_HOLD", "the reservation has ended"}, {"SUSPENDED", "an administrator has suspended the job"},
	{"Reservation", "a reservation has not begun yet"}, {"Nodes", "the nodes that the job needs are down or drained"},
	{"BadConstraints", "no node has the resources that the job asks for"}, {"Licenses", "no licence is free at the " +
		"moment"},
	{"Cleaning", "Slurm still cleans up the node after a requeue"}, {"launch failed", "the node could not start the job"},
}

// never begins the explanation for a job that can never start: it asks for more than a limit allows.
const never = "never starts: "

// ReasonMeans explains Slurm's reason why a job waits, or returns "" for an unknown reason.
func ReasonMeans(reason string) string {
	for _, r := range reasons {
		if strings.HasPrefix(strings.TrimPrefix(reason, "("), r.begins) {
			return r.means
		}
	}
	return ""
}
