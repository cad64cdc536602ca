#!/bin/bash
# names that a shell might misread: $HOME `id` 'it' "x" (y) ünï
#
# Tasks 0 to 0: each element runs the task whose number is its index plus 0.
# A task reads what the plan in its directory names and writes below that directory,
# and in a scratch folder on its node. It may be cancelled, killed, requeued or submitted
# again at any time: it goes on from what is on the disk, and nothing is counted twice.
#   TERM  scancel or preemption: it saves and ends with code 75
#
# By hand, from anywhere:
#   sbatch --chdir=THE_DIRECTORY --output=logs/%A_%a.log THIS_FILE
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
