#!/usr/bin/env bash
# The package for Python (tools/python): builds its wheel, installs it into target/python-checks,
# and runs its tests.
#
#   tools/checks/python.sh [quick]
#
# quick   a build that shares the library with CI's release, and the tests that need neither
#         OpenSpiel nor PettingZoo; passes where there is no Python 3.10 with venv and pip
# whole   (by default) the lints too; `pip install tools/python` in a clean clone, all tests beside
#         OpenSpiel and PettingZoo from the registry, and the speed beside OpenSpiel's
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

run_tests() {
    "$bin/pytest" -q -p no:cacheprovider "$@" tools/python/tests
}

case $kind in
quick)
    if ! fetch maturin pytest numpy; then
        echo "the registry of Python's packages is out of reach: the package is not tested"
        exit
    fi
    rm -f target/wheels/alesia-*.whl
    # What is around the library is built sooner so, and hardly computes.
    unoptimised=(--config 'profile.release.package."*".opt-level=0')
    for crate in alesia-match alesia-python; do
        unoptimised+=(--config "profile.release.package.$crate.opt-level=0")
    done
    (cd tools/python && CARGO_PROFILE_RELEASE_LTO=off "$bin/maturin" build --quiet --release --locked \
        --out ../../target/wheels "${unoptimised[@]}")
    fetch --force-reinstall --no-deps target/wheels/alesia-*.whl
    run_tests
    ;;
whole)
    fetch pytest numpy matplotlib open_spiel pettingzoo ruff mypy
    (cd tools/python && "$bin/ruff" check && "$bin/ruff" format --check && "$bin/mypy" python/alesia)
    clone=$(mktemp -d)
    trap 'rm -rf "$clone"' EXIT
    git clone --quiet . "$clone/alesia"
    CARGO_TARGET_DIR=$PWD/target/python-clone fetch --force-reinstall "$clone/alesia/tools/python"
    # A type that the stubs lack or have too many, after the build.
    "$bin/stubtest" alesia._native
    run_tests
    "$bin/python" tools/python/examples/playouts.py --least 20
    ;;
*)
    echo "$kind: found no such kind, expected quick or whole" >&2
    exit 2
    ;;
esac
