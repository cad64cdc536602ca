#!/bin/bash
# node.sh kill nX     the node dies: its slurmd, its jobs' keepers and all their processes
# node.sh orphan nX   the node is lost to the cluster, but its jobs compute on
# node.sh start nX    it is back
set -uo pipefail
. "$(dirname "$0")/lib.sh"
[ $# = 2 ] || die "usage: node.sh kill|orphan|start nX"
action=$1 node=$2

case $action in
kill | orphan)
    slurmd=$(daemon "nodes/$node") || die "no slurmd of $node runs"
    mapfile -t keepers < <(keepers "$node")
    pids=("$slurmd")
    if [ "$action" = kill ]; then
        kill -STOP "${keepers[@]}" 2>/dev/null # a keeper reports the end of its job, and its own end hangs up on the job
        for keeper in "${keepers[@]}"; do
            for pid in $(family "$keeper"); do pids+=("$pid"); done # the keeper last
        done
    fi
    kill -KILL "${pids[@]}" "${keepers[@]}" 2>/dev/null
    rm -f "$DIR/run/nodes/$node.pid"
    ;;
start) slurmd -N "$node" -f "$CONF" ;;
*) die "usage: node.sh kill|orphan|start nX" ;;
esac
