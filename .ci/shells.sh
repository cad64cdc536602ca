#!/usr/bin/env bash
# Installs zsh, fish and mandoc, with which the test of make install looks at what it has installed.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

command -v zsh >/dev/null && command -v fish >/dev/null && command -v mandoc >/dev/null && exit 0
get shells zsh fish mandoc
