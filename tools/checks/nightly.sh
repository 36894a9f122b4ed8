#!/usr/bin/env bash
# What takes too long for .ci/run: the same checks with many more cases, and those that need an
# optimised build or a quiet machine. One to two hours on two cores.
#
#   tools/checks/nightly.sh [STEP...]     (all by default: batch hosted games calls dependencies
#                                         solved loom races page web python strength signatures
#                                         punctual demonstration documentation)
#
# The simulated sessions and disks have other seeds each day, from ALESIA_FIRST_SEED where that is
# set. What came out is added to target/nightly.tsv, or to the file that ALESIA_NIGHTLY names:
# commit, step, first seed, and `passed`, `failed` or, where a part could not be had, `skipped`. A
# seed that fails is added to tests/data/failed_seeds.tsv; once that is committed, CI tries it for
# ever.
#
# batch     a match and self-play spread over two ssh hosts; needs GNU parallel, sshd and rsync
# hosted    the rehearsal of a tournament, and one of thirty plain clients with killed machines
# games     thousands of games beside the plain implementation, 10,000 of Voidrider Chess beside its
#           definition, thousands of panics, 100,000 texts for every parser, a million simulated
#           sessions of client, judge and network, 100,000 short games of one referee in the same
#           memory, 100,000 matches on disks that fail
# calls     every call of the system fails in turn, in every command
# dependencies  advisories, licences and sources of all crates; needs cargo-deny
# solved    Hadron on 5 x 5, by both engines; needs 2 GiB; all first moves of boards up to 3 x 8, by
#           `alesia-lab train solve` and by a plain solver
# loom      every model of the lock-free tree, in all orders of steps
# races     ThreadSanitizer and Miri, and that all three checkers find planted bugs
# page      the page in a browser: all scenes, each view audited in all sizes and colours
# web       the engine as a WebAssembly module: its answers, and its speed beside a native build
# python    the package for Python: its lints, an installation from a clean clone, its tests beside
#           OpenSpiel and PettingZoo, its speed
# strength  200 games of each kind against a random player: no more than two are not won, and in
#           Voidrider Chess none is lost
# signatures  bench signatures of the release, where the tests check those of the debug build
# punctual  1000 moves of 100 ms between two processes, none late; nothing else may run meanwhile
# demonstration  the game that `alesia` plays by itself, to its end
# documentation  of all crates, with the targets that CI does not check
set -euo pipefail
cd "$(dirname "$0")/../.."

# Linking everything in one piece would only take time here.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16

check_batch() {
    cargo test --locked -p alesia-lab --test suite -- --ignored batch
}

check_hosted() {
    cargo test --locked --workspace --test suite -- --ignored hosted
    cargo build --locked --workspace
    ALESIA_BIN_DIR="${CARGO_TARGET_DIR:-target}/debug" tools/checks/tournament.py
}

check_games() {
    cargo test --release --locked --test engine against_plain
    cargo test --release --locked --test engine panics
    ALESIA_VARIANT_GAMES=10000 cargo test --release --locked --test engine variants
    cargo test --release --locked -p alesia-properties
    cargo test --release --locked --lib simulation -- --include-ignored
    ALESIA_SHORT_GAMES=100000 cargo test --release --locked --test program short_games
    cargo test --release --locked --test program many_games
    cargo test --release --locked -p alesia-match --lib simulation -- --include-ignored
}

check_calls() {
    cargo test --locked --workspace --no-run --test suite
    ALESIA_BIN_DIR="${CARGO_TARGET_DIR:-target}/debug" tools/checks/system_calls.py
}

check_dependencies() {
    tools/checks/dependencies.sh
}

check_solved() {
    cargo test --release --locked --test engine hadron_5x5 -- --ignored
    cargo test --release --locked -p alesia-lab --test suite solve -- --ignored
}

check_loom() {
    tools/checks/run.sh loom
}

check_races() {
    tools/checks/run.sh tsan miri
    tools/checks/planted-bugs.sh
}

check_page() {
    cargo build --locked --workspace
    # For the page without a server.
    [ ! -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] ||
        cargo build --locked --release -p alesia-web --target wasm32-unknown-unknown
    (cd tools/browser && npm ci --no-audit --no-fund && npm test)
}

