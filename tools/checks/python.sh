#!/usr/bin/env bash
# The package for Python (tools/python): builds its wheel, installs it into target/python-checks,
# and runs its tests.
#
#   tools/checks/python.sh [quick]
#   tools/checks/python.sh variants [OPTION...] [FILE.ini...]
#   tools/checks/python.sh openspiel [OPTION...]
#
# quick     a debug build without a wheel (on Linux), the tests that need neither OpenSpiel nor
#           PettingZoo, and some chess variants beside Fairy-Stockfish's (tools/checks/fairy);
#           passes where there is no Python 3.10 with venv and pip
# whole     (by default) the lints too; `pip install tools/python` in a clean clone, all tests
#           beside OpenSpiel and PettingZoo from the registry, the speed beside OpenSpiel's, and
#           `alesia uci` driven by python-chess
# variants  the same build as quick, and thousands of chess variants beside Fairy-Stockfish's, also
#           those of a FILE.ini such as its own (src/variants.ini of its repository)
# openspiel the same build, and 10,000 random games of `loa:standard` beside OpenSpiel's
#           `lines_of_action` (tools/checks/openspiel_loa.py)
set -euo pipefail
cd "$(dirname "$0")/../.."

kind=${1-whole}
python=${PYTHON-python3}
environment=target/python-checks
bin=$PWD/$environment/bin

if ! "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "Python 3.10 or later with venv and pip is not here: its package is not tested"
    [ "$kind" = quick ]
    exit
fi
"$python" -m venv "$environment"

# What the registry has.
fetch() {
    "$bin/pip" install --quiet --disable-pip-version-check "$@"
}

# The extension as the tests of the workspace are built, where a wheel would put it.
build_quickly() {
    cargo build --quiet --locked --workspace
    local package
    package=$("$bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/alesia
    rm -rf "$package"
    cp -r tools/python/python/alesia "$package"
    cp "${CARGO_TARGET_DIR:-target}/debug/libalesia_python.so" "$package/_native.abi3.so"
}

# Chess variants beside Fairy-Stockfish's.
compare_variants() {
    if fetch --only-binary :all: -r tools/checks/fairy/requirements.txt; then
        "$bin/python" tools/checks/fairy "$@"
    else
        echo "pyffish is not to be had here as a wheel: the chess variants are not compared"
    fi
}

run_tests() {
    "$bin/pytest" -q -p no:cacheprovider "$@" tools/python/tests
}

case $kind in
quick)
    if ! fetch pytest numpy; then
        echo "the registry of Python's packages is out of reach: the package is not tested"
        exit
    fi
    build_quickly
    run_tests
    compare_variants
    ;;
variants)
    build_quickly
    compare_variants --definitions 3000 "${@:2}"
    ;;
openspiel)
    fetch open_spiel numpy
    build_quickly
    "$bin/python" tools/checks/openspiel_loa.py "${@:2}"
    ;;
whole)
    fetch pytest numpy matplotlib open_spiel pettingzoo ruff mypy
    (cd tools/python && "$bin/ruff" check --config pyproject.toml . ../checks/fairy &&
        "$bin/ruff" format --config pyproject.toml --check . ../checks/fairy && "$bin/mypy" python/alesia)
    clone=$(mktemp -d)
    trap 'rm -rf "$clone"' EXIT
    git clone --quiet . "$clone/alesia"
    CARGO_TARGET_DIR=$PWD/target/python-clone fetch --force-reinstall "$clone/alesia/tools/python"
    # A type that the stubs lack or have too many, after the build.
    "$bin/stubtest" alesia._native
    run_tests
    "$bin/python" tools/python/examples/playouts.py --least 20
    "$bin/python" tools/checks/openspiel_loa.py --games 1000
    # The player as a chess program, driven by a library that knows the rules by itself.
    fetch chess
    cargo build --release --locked
    "$bin/python" tools/checks/uci.py "${CARGO_TARGET_DIR:-target}/release/alesia"
    ;;
*)
    echo "$kind: found no such kind, expected quick, whole, variants or openspiel" >&2
    exit 2
    ;;
esac
