#!/usr/bin/env bash
# Checks the lock-free code of the tree search: by loom, by ThreadSanitizer and by Miri. What is
# not installed is skipped, with a message.
#
#   tools/checks/run.sh [loom] [tsan] [miri]     (all three by default)
#
# loom    every order of steps that the memory model allows, of handmade models that run the real
#         nodes, trees, workers and copies (src/search/mcts/loom_tests.rs and the folder beside it).
#         CI tries the first 5000 of each (LOOM_MAX_PERMUTATIONS and LOOM_CHECKPOINT_INTERVAL),
#         which are all orders of most.
# tsan    whole games of the whole engine, with more threads than cores (alesia-lab stress trees).
#         Nodes are made of atomics alone, on which there are no data races; so this looks at what
#         surrounds them: workers, jobs, memory, reports.
# miri    the same models as loom's, from four seeds for the order of threads and for stale reads,
#         and the unit tests beside them; undefined behaviour too. Mapped memory is left out.
#
# CHECK_SECONDS: how long tsan plays, 20 by default. CHECK_TARGET: the folder for what is built.
# CHECK_MODEL: the one model to run in loom or miri.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${CHECK_TARGET:-target}
host=x86_64-unknown-linux-gnu
# Link-time optimisation in one piece would only take time.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16

step() { printf '\n== %s\n' "$*"; }

check_loom() {
    # Only the library is built with loom's atomics, and not optimised, as nearly all the time is
    # loom's own. Some dependencies are built again, as cargo unites features by package.
    local program
    program=$(cargo rustc --locked --lib --profile test --target-dir "$target" \
        --config 'profile.dev.package.alesia.opt-level=0' \
        --message-format=json-render-diagnostics -- --cfg loom |
        sed -nE 's/.*"name":"alesia".*"executable":"([^"]+)".*/\1/p')
    "$program" "loom_tests${CHECK_MODEL:+::$CHECK_MODEL}"
}

check_tsan() {
    if ! rustc -vV | grep -q "^host: $host$"; then
        echo "not on $host: skipped"
        return
    fi
    # The sanitizer is there in the stable compiler too, behind this variable.
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" \
        TSAN_OPTIONS="suppressions=$PWD/tools/checks/tsan.supp" \
        cargo run --locked --release -p alesia-lab --target "$host" --target-dir "$target/tsan" -- \
        stress trees --seconds "${CHECK_SECONDS:-20}"
}

check_miri() {
    if ! cargo +nightly miri --version >/dev/null 2>&1; then
        echo "no nightly toolchain with Miri: skipped"
        return
    fi
    local miri=(cargo +nightly miri test --locked --lib --target-dir "$target/miri" --)
    if [ -z "${CHECK_MODEL:-}" ]; then
        # Left out: many rounds of plain arithmetic.
        "${miri[@]}" search::mcts::node search::mcts::children search::mcts::tree search::mcts::proof \
            search::mcts::select --skip the_ring_goes_round_for_ever
    fi
    MIRIFLAGS=-Zmiri-many-seeds=0..4 "${miri[@]}" "loom_tests${CHECK_MODEL:+::$CHECK_MODEL}"
}

for check in "${@:-loom tsan miri}"; do
    for one in $check; do
        step "$one"
        "check_$one"
    done
done
