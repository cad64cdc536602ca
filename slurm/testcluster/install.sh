#!/bin/bash
# install.sh [--sacct]: Slurm and shellcheck from Debian's packages, as root; 15 MB, some
# seconds. With --sacct also what accounting needs, 60 MB. Installed programs are left
# alone. Exit code 3: it cannot be done here, and stderr says why.
#
# No apt-get update may run elsewhere meanwhile: slim images delete downloaded packages
# after every apt-get command, also those of another one.
set -euo pipefail
TESTCLUSTER=/nowhere . "$(dirname "$0")/lib.sh"

programs=("${DAEMONS[@]}" shellcheck)
packages=(slurmctld slurmd slurm-client munge procps shellcheck)
if [ "${1:-}" = --sacct ]; then
    programs+=(slurmdbd mariadbd)
    packages+=(slurmdbd mariadb-server-core)
fi
lack=$(missing "${programs[@]}" | tr '\n' ' ')
[ -n "$lack" ] || exit 0
if ! command -v apt-get >/dev/null; then
    say "not installed: ${lack}and there is no apt-get here; install Slurm by your system's means"
    exit 3
fi
if [ "$(id -u)" != 0 ]; then
    say "not installed: ${lack}and only root may install; ask for the packages ${packages[*]}"
    exit 3
fi
export DEBIAN_FRONTEND=noninteractive
install() { apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${packages[@]}" >/dev/null; }
say "installing ${packages[*]}"
if ! install 2>/dev/null; then # the package lists are old, or missing
    if ! { apt-get -o DPkg::Lock::Timeout=300 update -qq && install; }; then
        say "apt-get failed; is there a network?"
        exit 3
    fi
fi
