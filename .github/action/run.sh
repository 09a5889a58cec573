#!/usr/bin/env bash
# Runs skillpack as the inputs of action.yml say: annotations into the log, the
# Markdown report into the job summary, the counts into the outputs; then ends
# with skillpack's own exit status.
#
# Inputs come as INPUT_… variables and are data, never code. Flags are written
# --flag=value, so that no value can become a flag. It keeps to Bash 3.2, which
# macOS has.
set -euo pipefail

work=$(mktemp -d "$(dirname "$SKILLPACK")/run.XXXXXX")
report=$work/report.json sarif=$work/report.sarif summary=$work/summary.md

# finish writes the outputs and ends the step with a status.
finish() {
	if [ -s "$report" ]; then
		# skillpack writes its JSON one key a line, and no string holds a line
		# break; so the indent tells the summary's counts, and the values of the
		# top-level list "drift", from everything else. That saves a need for jq,
		# which not every runner has.
		awk '
			/^    "errors": [0-9]+,?$/   { gsub(/[^0-9]/, ""); errors = $0 }
			/^    "warnings": [0-9]+,?$/ { gsub(/[^0-9]/, ""); warnings = $0 }
			/^  "drift": \[$/            { inside = 1 }
			/^  \],?$/                   { inside = 0 }
			inside && /^    \{$/         { drift++ }
			END { printf "errors=%s\nwarnings=%s\ndrift=%d\n", errors, warnings, drift }
		' "$report" >>"$GITHUB_OUTPUT"
		# Code scanning closes the alerts that an upload no longer has: the report of
		# a run that could not look must not be one.
		if [ "$1" -le 1 ]; then
			printf 'sarif-file=%s\n' "$sarif" >>"$GITHUB_OUTPUT"
		fi
	fi
	printf 'exit-status=%s\n' "$1" >>"$GITHUB_OUTPUT"
	cat "$summary" >>"$GITHUB_STEP_SUMMARY"
	exit "$1"
}

# refuse ends the step with a status where there is no report: the reason becomes
# an annotation and the summary. A line break in it must not start a command.
refuse() {
	local reason=$2
	printf '### skillpack could not run\n\n    %s\n' "${reason//$'\n'/$'\n'    }" >"$summary"
	reason=${reason//%/%25}
	reason=${reason//$'\r'/%0D}
	printf '::error title=skillpack could not run::%s\n' "${reason//$'\n'/%0A}"
	finish "$1"
}

# trim sets REPLY to a text without the spaces around it.
trim() {
	REPLY=${1#"${1%%[![:space:]]*}"}
	REPLY=${REPLY%"${REPLY##*[![:space:]]}"}
}

# next takes lines off $lines up to the first that is not blank, and sets REPLY to
# that. A here-document would do, but puts its text, here secrets, into a file.
next() {
	REPLY=''
	while [ -z "$REPLY" ] && [ -n "$lines" ]; do
		trim "${lines%%$'\n'*}"
		case $lines in
		*$'\n'*) lines=${lines#*$'\n'} ;;
		*) lines='' ;;
		esac
	done
	[ -n "$REPLY" ]
}

# flag adds a flag where a true/false input says true.
flag() {
	case $2 in
	true) args+=("--$1") ;;
	false) ;;
	*) refuse 2 "input $1 is \"$2\": write true or false" ;;
	esac
}

# value adds a flag where its input is not empty.
value() {
	if [ -n "$2" ]; then
		args+=("--$1=$2")
	fi
}

# header adds one header. Arguments can be read by every user of the machine, so
# the text goes into the environment, and skillpack, which expands ${VAR} itself,
# is told names only. "Authorization: Bearer ${TOKEN}" becomes a variable
# SKILLPACK_HEADER_1 that holds "Bearer ", and the argument
# --header=Authorization: ${SKILLPACK_HEADER_1}${TOKEN}. A line without a name
# goes there whole: it may be a secret that was pasted wrong.
parts=0
header() {
	local rest=$1 template='' literal variable
	local name='^[A-Za-z0-9!#$%&'\''*+.^_`|~-]+:' reference='\$\{[A-Za-z_][A-Za-z0-9_]*\}'
	if [[ $rest =~ $name ]]; then
		template="${BASH_REMATCH[0]} "
		trim "${rest#*:}"
		rest=$REPLY
	fi
	while [ -n "$rest" ]; do
		variable='' literal=$rest
		if [[ $rest =~ $reference ]]; then
			variable=${BASH_REMATCH[0]}
			literal=${rest%%"$variable"*}
		fi
		rest=${rest#"$literal$variable"}
		if [ -n "$literal" ]; then
			parts=$((parts + 1))
			export "SKILLPACK_HEADER_$parts=$literal"
			template="$template\${SKILLPACK_HEADER_$parts}"
		fi
		template=$template$variable
	done
	args+=("--header=$template")
}

headers=$INPUT_HEADERS
unset INPUT_HEADERS # skillpack and what it starts need only the parts
directory=$INPUT_DIRECTORY
case $directory in
-*) directory=./$directory ;;
esac

case $INPUT_MODE in
build-check)
	args=(build --check)
	value manifest "$INPUT_MANIFEST"
	if [ -n "$directory" ]; then
		args+=("$directory")
	fi
	;;
lint)
	args=(lint)
	flag verify "$INPUT_VERIFY"
	flag conformance "$INPUT_CONFORMANCE"
	value wait "$INPUT_WAIT"
	# A directory says more than a manifest: its files can be named. Where none is
	# given and there is a configuration, which may name another than ./skills,
	# skillpack finds the manifest itself.
	if [ -z "$directory$INPUT_CONFIG" ] && [ ! -e skillpack.yaml ] && [ -d skills ]; then
		directory=./skills
	fi
	value manifest "${INPUT_MANIFEST:-$directory}"
	lines=$headers
	while next; do
		header "$REPLY"
	done
	case $INPUT_SERVER in
	'') refuse 2 'input server is empty: mode lint needs the URL of a server, or its name in skillpack.yaml' ;;
	[!-]*://*) args+=("$INPUT_SERVER") ;;
	*) args+=("--server=$INPUT_SERVER") ;;
	esac
	;;
*) refuse 2 "input mode is \"$INPUT_MODE\": write build-check or lint" ;;
esac
flag strict "$INPUT_STRICT"
value config "$INPUT_CONFIG"
lines=$INPUT_FORMATS
while next; do
	args+=("--output=$REPLY")
done
# Last, so that a report is there only when the caller's own could be written.
args+=(--format=github "--output=sarif:$sarif" "--output=markdown:$summary" "--output=json:$report")

status=0
"$SKILLPACK" "${args[@]}" 2>"$work/stderr" || status=$?
cat "$work/stderr" >&2
if [ ! -s "$report" ]; then
	refuse "$status" "$(cat "$work/stderr")"
fi
finish "$status"
