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
