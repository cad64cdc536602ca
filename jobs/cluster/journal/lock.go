package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"graphda/io/safefile"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// A Lock prevents two runs of gdrun submit from submitting the same tasks. Each sbatch also holds the locked file open,
// so the lock lasts until both gdrun and sbatch have ended.
type Lock struct {
	file  *os.File
	works bool // whether the file system has locks
}

// Settled reports whether no sbatch of an earlier submission can be running.
func (l *Lock) Settled() bool { return l != nil && l.works }

// Close releases the lock.
func (l *Lock) Close() error { return l.file.Close() }

const lockFile = ".lock"

// lockInterval is the time between attempts to lock. After gdrun is killed, its Slurm commands mostly
// end within a second.
const lockInterval = 250 * time.Millisecond

// errLocked means that another process holds the lock.
var errLocked = errors.New("another gdrun submit, or an sbatch that it started, is still running for this run; try " +
	"again when it has ended")

// TakeLock waits at most patience for the lock in dir, the folder of a run's submissions.
func TakeLock(ctx context.Context, dir string, client *slurm.Client, patience time.Duration) (*Lock, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	for tries := int(patience / lockInterval); ; tries-- {
		works, err := tryLock(f)
		if err == nil {
			return &Lock{f, works}, nil
		}
		if errors.Is(err, errLocked) && tries > 0 {
			if err = client.Wait(ctx, nil, lockInterval); err == nil {
				continue
			}
		} else if errors.Is(err, errLocked) {
			err = userinput.Errorf("%s: %w", f.Name(), err)
		}
		return nil, errors.Join(err, f.Close())
	}
}

// tryLock locks a file, or returns errLocked if another process holds the lock. works is false if there are no locks.
func tryLock(f *os.File) (works bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, syscall.EWOULDBLOCK):
		return false, errLocked
	case errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOLCK),
		errors.Is(err, syscall.EINVAL):
		return false, nil
	}
	return false, fmt.Errorf("%s: %w", f.Name(), err)
}

// KeptBy returns a client whose commands hold the lock until they end.
func (l *Lock) KeptBy(client *slurm.Client) *slurm.Client {
	if client.Runner != nil {
		return client
	}
	keeps := *client
	keeps.Runner = slurm.Exec{Keep: l.file}
	return &keeps
}

// isLocked reports whether a submission is running.
func isLocked(dir string) bool {
	f, err := safefile.Open(filepath.Join(dir, lockFile))
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = tryLock(f)
	return errors.Is(err, errLocked)
}

// CheckFolders refuses a run if this user cannot write to one of its folders, because jobs would die.
func CheckFolders(r *run.Run) error {
	submissions := filepath.Join(r.Dir, SubmissionsDir)
	folders := []string{r.Dir, submissions, filepath.Join(r.Dir, LogsDir)}
	for _, t := range r.Tasks {
		if dir := r.Folder(t); dir != folders[len(folders)-1] {
			folders = append(folders, filepath.Dir(dir), dir)
		}
	}
	folders = append(folders, filepath.Join(submissions, lockFile))
	for _, dir := range folders {
		if err := safefile.Writable(dir); err != nil {
			return userinput.Errorf("%w; the run's owner can share it with your group: chmod -R g+w %s (see docs/teams.md)", err,
				slurm.Quote(r.Dir))
		}
	}
	return nil
}