check_web() {
    tools/checks/web.sh
    tools/checks/web.sh speed
}

check_python() {
    tools/checks/python.sh whole
    tools/checks/python.sh variants
}

check_strength() {
    cargo build --release --locked --workspace
    local game text wins losses least most_lost
    for game in murus hadron loa voidrider; do
        text=$("${CARGO_TARGET_DIR:-target}/release/alesia-lab" match -game "$game" -rounds 100 -srand 1 \
            -engine name=Tree -engine name=Random option.engine=random \
            -each st=0.05 option.memory=64MiB 2>/dev/null)
        read -r wins losses < <(sed -nE \
            's/^Games: 200, Wins: ([0-9]+), Losses: ([0-9]+), .*/\1 \2/p' <<<"$text")
        echo "$game: $wins won, $losses lost of 200"
        # Against random moves many games of Voidrider Chess end in a draw.
        least=198 most_lost=2
        [ "$game" != voidrider ] || least=101 most_lost=0
        if ((wins < least || losses > most_lost)); then
            echo "expected at least $least won and at most $most_lost lost" >&2
            exit 1
        fi
    done
}

check_signatures() {
    cargo build --release --locked
    local engine expected found
    while IFS=$'\t' read -r engine expected; do
        found=$("${CARGO_TARGET_DIR:-target}/release/alesia" bench --engine "$engine" | sed -n 's/^signature //p')
        echo "$engine $found"
        if [ "$found" != "$expected" ]; then
            echo "expected $expected, as recorded in tests/data/bench_signatures.tsv" >&2
            exit 1
        fi
    done <tests/data/bench_signatures.tsv
}

check_punctual() {
    cargo build --release --locked --workspace
    "${CARGO_TARGET_DIR:-target}/release/alesia-lab" stress deadline --load none --move-time 100 --moves 1000
}

check_demonstration() {
    cargo build --release --locked
    "${CARGO_TARGET_DIR:-target}/release/alesia" | tail -n 1 |
        grep -E '^result: (White|Black|tie) \((home row reached|no legal move|move limit)\)$'
}

check_documentation() {
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
    local target
    for target in i686-unknown-linux-gnu x86_64-pc-windows-gnu aarch64-unknown-linux-gnu aarch64-apple-darwin; do
        rustup target add "$target"
        cargo check --locked --target "$target"
    done
}

if [ $# = 0 ]; then
    set -- batch hosted games calls dependencies solved loom races page web python strength \
        signatures punctual demonstration documentation
fi

# A million for each day.
export ALESIA_FIRST_SEED=${ALESIA_FIRST_SEED:-$(($(date +%s) / 86400 * 1000000))}
commit=$(git rev-parse --short=7 HEAD)
list=${ALESIA_NIGHTLY:-target/nightly.tsv}
mkdir -p "$(dirname "$list")"
said=$(mktemp) new=$(mktemp)
trap 'rm -f "$said" "$new"' EXIT
worst=0
for name in "$@"; do
    printf '\n== %s\n' "$name"
    set +e
    (
        set -e
        "check_$name"
    ) 2>&1 | tee "$said"
    status=${PIPESTATUS[0]}
    set -e
    verdict=passed
    if [ "$status" != 0 ]; then
        verdict=failed worst=1
        # As the simulations name them.
        sed -nE "s/.*ALESIA_(SESSION|DISK)=([0-9]+).*/\1\t\2\t$commit/p" "$said" |
            sed -E 's/^SESSION/session/; s/^DISK/disk/' | sort -u |
            awk -F'\t' 'NR == FNR { known[$1, $2]; next } !(($1, $2) in known)' \
                tests/data/failed_seeds.tsv - >"$new"
        cat "$new" >>tests/data/failed_seeds.tsv
    elif grep -qP ' (?!skipped 0$)(skipped|not checked|not compared|not tested)\b' "$said"; then
        verdict=skipped
    fi
    printf '%s\t%s\t%s\t%s\n' "$commit" "$name" "$ALESIA_FIRST_SEED" "$verdict" >>"$list"
done
exit $worst
