#!/usr/bin/env bash
# browser.sh: Chromium for the tests of jobs/page, from Debian's packages, as root; some
# 400 MB on the disk. An installed browser is left alone. Where none can be had it says why
# and exits 0, for those tests then skip themselves; with BROWSER_REQUIRED=1, 1.
#
# No apt-get update may run elsewhere meanwhile: slim images delete downloaded packages
# after every apt-get command, also those of another one.
set -euo pipefail

for browser in chromium chromium-browser google-chrome; do
    ! command -v "$browser" >/dev/null || exit 0
done
packages=(chromium fonts-liberation)

give_up() {
    echo "browser: not installed: $*" >&2
    exit "${BROWSER_REQUIRED:-0}"
}

command -v apt-get >/dev/null || give_up "there is no apt-get here; install Chromium by your system's means"
[ "$(id -u)" = 0 ] || give_up "only root may install; ask for the packages ${packages[*]}"
export DEBIAN_FRONTEND=noninteractive
install() { apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${packages[@]}" >/dev/null; }
echo "browser: installing ${packages[*]}" >&2
if ! install 2>/dev/null; then # the package lists are old, or missing
    { apt-get -o DPkg::Lock::Timeout=300 update -qq && install; } || give_up "apt-get failed; is there a network?"
fi
