package slurm

import "strings"

// A State is a job's, as Slurm names it.
type State string

// The states that a job of ours goes through. There are more, of which Active
// knows.
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

// ended are the states that a job leaves only by a requeue.
var ended = map[State]bool{
	Completed: true, Cancelled: true, Failed: true, Timeout: true, NodeFail: true, Preempted: true,
	OutOfMemory: true, "BOOT_FAIL": true, "DEADLINE": true, "REVOKED": true,
}

// Active tells whether a job waits, runs, or is on its way. Unknown states are active: who
// waits for a job in vain looks at it, and one that is submitted twice computes twice.
func (s State) Active() bool { return !ended[s] }

// parseState reads a state, of which sacct says more: CANCELLED by 1000.
func parseState(s string) State {
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return State(strings.TrimSuffix(word, "+"))
}

// reasons are what Slurm's reasons to wait mean, by their beginnings, the longer ones first.
var reasons = []struct{ begins, means string }{
	{"PartitionTimeLimit", "the time limit is longer than the partition's"},
	{"PartitionNodeLimit", "more nodes are asked for than the partition gives"},
	{"PartitionDown", "the partition is not open"}, {"PartitionInactive", "the partition is not open"},
	{"Priority", "others are before them"},
	{"Resources", "until nodes are free"},
	{"JobArrayTaskLimit", "as many of the array run as --array-parallelism lets"},
	{"JobHeldUser", "held by its user"}, {"JobHeldAdmin", "held by an administrator"},
	{"Dependency", "until other jobs have ended"}, {"BeginTime", "requeued a moment ago, or not to begin yet"},
	{"QOS", "a limit of the quality of service is reached"}, {"Assoc", "a limit of the account or user is reached"},
	{"MaxJobsPerAccount", "a limit of the account is reached"}, {"MaxCpuPerAccount", "a limit of the account is reached"},
	{"ReqNodeNotAvail", "nodes that are asked for are down, drained or reserved"},
	{"Reservation", "until a reservation begins"}, {"Nodes", "nodes that are needed are down or drained"},
	{"BadConstraints", "no node is as asked for"}, {"Licenses", "until a licence is free"},
	{"Cleaning", "requeued, until the node is clean"}, {"launch failed", "the node could not begin it"},
}

// ReasonMeans says what a reason to wait means; "" if that is not known.
func ReasonMeans(reason string) string {
	for _, r := range reasons {
		if strings.HasPrefix(strings.TrimPrefix(reason, "("), r.begins) {
			return r.means
		}
	}
	return ""
}
