#!/bin/bash
# Cancels what runs on the cluster in $TESTCLUSTER and ends its daemons, each by its pid.
# No process of a job stays behind.
set -uo pipefail
. "$(dirname "$0")/lib.sh"
status=0

# finish NAME SECONDS: TERM, and KILL to who does not heed it.
finish() {
    local pid
    if pid=$(daemon "$1"); then
        kill -TERM "$pid" 2>/dev/null
        if ! wait_end "$pid" "$2"; then
            say "$1 does not end in $2 s: KILL"
            kill -KILL "$pid" 2>/dev/null
            wait_end "$pid" 5 || status=1
        fi
    fi
    rm -f "$DIR/run/$1.pid"
}

if daemon slurmctld >/dev/null; then
    timeout 10 scancel --user="$(id -un)" 2>/dev/null
    for ((i = 0; i < 200; i++)); do # KillWait and some seconds
        [ -n "$(keepers '')" ] || break
        sleep 0.05
    done
fi
nodes=()
for file in "$DIR"/run/nodes/*.pid; do
    [ -e "$file" ] || continue
    name=nodes/$(basename "$file" .pid)
    nodes+=("$name")
    if pid=$(daemon "$name"); then kill -TERM "$pid" 2>/dev/null; fi # all at once, then wait for each
done
for name in "${nodes[@]}"; do finish "$name" 3; done
for keeper in $(keepers ''); do
    for pid in $(family "$keeper"); do kill -KILL "$pid" 2>/dev/null; done
done
for proc in /proc/[0-9]*; do # of jobs whose keeper is dead
    pid=${proc#/proc/}
    grep -qzxF "SLURM_CONF=$CONF" "$proc/environ" 2>/dev/null || continue
    grep -qz '^SLURMD_NODENAME=' "$proc/environ" 2>/dev/null || continue
    kill -KILL "$pid" 2>/dev/null
done
if [ -e "$DIR/cgroup.conf" ]; then # what dead keepers have left
    for spool in "$DIR"/spool/*; do
        find "$CGROUPS/slurm_$(basename "$spool")" -depth -type d -exec rmdir {} \; 2>/dev/null
    done
fi
finish slurmctld 20
finish slurmdbd 20
finish mariadbd 20
finish munged 5
exit "$status"
