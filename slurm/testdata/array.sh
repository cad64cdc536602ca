#!/bin/bash
# gdrun: tasks of the plan table1
#
# Tasks 0 to 39: each element runs the task whose number is its index plus 0.
# A task reads what the plan in its directory names and writes below that directory. It may be cancelled, killed, requeued or submitted
# again at any time: it goes on from what is on the disk, and nothing is counted twice.
#   TERM  scancel or preemption: it saves and ends with code 75
#   USR1  the time limit is near: it saves, goes back into the queue and ends with code 75
#
# By hand, from anywhere:
#   sbatch --chdir=THE_DIRECTORY --output=logs/%A_%a.log THIS_FILE
#
#SBATCH --job-name=table1-0001
#SBATCH --array=0-39
#SBATCH --time=45:00
#SBATCH --mem=512M
#SBATCH --signal=B:USR1@120
#SBATCH --requeue
#SBATCH --open-mode=append

trap '' USR1 # under a short limit it comes before the program can hear it
export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}"
exec /opt/graphda/bin/gdrun task . \
	--index "$SLURM_ARRAY_TASK_ID" --offset 0 --jobs "$GOMAXPROCS"
