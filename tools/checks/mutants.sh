#!/usr/bin/env bash
# The mutation score: which small changes of the code no test notices (https://mutants.rs). Needs
# cargo-mutants (cargo install cargo-mutants --locked). Works in a clone of the last commit,
# target/mutants/source, and leaves its reports beside it.
#
#   tools/checks/mutants.sh PART... [-- OPTION...]
#
# PART is statistics, adjudication, records, session or rules. OPTION is one of cargo-mutants, such
# as `--shard 0/20` for a twentieth: a mutant takes about as long as its tests take to build, half a
# minute. Ends with a line for each part, and with 1 where less than 95 % of its mutants are caught.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! cargo mutants --version >/dev/null 2>&1; then
    echo "no cargo-mutants: skipped (cargo install cargo-mutants --locked)"
    exit
fi
parts=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    parts+=("$1")
    shift
done
[ $# = 0 ] || shift
options=("$@")
[ "${#parts[@]}" -gt 0 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }

mkdir -p target/mutants
out=$(realpath target/mutants)
[ -d "$out/source" ] || git clone --quiet . "$out/source"
git -C "$out/source" fetch --quiet origin HEAD
git -C "$out/source" reset --quiet --hard FETCH_HEAD
export CARGO_INCREMENTAL=1 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0

scores=
# Changes FILES of PACKAGE in each way, and runs the tests of the targets that follow. Without a
# change they pass: CI says so.
mutants() {
    local part=$1 package=$2 files=$3 status=0 count caught
    shift 3
    printf '\n== %s\n' "$part"
    rm -rf "${out:?}/$part"
    mkdir "$out/$part"
    (cd "$out/source" && cargo mutants --in-place --baseline skip --timeout 120 --no-times \
        --output "$out/$part" --package "$package" --file "$files" "${options[@]}" \
        --cargo-arg=--locked "${@/#/--cargo-arg=}") || status=$?
    # 2: some are missed, 3: some run into the time limit.
    case $status in 0 | 2 | 3) ;; *) exit $status ;; esac
    lines() { cat "$out/$part/mutants.out/$1.txt" 2>/dev/null | wc -l; }
    caught=$(($(lines caught) + $(lines timeout))) count=$((caught + $(lines missed)))
    scores+="$part: $caught of $count mutants caught"$'\n'
    ((count > 0 && caught * 100 >= count * 95)) || worst=1
}
worst=0
for part in "${parts[@]}"; do
    case $part in
    statistics) mutants statistics alesia-match 'tools/match/src/statistics/*.rs' --lib ;;
    adjudication) mutants adjudication alesia-match tools/match/src/run/adjudication.rs --lib ;;
    records) mutants records alesia 'src/record/*.rs' --lib ;;
    session) mutants session alesia 'src/net/client/session/*.rs' --lib --test program ;;
    rules) mutants rules alesia 'src/games/*/rules.rs' --lib --test engine ;;
    *) echo "$part: expected statistics, adjudication, records, session or rules" >&2; exit 2 ;;
    esac
done
printf '\n%s' "$scores"
exit $worst
