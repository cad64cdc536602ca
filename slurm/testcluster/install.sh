#!/bin/bash
# install.sh [--sacct]: Slurm and shellcheck from Debian's packages, as root; 15 MB, some
# seconds. With --sacct also what accounting needs, 60 MB. Installed programs are left
# alone. Exit code 3: Slurm cannot be had here, and stderr says why.
#
# No apt-get update may run elsewhere meanwhile: slim images delete downloaded packages
# after every apt-get command, also those of another one.
set -euo pipefail
TESTCLUSTER=/nowhere . "$(dirname "$0")/lib.sh"

programs=("${DAEMONS[@]}" pgrep)
packages=(slurmctld slurmd slurm-client munge procps shellcheck)
if [ "${1:-}" = --sacct ]; then
    programs+=(slurmdbd mariadbd)
    packages+=(slurmdbd mariadb-server-core)
fi
[ -n "$(missing "${programs[@]}" shellcheck)" ] || exit 0

# give_up WHY: without shellcheck the cluster runs.
give_up() {
    local lack
    lack=$(missing "${programs[@]}" | tr '\n' ' ')
    [ -n "$lack" ] || exit 0
    say "not installed: ${lack}and $1"
    exit 3
}

command -v apt-get >/dev/null || give_up "there is no apt-get here; install Slurm by your system's means"
[ "$(id -u)" = 0 ] || give_up "only root may install; ask for the packages ${packages[*]}"
export DEBIAN_FRONTEND=noninteractive
options=(-o DPkg::Lock::Timeout=120 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
install() { apt-get "${options[@]}" install -y -qq --no-install-recommends "${packages[@]}" >/dev/null; }
say "installing ${packages[*]}"
if ! install 2>/dev/null; then # the package lists are old, or missing
    { apt-get "${options[@]}" update -qq && install; } || give_up "apt-get failed; is there a network?"
fi
