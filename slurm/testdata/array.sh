#!/bin/bash
# gdrun: tasks of the plan table1
#
# Tasks 0 to 13. An element runs the task of its own index.
#
# A task reads what the plan in its directory names and writes below that directory.
# It may be cancelled, killed, requeued or submitted again at any time: it goes on from what
# is on the disk, and nothing is counted twice. Signals:
#   TERM  scancel or preemption: it saves what is finished and ends with code 75
#   USR1  the time limit is near: it does the same and goes back into the queue
#
# By hand, where RUN is the directory (the folder above that of this file):
#   sbatch --chdir=RUN --output=logs/%A_%a.log THIS_FILE
#   cd RUN && SLURM_ARRAY_TASK_ID=0 bash THIS_FILE    # one task on this machine, without Slurm
# gdrun submit does not know of what was started by hand, and may start it again.
#
#SBATCH --job-name=table1-0001
#SBATCH --array=0-13
#SBATCH --time=45:00
#SBATCH --mem=512M
#SBATCH --signal=B:USR1@120
#SBATCH --requeue
#SBATCH --open-mode=append

trap '' USR1 # under a short limit it comes before the program can hear it
export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}"
exec /opt/graphda/bin/gdrun task . \
	--index "$SLURM_ARRAY_TASK_ID" --offset 0 --jobs "$GOMAXPROCS"
