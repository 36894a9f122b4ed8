#!/usr/bin/env bash
# Tests of other projects, run with `alesia uci`. FOLDER is a checkout of the project.
#
#   cargo build --release
#   tools/checks/suites.sh fastchess FOLDER [PROGRAM]
#   tools/checks/suites.sh lichess-bot FOLDER [PROGRAM]
#
# fastchess    github.com/Disservin/fastchess: builds it and runs `fastchess --compliance`, with
#              both engines; needs make and a C++ compiler
# lichess-bot  github.com/lichess-bot-devs/lichess-bot: its test of a UCI engine, against an
#              opponent that plays at random (lichess_bot.py); needs Python 3.10 with venv, and the
#              network
#
# PROGRAM is target/release/alesia by default. The tests of python-chess, OpenSpiel and PettingZoo
# are in python.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..

suite=${1-} folder=$(cd "${2:?the checkout of the project}" && pwd)
program=$(realpath "${3-$root/target/release/alesia}")

case $suite in
fastchess)
    [ -x "$folder/fastchess" ] || make -C "$folder"
    for engine in mcts alphabeta; do
        "$folder/fastchess" --compliance "$program" "uci --engine $engine"
    done
    ;;
lichess-bot)
    environment=$root/target/lichess-bot-checks
    "${PYTHON-python3}" -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check \
        -r "$folder/requirements.txt" pytest pytest-timeout
    cd "$folder"
    PROGRAM=$program PYTHONPATH=$folder \
        "$environment/bin/pytest" -q -p no:cacheprovider --timeout 300 "$here/lichess_bot.py"
    ;;
*)
    echo "found \`$suite\`, expected fastchess or lichess-bot" >&2
    exit 2
    ;;
esac
