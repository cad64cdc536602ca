package slurm

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Env describes the job in which a program runs.
type Env struct {
	ID       JobID     // "" outside a job; 123_4 for an element of an array
	Index    int       // index of the element; −1 outside an array
	Restarts int       // number of requeues
	Node     string    // name of the node in Slurm
	Cluster  string    // name of the cluster in Slurm; "" if unknown
	End      time.Time // when the job reaches its limit; zero if unknown, as before Slurm 23.02
}

// ReadEnv reads the environment of the program. Outside a job, Index is −1 and all other fields are zero.
func ReadEnv(getenv func(string) string) (Env, error) {
	e := Env{Index: -1}
	if getenv("SLURM_JOB_ID") == "" {
		return e, nil
	}
	job, array := 0, 0
	for _, v := range []struct {
		name string
		to   *int
	}{
		{"SLURM_JOB_ID", &job}, {"SLURM_ARRAY_JOB_ID", &array}, {"SLURM_ARRAY_TASK_ID", &e.Index},
		{"SLURM_RESTART_COUNT", &e.Restarts},
	} {
		text := getenv(v.name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return Env{Index: -1}, fmt.Errorf("%s = %q, want a number", v.name, text)
		}
		*v.to = int(n)
	}
	e.Node, e.Cluster = getenv("SLURMD_NODENAME"), getenv("SLURM_CLUSTER_NAME")
	if at, err := strconv.ParseInt(getenv("SLURM_JOB_END_TIME"), 10, 64); err == nil && at > 0 {
		e.End = time.Unix(at, 0)
	}
	if array == 0 || e.Index < 0 {
		e.ID, e.Index = JobID(strconv.Itoa(job)), -1
		return e, nil
	}
	e.ID = JobID(fmt.Sprintf("%d_%d", array, e.Index))
	return e, nil
}

// AttemptMark is the prefix of the names of attempts in Slurm jobs.
const AttemptMark = "slurm-"

// A Life is the job, or the element of an array, that made an attempt.
type Life struct {
	ID      JobID
	Cluster string // name of the cluster; "" if unknown
}

// AttemptOf returns the job or element that made the named attempt, or an empty Life outside Slurm.
func AttemptOf(name string) Life {
	of, slurms := strings.CutPrefix(name, AttemptMark)
	job, life, isLife := strings.Cut(of, "-")
	if !slurms || !isLife {
		return Life{}
	}
	_, cluster, _ := strings.Cut(life, "-")
	return Life{JobID(job), cluster}
}

// Attempt returns the name of this start of the job. The name contains the cluster, because clusters that share a home
// directory may give the same ids. After a controller was killed, two starts may have the same name.
func (e *Env) Attempt() string {
	name := fmt.Sprintf(AttemptMark+"%s-%d", e.ID, e.Restarts)
	if e.Cluster != "" {
		name += "-" + e.Cluster
	}
	return name
}
