#!/usr/bin/env bash
# browser.sh: Chromium for the tests of jobs/reports/page; some 400 MB on the disk. An installed
# browser is left alone.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

for browser in chromium chromium-browser google-chrome; do
    ! command -v "$browser" >/dev/null || exit 0
done
get browser chromium fonts-liberation
