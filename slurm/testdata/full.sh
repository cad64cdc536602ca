#!/bin/bash
# gdrun: tasks of the plan table1
#
# Tasks 1000 to 1017. An element runs the task of its own index plus 1000.
#
# A task reads what the plan in its directory names and writes below that directory,
# and to a scratch folder on its node.
# It may be cancelled, killed, requeued or submitted again at any time: it goes on from what
# is on the disk, and nothing is counted twice. Signals:
#   TERM  scancel or preemption: it saves what is finished and ends with code 75
#   USR1  the time limit is near: it does the same and goes back into the queue
#
# By hand, where RUN is the directory (the folder above that of this file):
#   sbatch --chdir=RUN --output=logs/0002-1/%A_%a.log THIS_FILE
#   cd RUN && SLURM_ARRAY_TASK_ID=0 bash THIS_FILE    # one task on this machine, without Slurm
# gdrun submit does not know of what was started by hand, and may start it again.
#
#SBATCH --job-name=table1-0002
#SBATCH --array=0-17%10
#SBATCH --time=1-12:00:00
#SBATCH --mem-per-cpu=100M
#SBATCH --cpus-per-task=2
#SBATCH --partition=debug
#SBATCH --account=ml-2025
#SBATCH --qos=normal
#SBATCH --constraint=test
#SBATCH --signal=B:USR1@300
#SBATCH --requeue
#SBATCH --nice=100
#SBATCH --open-mode=append

# shellcheck disable=SC2016 # in names, a dollar sign is only that
trap '' USR1 # under a short limit it comes before the program can hear it
# shellcheck source=/dev/null
. ./setup.sh || {
	echo "the setup file failed with status $?; nothing was run" >&2
	exit 2
}
export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}"
exec /opt/graphda/bin/gdrun task . --scratch "$TMPDIR" \
	--index "$SLURM_ARRAY_TASK_ID" --offset 1000 --jobs "$GOMAXPROCS"
