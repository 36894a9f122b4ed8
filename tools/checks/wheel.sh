#!/usr/bin/env bash
# Installs a wheel with the programs into a new environment, and tries it where neither cargo nor a
# compiler is to be found: the programs' version, a match (on a quiet machine within 10 seconds from
# the beginning of the install), a search, the package. Then by pipx and uv, where the registry has
# them.
#
#   tools/checks/wheel.sh [WHEEL]     (the one for this machine in target/wheels by default)
set -euo pipefail
cd "$(dirname "$0")/../.."
fail() {
    echo "wheel.sh: $*" >&2
    exit 1
}

most=$((15 << 20))
wheel=${1:-$(ls -t target/wheels/alesia-*"$(uname -m)".whl 2>/dev/null | head -n 1)}
[ -f "$wheel" ] || fail "WHEEL: found none, expected that of tools/release/wheel.sh"
wheel=$(realpath "$wheel")
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
size=$(stat -c %s "$wheel")
((size <= most)) || fail "$wheel: found $size bytes, expected $most at most"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a command of a folder, where nothing else but the system's own commands is found.
of() {
    local folder=$1
    shift
    (cd "$work" && env -i HOME="$work" PATH="$folder:$work/system" "$@")
}

# Both programs, from a folder of commands.
try() {
    local found name
    for name in alesia alesia-lab; do
        found=$(of "$1" $name --version)
        [ "$found" = "$name $version" ] || fail "$2, $name --version: found $found"
    done
    found=$(of "$1" alesia match -game hadron3 -engine name=a -engine name=b -each nodes=50 -rounds 1)
    [[ $found == *"Games: 2"* ]] || fail "$2, alesia match: found $found"
}

# What a program may find beside itself: no cargo and no compiler.
mkdir "$work/system"
python3 -m venv "$work/venv"
begun=$SECONDS
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
try "$work/venv/bin" pip
echo "pip: installed, and played a match, in $((SECONDS - begun)) s"
of "$work/venv/bin" python -c '
import alesia
position = alesia.Position("murus")
assert len(position.legal_moves()) == 20, position.legal_moves()
assert alesia.__version__ == "'"$version"'", alesia.__version__'
of "$work/venv/bin" alesia search --game murus --nodes 200 --threads 1 --memory 16MiB | grep -q '^bestmove '
echo "the package and the player: as they should"
for tool in pipx uv; do
    python3 -m venv "$work/$tool"
    if ! "$work/$tool/bin/pip" install --quiet --disable-pip-version-check $tool; then
        echo "$tool is not to be had here: not tried"
        continue
    fi
    case $tool in
    pipx) PIPX_HOME=$work/pipx-home PIPX_BIN_DIR=$work/pipx-bin "$work/pipx/bin/pipx" install "$wheel" ;;
    uv) UV_TOOL_DIR=$work/uv-home UV_TOOL_BIN_DIR=$work/uv-bin UV_CACHE_DIR=$work/uv-cache \
        "$work/uv/bin/uv" tool install --python "$(command -v python3)" "$wheel" ;;
    esac >"$work/$tool.log" 2>&1 || fail "$tool: $(cat "$work/$tool.log")"
    try "$work/$tool-bin" $tool
    echo "$tool: installed, and played a match"
done
echo "$size bytes: $wheel"
