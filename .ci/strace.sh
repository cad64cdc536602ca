#!/usr/bin/env bash
# strace.sh: strace, by which the tests of cmd/internal/torture let system calls fail.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

command -v strace >/dev/null || get strace strace
