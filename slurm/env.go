package slurm

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Env is what a program learns of the job it runs in.
type Env struct {
	ID       JobID     // empty outside a job; 123_4 for an element
	Index    int       // −1 outside an array
	Restarts int       // how often it was requeued
	Node     string    // Slurm's name of it
	Cluster  string    // Slurm's name of it, if it tells
	End      time.Time // when the time limit strikes, if Slurm tells, as it does from version 23.02 on
}

// ReadEnv reads the environment. Outside a job all is zero but the index.
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

// AttemptMark begins the names of attempts.
const AttemptMark = "slurm-"

// A Life is a job, or an element of one, as its attempts name it.
type Life struct {
	ID      JobID
	Cluster string // empty: the name does not tell
}

// AttemptOf returns the job that an attempt of this name is a life of; empty if it is of none.
func AttemptOf(name string) Life {
	of, slurms := strings.CutPrefix(name, AttemptMark)
	job, life, isLife := strings.Cut(of, "-")
	if !slurms || !isLife {
		return Life{}
	}
	_, cluster, _ := strings.Cut(life, "-")
	return Life{JobID(job), cluster}
}

// Attempt names this life of the job. Clusters with one home give the same ids. Another life may have the same name
// after a controller was killed: it forgets the last seconds, and gives job ids again.
func (e *Env) Attempt() string {
	name := fmt.Sprintf(AttemptMark+"%s-%d", e.ID, e.Restarts)
	if e.Cluster != "" {
		name += "-" + e.Cluster
	}
	return name
}
