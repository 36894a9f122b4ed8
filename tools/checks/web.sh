#!/usr/bin/env bash
# The engine as a WebAssembly module (tools/web), in Node, beside a native build: the same bench
# signatures and the same answers, number for number.
#
#   tools/checks/web.sh           as quickly built as may be, in a minute
#   tools/checks/web.sh speed     optimised builds, and how fast the module is beside the native one
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

target=wasm32-unknown-unknown
export CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_DEV_DEBUG=0
if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    echo "$target is not installed here: not checked"
    exit
fi
profile=(--release) build=release
if [ "${1:-}" != speed ]; then
    profile=() build=debug
fi
cargo build --locked "${profile[@]}" -p alesia-web --target "$target"
# With the workspace's features, so that nothing is built twice.
cargo build --locked "${profile[@]}" --workspace --example lines
built=${CARGO_TARGET_DIR:-target}
node tools/web/check.mjs "$built/$target/$build/alesia_web.wasm" "$built/$build/examples/lines" \
    tests/data/bench_signatures.tsv "${1:-}"
