#!/bin/bash
# names that a shell might misread: $HOME `id` 'it' "x" (y) ünï, and more and more and more and
# more and more and more and more and more and more and more and more and more and more and more
# and more and more and more and more and more and more
#
# Task 0, as an array of one element.
#
# A task reads what the plan in its directory names and writes below that directory,
# and to a scratch folder on its node.
# It may be cancelled, killed, requeued or submitted again at any time: it goes on from what
# is on the disk, and nothing is counted twice. Signals:
#   TERM  scancel or preemption: it saves what is finished and ends with code 75
#
# By hand, where RUN is the directory (the folder above that of this file):
#   sbatch --chdir=RUN --output=logs/%A_%a.log THIS_FILE
#   cd RUN && SLURM_ARRAY_TASK_ID=0 bash THIS_FILE    # the task on this machine, without Slurm
# gdrun submit does not know of what was started by hand, and may start it again.
#
#SBATCH --job-name=names
#SBATCH --array=0-0
#SBATCH --requeue
#SBATCH --open-mode=append

# shellcheck disable=SC2016 # in names, a dollar sign is only that
# shellcheck source=/dev/null
. './set up
'\''it'\'' (1).sh' || {
	echo "the setup file failed with status $?; nothing was run" >&2
	exit 2
}
export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}"
exec '/opt/a b/gd'\''run$(id)' task . --x '-n
$HOME' '' --scratch '-x "$HOME" `id`' \
	--index "$SLURM_ARRAY_TASK_ID" --offset 0 --jobs "$GOMAXPROCS"
