#!/bin/sh
# Lists the commits between two revisions, grouped by their type in the
# Conventional Commits convention ("type(scope)!: subject").
#
# usage: collect-commits.sh OLD [NEW [PATH...]]
#
# NEW is HEAD by default. With PATHs, only commits that touch them are listed.
# Exit status: 0 listed, 2 wrong usage or unknown revision.
set -eu

if [ $# -lt 1 ]; then
	echo "usage: $0 OLD [NEW [PATH...]]" >&2
	exit 2
fi
old=$1
new=${2:-HEAD}
if [ $# -ge 2 ]; then shift 2; else shift; fi

for rev in "$old" "$new"; do
	if ! git rev-parse --quiet --verify "$rev^{commit}" >/dev/null; then
		echo "$0: $rev is no revision of this repository; list tags with: git tag --sort=-creatordate" >&2
		exit 2
	fi
done

# A record a commit, its fields apart by unit separators: hash, subject, body.
# The body is searched for a "BREAKING CHANGE:" footer.
git log --no-merges --reverse --format='%x1e%h%x1f%s%x1f%b' "$old..$new" -- "$@" |
awk 'BEGIN { RS = "\036"; FS = "\037" }
NF < 3 { next }
{
	commits++
	hash = $1; subject = $2
	type = "other"; breaking = ("\n" $3) ~ /\nBREAKING[ -]CHANGE: /
	if (match(subject, /^[a-z]+(\([^)]*\))?!?: /)) {
		head = substr(subject, 1, RLENGTH - 2)
		if (head ~ /!$/) breaking = 1
		type = head
		sub(/[(!].*/, "", type)
	}
	line = "- " subject " [" hash "]"
	if (breaking) all["breaking"] = all["breaking"] line "\n"
	all[type] = all[type] line "\n"
	if (!(type in seen)) { seen[type] = ++types; order[types] = type }
}
END {
	if (!commits) { print "no commits"; exit }
	if ("breaking" in all) printf "## breaking\n%s\n", all["breaking"]
	n = split("feat fix perf", first, " ")
	for (i = 1; i <= n; i++) if (first[i] in seen) { printf "## %s\n%s\n", first[i], all[first[i]]; delete seen[first[i]] }
	for (i = 1; i <= types; i++) if (order[i] in seen) printf "## %s\n%s\n", order[i], all[order[i]]
}'
