#!/usr/bin/env bash
# Makes a wheel with both programs and the package for Python in target/wheels, with the compiler
# and the C library of this machine; the wheels of a release are build.sh's.
#
#   tools/release/wheel.sh [TARGET]     by default for this machine; wheel.py has the others
#   tools/checks/wheel.sh               installs and tries it
#
# Another TARGET needs `rustup target add TARGET` and its linker (docs/build.md).
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${1:-$(rustc -vV | sed -n 's/^host: //p')}
built=${CARGO_TARGET_DIR:-target}${1:+/$1}/release
export CARGO_PROFILE_RELEASE_STRIP=symbols
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
cargo build --locked --release ${1:+--target "$1"} -p alesia -p alesia-lab -p alesia-python
tools/release/wheel.py "$target" "$built" target/wheels
