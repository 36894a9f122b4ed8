#!/usr/bin/env bash
# Coverage-guided fuzzing of a parser, by libFuzzer and the stable compiler.
#
#   tools/checks/fuzz.sh TARGET RUNS     (TARGET: one of those below, or all of them: all)
#
# Each target asserts a property of tools/properties (the player's) or tools/src/properties.rs (the
# lab's) on the inputs of libFuzzer. The corpus is stored in FUZZ_DIR (target/fuzz by default), so
# that the next run continues; a failing input is stored there too, and
#   FUZZ_TARGET=TARGET target/fuzz/x86_64-unknown-linux-gnu/release/player|alesia-lab INPUT
# runs it again. Needs x86-64 Linux and a C++ compiler, and fetches the crate libfuzzer-sys.
set -euo pipefail
cd "$(dirname "$0")/../.."

player="server client relay framing ugi boards moves positions arguments events variants learned"
lab="record limit opening match tournament feed games weights report"

if [ $# -ne 2 ]; then
    echo "usage: tools/checks/fuzz.sh TARGET RUNS; targets: $player $lab, or all" >&2
    exit 2
fi
targets=$1
runs=$2
[ "$targets" != all ] || targets="$player $lab"
dir=$(realpath -m "${FUZZ_DIR:-target/fuzz}")
host=x86_64-unknown-linux-gnu

# The compiler flags of cargo-fuzz without sanitizers: there is hardly any unsafe code here.
coverage="-Cpasses=sancov-module"
for pass in level=4 inline-8bit-counters pc-table trace-compares; do
    coverage+=" -Cllvm-args=-sanitizer-coverage-$pass"
done
export RUSTC_BOOTSTRAP=1 RUSTFLAGS="--cfg fuzzing -Awarnings -Ccodegen-units=1 $coverage"
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_DEBUG=line-tables-only \
    CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true
for manifest in tools/fuzz/Cargo.toml tools/Cargo.toml; do
    cargo build --quiet --release --bins --target "$host" --target-dir "$dir" --manifest-path "$manifest"
done

for target in $targets; do
    case " $lab " in
    *" $target "*) program=alesia-lab ;;
    *) program=player ;;
    esac
    echo "== $target"
    corpus=$dir/corpus/$target
    mkdir -p "$corpus"
    FUZZ_TARGET=$target nice "$dir/$host/release/$program" -runs="$runs" -max_len=4096 \
        -timeout=10 -dict=tools/fuzz/words.dict -artifact_prefix="$dir/$target-" \
        -print_final_stats=1 "$corpus"
done
