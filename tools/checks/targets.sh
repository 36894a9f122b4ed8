#!/usr/bin/env bash
# Builds the player for other processors, from Linux on x86-64, and compares what it plays: the
# bench signatures must be those of tests/data/bench_signatures.tsv. Without arguments, for all
# that the machine has a linker and QEMU for. Takes 2 to 3 minutes a target on two cores.
#
#   tools/checks/targets.sh [TARGET...]
#
# i686-unknown-linux-gnu          needs gcc-multilib
# aarch64-unknown-linux-gnu       needs gcc-aarch64-linux-gnu and qemu-user
# armv7-unknown-linux-gnueabihf   needs gcc-arm-linux-gnueabihf and qemu-user
#
# Windows is checked by tools/checks/release.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The same moves, built sooner.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_INCREMENTAL=0
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_ARMV7_UNKNOWN_LINUX_GNUEABIHF_LINKER=arm-linux-gnueabihf-gcc

# linked TARGET: whether a program can be linked for it, and run.
linked() {
    local linker flags=() qemu=true
    case $1 in
    i686-unknown-linux-gnu) linker=cc flags=(-m32) ;;
    aarch64-unknown-linux-gnu)
        linker=$CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER qemu=qemu-aarch64
        ;;
    armv7-unknown-linux-gnueabihf)
        linker=$CARGO_TARGET_ARMV7_UNKNOWN_LINUX_GNUEABIHF_LINKER qemu=qemu-arm
        ;;
    *) echo "$1: found no such target here, expected one of ${all[*]}" >&2 && exit 2 ;;
    esac
    command -v "$qemu" >/dev/null || return 1
    echo 'int main(void) { return 0; }' |
        "$linker" "${flags[@]}" -x c -o /dev/null - 2>/dev/null
}

# run TARGET COMMAND...: on this machine, or as QEMU imitates the other.
run() {
    case $1 in
    i686-*) "${@:2}" ;;
    aarch64-*) qemu-aarch64 -L /usr/aarch64-linux-gnu "${@:2}" ;;
    armv7-*) qemu-arm -L /usr/arm-linux-gnueabihf "${@:2}" ;;
    esac
}

all=(i686-unknown-linux-gnu aarch64-unknown-linux-gnu armv7-unknown-linux-gnueabihf)
targets=("$@")
if [ $# = 0 ]; then
    for target in "${all[@]}"; do
        if linked "$target"; then targets+=("$target"); else echo "$target: no linker or QEMU, left out"; fi
    done
fi
failed=0
for target in "${targets[@]}"; do
    linked "$target" || { echo "$target: found no linker or QEMU (see the head of this file)" >&2; exit 1; }
    if command -v rustup >/dev/null && ! rustup --quiet target add "$target"; then
        echo "$target: rustup could not add it" >&2
        exit 1
    fi
    cargo build --release --locked --quiet --target "$target"
    while IFS=$'\t' read -r engine expected; do
        program=${CARGO_TARGET_DIR:-target}/$target/release/alesia
        found=$(run "$target" "$program" bench --engine "$engine" | sed -n 's/^signature //p')
        echo "$target $engine $found"
        [ "$found" = "$expected" ] || { echo "expected $expected" >&2; failed=1; }
    done <tests/data/bench_signatures.tsv
done
exit $failed
