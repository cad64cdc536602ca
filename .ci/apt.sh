# apt.sh, to be sourced: get NAME PACKAGE... installs Debian's packages, as root. Where none
# can be had it says why and exits 0, for the tests that need them then skip themselves; with
# NAME_REQUIRED=1 (BROWSER_REQUIRED, STRACE_REQUIRED), 1.
#
# No apt-get update may run elsewhere meanwhile: slim images delete downloaded packages
# after every apt-get command, also those of another one.

get() {
    local name=$1 required=${1^^}_REQUIRED
    shift
    give_up() {
        echo "$name: not installed: $*" >&2
        exit "${!required:-0}"
    }
    command -v apt-get >/dev/null || give_up "there is no apt-get here; install $* by your system's means"
    [ "$(id -u)" = 0 ] || give_up "only root may install; ask for the packages $*"
    export DEBIAN_FRONTEND=noninteractive
    echo "$name: installing $*" >&2
    try() { apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$@" >/dev/null; }
    if ! try "$@" 2>/dev/null; then # the package lists are old, or missing
        { apt-get -o DPkg::Lock::Timeout=300 update -qq && try "$@"; } || give_up "apt-get failed; is there a network?"
    fi
}
