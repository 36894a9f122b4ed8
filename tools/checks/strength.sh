#!/usr/bin/env bash
# Plays the matches of the README's table of strength with today's program, tree search against
# alpha-beta, and prints the table: some hours on two quiet cores.
#
#   tools/checks/strength.sh [GAME ...]
#
# ROUNDS=N plays N pairs at most in each match, TIME=S and LONG=S seconds a move instead of 0.1
# and 1.
set -euo pipefail
cd "$(dirname "$0")/../.."

cargo build --release --locked --workspace
bin=${CARGO_TARGET_DIR:-target}/release
declare -A title=([murus]="Murus Gallicus" [hadron]="Hadron" [loa]="Lines of Action"
    [voidrider]="Voidrider Chess")

# The points of the tree search and the games of one match, such as `68.2 44`.
points() {
    local game=$1 result
    shift
    result=$("$bin/alesia-lab" match -game "$game" -engine name=mcts \
        -engine name=alphabeta option.engine=alphabeta -srand 7 "$@")
    sed -nE 's/^Games: ([0-9]+), .* Points: [0-9.]+ \(([0-9.]+) %\)/\2 \1/p' <<<"$result"
}

# The commit of a game's weights and defaults: the last that is listed.
weights() {
    awk -F, -v game="$1" '$1 == game { commit = $2 } END { print commit }' docs/weights.csv
}

[ $# -gt 0 ] || set -- murus hadron loa voidrider
rows=()
for game in "$@"; do
    [ -n "${title[$game]:-}" ] || { echo "$game: expected murus, hadron, loa or voidrider" >&2; exit 2; }
    elo1=70
    [ "$game" != voidrider ] || elo1=35
    short=$(points "$game" -each st="${TIME:-0.1}" cmd="$bin/alesia" args=ugi option.Threads=1 \
        option.Memory=128MiB -rounds "${ROUNDS:-150}" -sprt elo0=0 elo1=$elo1 -concurrency 2)
    long=$(points "$game" -each st="${LONG:-1}" cmd="$bin/alesia" args=ugi option.Threads=2 \
        option.Memory=1GiB -rounds "${ROUNDS:-40}" -concurrency 1)
    read -r share games <<<"$short"
    read -r long_share long_games <<<"$long"
    rows+=("$(LC_ALL=C printf '| %s | %.1f %% of %s games | %.1f %% of %s | `%s` |' "${title[$game]}" \
        "$share" "$games" "$long_share" "$long_games" "$(weights "$game")")")
done
echo '| game | 100 ms a move, one thread each | 1 s a move, two threads each | weights |'
echo '|---|---|---|---|'
printf '%s\n' "${rows[@]}"
