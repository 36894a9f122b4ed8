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
built=${CARGO_TARGET_DIR:-target}${1:+/$1}/dist
packages=(-p alesia -p alesia-lab -p alesia-python)
export CARGO_PROFILE_DIST_DEBUG=0 CARGO_PROFILE_DIST_STRIP=symbols
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
cargo build --locked --profile dist ${1:+--target "$1"} "${packages[@]}"
licences=$built/THIRD-PARTY-LICENCES.txt
cargo tree --quiet --locked --target all --edges normal --prefix none --format '{p} {l}' \
    "${packages[@]}" | tools/release/licences.sh "${CARGO_HOME:-$HOME/.cargo}"/registry/src/* >"$licences"
tools/release/wheel.py "$target" "$built" "$licences" target/wheels
