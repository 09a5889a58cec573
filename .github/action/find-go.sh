#!/usr/bin/env bash
# Says whether the Go that is here can build skillpack. When it can, the job
# keeps it: setup-go would change the version for the caller's later steps too.
set -euo pipefail

found=false
if (cd "$GITHUB_ACTION_PATH" && GOWORK=off GOFLAGS='' go list -m) >/dev/null 2>&1; then
	found=true # also where an older Go fetches the toolchain that go.mod asks for
fi
printf 'found=%s\n' "$found" >>"$GITHUB_OUTPUT"
