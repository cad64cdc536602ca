#!/bin/bash
# with.sh COMMAND [ARGUMENT…]: installs Slurm if it is missing and can be had, starts a
# cluster in a folder of its own, runs the command with SLURM_CONF and SLURM_TEST=1, stops
# the cluster, and exits as the command did. Where there can be no cluster it says why
# and exits 0; with TESTCLUSTER_REQUIRED=1, 1.
#
# Settings: those of start.sh. Unless TESTCLUSTER_PORT is set, it takes ports that are free.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
base=$(mktemp -d "${TMPDIR:-/tmp}/testcluster.XXXXXX")
export TESTCLUSTER=$base/c
. "$HERE/lib.sh"

# Tests that use accounting find it, if the tools are there.
sacct=()
[ "${TESTCLUSTER_SACCT:-0}" != 1 ] || sacct=(--sacct)
code=0
"$HERE/install.sh" "${sacct[@]}" || code=$?
if [ "$code" != 0 ]; then
    rm -rf "$base"
    [ "$code" = 3 ] || exit "$code"
    say "no cluster here: skipped $*"
    exit "${TESTCLUSTER_REQUIRED:-0}"
fi

finish() {
    local code=$?
    trap '' INT TERM
    "$HERE/stop.sh" || code=1
    if [ "$code" != 0 ]; then
        say "logs of the cluster: $TESTCLUSTER/log"
    else
        rm -rf "$base"
    fi
    exit "$code"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# One at a time looks for free ports. The daemons must not inherit the lock.
exec 9>"${TMPDIR:-/tmp}/testcluster.$(id -u).lock"
flock 9
if [ -z "${TESTCLUSTER_PORT:-}" ]; then
    for ((port = 16900; port < 30000; port += 100)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    export TESTCLUSTER_PORT=$port
fi
chmod 755 "$base"
"$HERE/start.sh" 9>&- >/dev/null
exec 9>&-

export SLURM_TEST=1
"$@"
