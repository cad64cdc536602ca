#!/usr/bin/env bash
# programs.sh: what the programs of docs/programs are written in, for the tests that run them.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

have() { /usr/bin/python3 -c 'import numpy, sklearn' 2>/dev/null && Rscript -e 'library(glmnet); library(jsonlite)' >/dev/null 2>&1; }
have && exit 0
get programs python3-numpy python3-sklearn r-cran-glmnet r-cran-jsonlite
