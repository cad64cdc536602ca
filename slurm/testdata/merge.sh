#!/bin/bash
# gdmerge: tables of the plan table1, once its tasks have ended
#
# By hand, where RUN is the directory (the folder above that of this file):
#   sbatch --chdir=RUN --output=logs/%j.log THIS_FILE
#
#SBATCH --job-name=table1-merge
#SBATCH --time=30
#SBATCH --requeue
#SBATCH --open-mode=append

export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}"
exec /opt/graphda/bin/gdmerge . --out report
