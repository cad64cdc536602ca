#!/bin/sh
# Builds gdrun and gdmerge from a source archive of `make dist`, without network, into $PREFIX/bin.
set -eu
cd "$(dirname "$0")/.."
: "${PREFIX:=$HOME/.local}"
revision=$(cat VERSION 2> /dev/null || echo unknown)
CGO_ENABLED=0 GOFLAGS=-mod=vendor GOPROXY=off GOTOOLCHAIN=local go build -trimpath -buildvcs=false \
    -ldflags "-s -w -X graphda/cmd/internal/command.revision=$revision" -o "$PREFIX/bin/" ./cmd/gdrun ./cmd/gdmerge
