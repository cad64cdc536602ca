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

// A job is identified by its cluster, its user, its id and the time of its submission. Its name stands for the run and
// the call of sbatch, so that a job of the same id and name is the same job on one cluster.

// An owner is the user who has submitted a job.
type owner struct {
	name string
	uid  int
}

// isMe reports whether the user is the user of this process.
func (o owner) isMe() bool { return o.uid == os.Getuid() }

// userOf finds the name of a user. The user of this process may be named by the environment alone, as where a directory
// service has the users. A user without a name is named by number.
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

// ownerOf returns the owner of a file.
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

// Here returns what the cluster that is asked says about itself. It asks once.
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

// asker returns a client for the cluster of a job. It is the given one if the job may be of the cluster that this one
// asks: names tell the jobs of two clusters apart.
func (j *Journal) asker(client *slurm.Client, job *Job) *slurm.Client {
	if job.Cluster == "" || job.Cluster == client.Cluster || j.here == nil || job.Cluster == j.here.Cluster {
		return client
	}
	return client.On(job.Cluster)
}

// hides tells why a cluster does not show a job that it may have; empty if it has no such job.
func hides(c slurm.Config, job *Job) string {
	if c.Private && !job.owner.isMe() {
		return "the cluster hides the jobs of other users (PrivateData)"
	}
	return ""
}

// find looks for the job of a note without an id. If the job cannot be seen from here, it is hidden.
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

// unseen is how long the queue may not show a job that sbatch has submitted: some sites answer from a cache.
const unseen = 2 * time.Minute

// isNew tells whether the queue may not show a job yet.
func (j *Job) isNew(now time.Time) bool { return now.Sub(j.At).Abs() < unseen }

// isOn tells whether the job may be on a cluster. An empty name is not known.
func (j *Job) isOn(cluster string) bool {
	return cluster == "" || j.Cluster == "" || cluster == j.Cluster
}

// left tells whether an attempt is a life of an element of the job.
func (j *Job) left(a *results.Attempt, index int) bool {
	life := slurm.AttemptOf(a.Name)
	return life.ID == j.element(index) && j.isOn(life.Cluster)
}

// element is the id of an element.
func (j *Job) element(index int) slurm.JobID { return slurm.JobID(fmt.Sprintf("%s_%d", j.ID, index)) }
