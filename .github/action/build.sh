#!/usr/bin/env bash
# Builds skillpack from the action's own checkout, so that what runs is what the
# caller pinned with "uses".
set -euo pipefail

temp=${RUNNER_TEMP:-${TMPDIR:-/tmp}}
binary=$(mktemp -d "${temp//\\//}/skillpack.XXXXXX")/skillpack
cd "$GITHUB_ACTION_PATH"
# The job may be set to build something else: another platform, a workspace, a
# vendor folder. VCS stamps fail where the checkout has another owner.
unset GOOS GOARCH CGO_ENABLED
export GOWORK=off GOFLAGS=
go build -buildvcs=false -o "$binary" ./cmd/skillpack
printf 'skillpack=%s\n' "$binary" >>"$GITHUB_OUTPUT"
