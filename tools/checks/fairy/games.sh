#!/usr/bin/env bash
# Games of `alesia uci` against Fairy-Stockfish in chess variants, refereed by `alesia-lab match`.
# Fails if a move is refused, a program stalls or ends, or time runs out.
#
#   (cd FOLDER && npm install fairy-stockfish-nnue.wasm)
#   cargo build --release --workspace
#   tools/checks/fairy/games.sh FOLDER [PAIRS] [NODES] [VARIANT...]
#
# PAIRS of games of each variant (by default 90: 3,240 games), NODES for a move (by default 40).
# Played are all built-in variants but voidrider, whose squares move, and three of files of
# definitions.
set -euo pipefail
cd "$(dirname "$0")/../../.."

folder=$(cd "${1:?the folder with node_modules}" && pwd)
pairs=${2-90} nodes=${3-40}
shift $(($# < 3 ? $# : 3))
bin=${BIN-${CARGO_TARGET_DIR:-target}/release}
here=tools/checks/fairy
games=("$@")
records=$(mktemp -d)
# Both read the same text: of a name that it knows, Fairy-Stockfish has rules of its own, such as
# the bared king of its shatranj.
rules=$records/rules.ini
sed -E 's/^\[([a-z]+)/[same\1/' src/games/variant/variants.ini >"$rules"
if [ $# = 0 ]; then
    names=$("$bin/alesia" variants | sed -E '/^voidrider /d; s/ .*//')
    mapfile -t games < <(sed "s|^|$rules:same|" <<<"$names")
    games+=(examples/variants/losing.ini:losing examples/variants/losing.ini:kinglet
        examples/variants/fairy.ini:fidenutters)
fi

failed=0
for game in "${games[@]}"; do
    # The network of Fairy-Stockfish would want a file of its own.
    text=$("$bin/alesia-lab" match -game "$game" -rounds "$pairs" -srand 1 -concurrency 1 \
        -maxmoves 150 -pgnout "file=$records/games.jsonl" -each "nodes=$nodes" \
        -engine name=Alesia "cmd=$bin/alesia" "args=uci --threads 1 --memory 4MiB" \
        -engine name=Fairy cmd=node "args=$here/uci.js $folder" proto=uci "option.Use NNUE=false" \
        option.Hash=1 2>"$records/errors") || { failed=1; tail -1 "$records/errors"; }
    echo "${game##*:}: $(grep '^Games: ' <<<"$text" || echo 'no games')"
    if [ -z "$text" ] || grep -E '^   (Timeouts|Illegal moves|Crashed): [1-9]' <<<"$text"; then
        failed=1
    fi
done
[ $failed = 0 ] || echo "the games: $records/games.jsonl" >&2
exit $failed
