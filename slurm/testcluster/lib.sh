# shellcheck shell=bash
# What the scripts of the test cluster share; they source it. A cluster is a folder,
# $TESTCLUSTER: configuration, state, logs, sockets and pids.

DIR=${TESTCLUSTER:?set it to a folder for the cluster}
case $DIR in
/*) ;;
*) DIR=$PWD/$DIR ;;
esac
CONF=$DIR/slurm.conf
# shellcheck disable=SC2034 # for start.sh and stop.sh
CGROUPS=/sys/fs/cgroup/memory # of control groups, version 1
export SLURM_CONF=$CONF
export PATH=$PATH:/usr/sbin:/sbin

say() { echo "testcluster: $*" >&2; }

die() {
    say "$@"
    exit 1
}

# missing prints which of the given programs are not installed.
missing() {
    local p
    for p in "$@"; do command -v "$p" >/dev/null || echo "$p"; done
}

# shellcheck disable=SC2034 # for install.sh and start.sh
DAEMONS=(munged slurmctld slurmd sbatch squeue scontrol)

# alive PID: zombies, which an idle init may leave for long, are not.
alive() {
    local stat
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    case ${stat##*) } in [ZX]*) return 1 ;; esac
}

# wait_end PID SECONDS
wait_end() {
    local i
    for ((i = 0; i < $2 * 20; i++)); do
        alive "$1" || return 0
        sleep 0.05
    done
    return 1
}

# of_cluster PID: its environment or its command line names this cluster's folder. Pids
# are used again; never signal one that was not asked.
of_cluster() {
    grep -qzxF "SLURM_CONF=$CONF" "/proc/$1/environ" 2>/dev/null ||
        grep -qzF -- "$DIR/" "/proc/$1/cmdline" 2>/dev/null
}

# daemon NAME: prints the pid of the daemon with the pid file run/NAME.pid, if it lives; nodes/nX is a slurmd.
daemon() {
    local pid
    pid=$(cat "$DIR/run/$1.pid" 2>/dev/null) || return 1
    alive "$pid" && of_cluster "$pid" && echo "$pid"
}

# keepers [NODE]: the slurmstepd of this cluster's jobs, each the keeper of one job on one
# node. A keeper holds its node's log open.
keepers() {
    local proc pid
    for proc in /proc/[0-9]*; do
        pid=${proc#/proc/}
        case $(readlink "$proc/exe" 2>/dev/null) in */slurmstepd*) ;; *) continue ;; esac
        of_cluster "$pid" || continue
        # Files that are closed meanwhile make find fail.
        [ -z "${1:-}" ] || [ -n "$(find "$proc/fd" -lname "$DIR/log/$1.log" 2>/dev/null)" ] || continue
        echo "$pid"
    done
}

# family PID: its descendants and itself, children first.
family() {
    local child
    for child in $(pgrep -P "$1"); do family "$child"; done
    echo "$1"
}
