#!/bin/bash
# Starts a Slurm cluster on this machine, in the folder $TESTCLUSTER, as root or as an
# ordinary user. What runs already is left alone. Settings, from the environment:
#
#   TESTCLUSTER_PORT=16900            first of 100 ports; two clusters need two
#   TESTCLUSTER_NODES=4               nodes n1, n2, …
#   TESTCLUSTER_CPUS=2                each
#   TESTCLUSTER_MEM=1000              each, in MB
#   TESTCLUSTER_MAX_ARRAY=1001        MaxArraySize
#   TESTCLUSTER_MAX_ARRAY_TASKS=      max_array_tasks; empty: none
#   TESTCLUSTER_FAULTS=0              1: five nodes more, and partitions, for faults
#   TESTCLUSTER_SACCT=0               1: with slurmdbd and mariadb, so that sacct works
#
# Prints the line that makes Slurm's commands use the cluster.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"

PORT=${TESTCLUSTER_PORT:-16900} NODES=${TESTCLUSTER_NODES:-4}
HOST=$(uname -n)
HOST=${HOST%%.*}
SCHEDULER=${TESTCLUSTER_MAX_ARRAY_TASKS:+max_array_tasks=$TESTCLUSTER_MAX_ARRAY_TASKS,}

fail() {
    say "$@"
    tail -n 10 "$DIR"/log/*.log >&2 2>/dev/null || true
    exit 1
}

lack=$(missing "${DAEMONS[@]}" | tr '\n' ' ')
[ -z "$lack" ] || die "not installed: ${lack}(see install.sh)"
# Slurm's configuration knows no quotes, and a socket's path has 108 bytes.
[[ $DIR =~ ^[A-Za-z0-9_./+-]+$ && ${#DIR} -lt 80 ]] || die "$DIR: want a short path of letters, digits and _./+-"

umask 022
mkdir -p "$DIR"/{state,spool,log,run/nodes,munge}
chmod 755 "$DIR" "$DIR/munge"
chmod 700 "$DIR/state"
accounting=AccountingStorageType=accounting_storage/none
if [ "${TESTCLUSTER_SACCT:-0}" = 1 ]; then
    # shellcheck source=accounting.sh
    . "$HERE/accounting.sh"
    accounting=$(accounting_settings)
fi
names=()
for ((n = 1; n <= NODES; n++)); do names+=("n$n"); done
faults=/^@FAULTS@/d
if [ "${TESTCLUSTER_FAULTS:-0}" = 1 ]; then
    faults=s/^@FAULTS@// names+=(frail lost spot spare night)
fi
# Control groups hold the memory of jobs if this user may make some, and no other cluster does by the same names.
if [ ! -e "$CONF" ] && [ -w "$CGROUPS" ] && ! pgrep -x -r DRS slurmd >/dev/null; then
    printf '%s\n' CgroupPlugin=cgroup/v1 CgroupAutomount=no "CgroupMountpoint=${CGROUPS%/*}" \
        ConstrainRAMSpace=yes MinRAMSpace=1 >"$DIR/cgroup.conf"
fi
plugin=task/none over=OverMemoryKill
if [ -e "$DIR/cgroup.conf" ]; then plugin=task/cgroup over=UsePss; fi
{
    sed "s|@HOST@|$HOST|g; s|@USER@|$(id -un)|g; s|@DIR@|$DIR|g; s|@PORT@|$PORT|g; s|@SCHEDULER@|$SCHEDULER|g
        s|@FIRST@|$((PORT + 1))|g; s|@LAST@|$((PORT + NODES))|g; s|@MORE@|$((PORT + NODES + 1))|g; s|@MOST@|$((PORT + ${#names[@]}))|g
        s|@TASK_PLUGIN@|$plugin|g; s|@OVER_MEMORY@|$over|g; $faults; s|@NODES@|$NODES|g; s|@CPUS@|${TESTCLUSTER_CPUS:-2}|g
        s|@MEM@|${TESTCLUSTER_MEM:-1000}|g; s|@MAX_ARRAY@|${TESTCLUSTER_MAX_ARRAY:-1001}|g; /@ACCOUNTING@/d" "$HERE/slurm.conf.in"
    echo "$accounting"
} >"$CONF.new"
mv "$CONF.new" "$CONF"

# munged demands that everyone may enter all folders above its socket.
if ! daemon munged >/dev/null; then
    [ -s "$DIR/munge/key" ] || (umask 077 && head -c 128 /dev/urandom >"$DIR/munge/key")
    rm -f "$DIR"/munge/socket*
    munged --key-file="$DIR/munge/key" --socket="$DIR/munge/socket" --seed-file="$DIR/munge/seed" \
        --pid-file="$DIR/run/munged.pid" --log-file="$DIR/log/munged.log" || fail "munged does not start"
fi
[ "${TESTCLUSTER_SACCT:-0}" != 1 ] || start_accounting
daemon slurmctld >/dev/null || slurmctld -f "$CONF" || fail "slurmctld does not start"
for name in "${names[@]}"; do
    mkdir -p "$DIR/spool/$name"
    daemon "nodes/$name" >/dev/null || slurmd -N "$name" -f "$CONF" || fail "the slurmd of $name does not start"
done

ready() { timeout 3 sinfo -h -N -t idle,mixed,allocated -o %N 2>/dev/null | sort -u | wc -l; }
end=$((SECONDS + 30))
until [ "$(ready)" = "${#names[@]}" ]; do
    ((SECONDS < end)) || fail "after 30 s not all of the ${#names[@]} nodes are ready"
    daemon slurmctld >/dev/null || ((SECONDS < end - 25)) || fail "slurmctld has ended; are the ports from $PORT free?"
    sleep 0.1
done
echo "export SLURM_CONF=$CONF"
