package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
	"time"

	"graphda/io/results"
	"graphda/slurm"
)

// Cluster, user, id and time of submission identify a job. A job's name contains a token of the run and a number, so
// two jobs with the same id and name on one cluster are the same job.

type owner struct {
	name string
	uid  int
}

func (o owner) isMe() bool { return o.uid == os.Getuid() }

// userOf returns the name of a user, or the number if the name is unknown. If a directory service manages users, only
// the environment may have the name, and only for this process's user.
func userOf(uid int) owner {
	known, err := user.LookupId(strconv.Itoa(uid))
	if self, mine := user.Current(); err != nil && uid == os.Getuid() {
		known, err = self, mine
	}
	if err != nil {
		return owner{strconv.Itoa(uid), uid}
	}
	return owner{known.Username, uid}
}

func ownerOf(path string) (owner, error) {
	info, err := os.Stat(path)
	if err != nil {
		return owner{}, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return userOf(os.Getuid()), nil
	}
	return userOf(int(stat.Uid)), nil
}

// Here returns the configuration of the client's cluster. It asks only once.
func (j *Journal) Here(ctx context.Context, client *slurm.Client) (slurm.Config, error) {
	if j.here == nil {
		config, err := client.Config(ctx)
		if err != nil {
			return config, err
		}
		j.here = &config
	}
	return *j.here, nil
}

// asker returns a client for a job's cluster. If the job may be on the given client's cluster, it returns this client:
// asking the wrong cluster does no harm, because job names are unique.
func (j *Journal) asker(client *slurm.Client, job *Job) *slurm.Client {
	if job.Cluster == "" || job.Cluster == client.Cluster || j.here == nil || job.Cluster == j.here.Cluster {
		return client
	}
	return client.On(job.Cluster)
}

// hides returns why a cluster hides a job from this user, or "".
func hides(c slurm.Config, job *Job) string {
	if c.Private && !job.owner.isMe() {
		return "the cluster hides the jobs of other users (PrivateData)"
	}
	return ""
}

// find asks the cluster for a job without a recorded id. hidden is true if the cluster may hide the job.
func (j *Journal) find(ctx context.Context, client *slurm.Client, job *Job) (ids []slurm.JobID, hidden bool,
	err error) {
	config, err := j.Here(ctx, client)
	if err != nil {
		return nil, false, err
	}
	asker := j.asker(client, job)
	if ids, err = asker.Find(ctx, job.owner.uid, job.Name, job.At); len(ids) > 0 {
		return ids, false, nil
	}
	if asker != client && err == nil {
		config, err = asker.Config(ctx)
	}
	if asker != client && errors.As(err, new(*slurm.Error)) {
		return nil, true, nil
	}
	return nil, hides(config, job) != "", err
}

// unseen is how long a new job may be missing from the queue. Some sites answer from a cache.
const unseen = 2 * time.Minute

func (j *Job) isNew(now time.Time) bool { return now.Sub(j.At).Abs() < unseen }

// isOn reports whether the job may be on a cluster. An empty name means an unknown cluster.
func (j *Job) isOn(cluster string) bool {
	return cluster == "" || j.Cluster == "" || cluster == j.Cluster
}

// left reports whether the job's element with this index made the attempt a.
func (j *Job) left(a *results.Attempt, index int) bool {
	life := slurm.AttemptOf(a.Name)
	return life.ID == j.element(index) && j.isOn(life.Cluster)
}

func (j *Job) element(index int) slurm.JobID { return slurm.JobID(fmt.Sprintf("%s_%d", j.ID, index)) }
