#!/usr/bin/env bash
# Runs the archives that tools/release/build.sh has made. Each is unpacked and must print its
# version, count moves as tests/data/perft.tsv says, and search as tests/data/bench_signatures.tsv
# says. It must play a whole game over TCP at 300 ms a move, none late, against the Linux player
# under the Linux referee. Windows programs run under wine, 32 bits in an i386 system. The wheel for
# this machine is installed by tools/checks/wheel.sh.
#
#   tools/checks/release.sh [ARCHIVE...]   (all in target/archives by default; names as in build.sh)
#
# Needs what build.sh needs. The systems with wine take 3 GB in target/systems. Wine 8 lacks a
# library, so a small one (bcryptprimitives.c) is put beside the program; it is in no archive.
#
# Last run: commit 7e91f32, 2026-11-27: all four archives passed, no move late (the slowest 236 ms).
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/release/system.sh

archives=target/archives
unpacked=$PWD/target/release-run
move_time=300
# Positions that are counted at most; deeper ones are left to the tests.
most_counted=1000000

# Runs a program of an archive: `program ARCHIVE PROGRAM ARGUMENT…`.
program() {
    local archive=$1 name=$2
    shift 2
    case $archive in
    windows-x86_64) in_wine wine64 "$name" "$@" ;;
    windows-i686) in_wine wine32 "$name" "$@" ;;
    *) "$unpacked/$archive/$name" "$@" ;;
    esac
}

# Runs a program in a system with wine: `in_wine SYSTEM PROGRAM ARGUMENT…`.
in_wine() {
    local system=$1 name=$2 loader=wine64
    [ "$system" = wine64 ] || loader=wine
    shift 2
    in_system "$system" WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= \
        "/usr/lib/wine/$loader" "/alesia/$name.exe" "$@"
}

# Unpacks an archive, for Windows into the system that runs it.
unpack() {
    local archive=$1 name=alesia-$version-$1 system
    rm -rf "${unpacked:?}/$archive"
    mkdir -p "$unpacked/$archive"
    if [[ $archive != windows* ]]; then
        tar -xzf "$archives/$name.tar.gz" -C "$unpacked/$archive" --strip-components=1
        return
    fi
    unzip -q "$archives/$name.zip" -d "$unpacked/$archive"
    mv "$unpacked/$archive/$name"/* "$unpacked/$archive/"
    system=wine64 compiler=x86_64-w64-mingw32
    [ "$archive" != windows-i686 ] || system=wine32 compiler=i686-w64-mingw32
    imports "$archive" "$compiler"
    prepare_wine "$archive" "$system" "$compiler"
}

# A program for Windows may need only libraries that every Windows has.
imports() {
    local file others table
    for file in "$unpacked/$1"/*.exe; do
        cp "$file" "$systems/build/tmp/program.exe"
        table=$(in_system build "$2-objdump" -p /tmp/program.exe)
        [[ $table == *"DLL Name: "* ]] || fail "$1: objdump shows no imports of ${file##*/}"
        others=$(sed -n 's/.*DLL Name: //p' <<<"$table" |
            tr '[:upper:]' '[:lower:]' | sort -u |
            grep -vE '^(advapi32|api-ms-win-core-.*|bcrypt|bcryptprimitives|gdi32|iphlpapi|kernel32|msvcrt|ntdll|ole32|oleaut32|psapi|shell32|user32|userenv|ws2_32)\.dll$' || true)
        [ -z "$others" ] || fail "$1: ${file##*/} needs $others beside it"
    done
}

# Makes the system with wine, and copies the programs into it. Their random numbers come from a
# library that wine 8 lacks: one function of it, over another that wine has.
prepare_wine() {
    case $2 in
    wine64) make_system wine64 amd64 wine64 ;;
    wine32) make_system wine32 i386 wine32 ;;
    esac
    rm -rf "${systems:?}/$2/alesia"
    mkdir -p "$systems/$2/alesia"
    cp "$unpacked/$1"/*.exe "$systems/$2/alesia/"
    cp tools/checks/bcryptprimitives.c "$systems/build/tmp/"
    in_system build "$3-gcc" -shared -O1 -Wl,--kill-at -o /tmp/bcryptprimitives.dll \
        /tmp/bcryptprimitives.c -ladvapi32
    cp "$systems/build/tmp/bcryptprimitives.dll" "$systems/$2/alesia/"
    # The first start makes wine's folders, which takes a while.
    program "$1" alesia --version >/dev/null 2>&1 || true
}

# Begins a line of the table, and ends it.
check() { begun=$SECONDS what=$1; }
passed() { printf '%-18s %-12s %5d s  %s\n' "$archive" "$what" $((SECONDS - begun)) "$*"; }

check_version() {
    local found name
    for name in alesia alesia-lab; do
        [ -e "$unpacked/$archive/$name" ] || [ -e "$unpacked/$archive/$name.exe" ] || continue
        check version
        found=$(program "$archive" "$name" --version)
        [ "$found" = "$name $version" ] ||
            fail "$archive: --version: found $found, expected $name $version"
        passed "$found"
    done
}

check_perft() {
    local game depth expected found
    check perft
    for game in $(grep -v '^#' tests/data/perft.tsv | cut -f1 | sort -u); do
        expected=$(awk -v game="$game" -v most=$most_counted \
            '$1 == game && $3 <= most { print $2, $3 }' tests/data/perft.tsv)
        depth=$(tail -n 1 <<<"${expected% *}" | cut -d' ' -f1)
        found=$(program "$archive" alesia perft "$game" "$depth")
        [ "$found" = "$expected" ] ||
            fail "$archive: perft $game: found ${found//$'\n'/, }, expected ${expected//$'\n'/, }"
    done
    passed "all games, up to $most_counted sequences"
}

check_bench() {
    local engine expected found
    while IFS=$'\t' read -r engine expected <&3; do
        check bench
        found=$(program "$archive" alesia bench --engine "$engine" | sed -n 's/^signature //p')
        [ "$found" = "$expected" ] ||
            fail "$archive: bench --engine $engine: found $found, expected $expected"
        passed "$engine $found"
    done 3<tests/data/bench_signatures.tsv
}

# A whole game under the Linux referee; the program under test is the first to come.
check_game() {
    local log=$unpacked/game-$archive port moves slowest result
    local options=(--game murus --move-time $move_time --threads 1 --memory 64MiB --ponder off)
    check game
    program linux-x86_64 alesia referee --game murus -p 0 -tt $move_time -wt 3 \
        >"$log.referee" 2>"$log.referee-errors" &
    local referee=$!
    trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
    for _ in $(seq 100); do
        port=$(sed -nE 's/^listening on .*:([0-9]+).*/\1/p' "$log.referee")
        [ -z "$port" ] || break
        sleep 0.1
    done
    [ -n "$port" ] || fail "$archive: the referee does not listen; see $log.referee"
    program "$archive" alesia play 127.0.0.1 "$port" "${options[@]}" >"$log.tested" 2>&1 &
    local tested=$!
    sleep 2
    program linux-x86_64 alesia play 127.0.0.1 "$port" "${options[@]}" >"$log.linux" 2>&1 &
    local linux=$!
    wait $tested || fail "$archive: the player ended with status $?; see $log.tested"
    wait $linux || fail "$archive: the Linux player ended with status $?; see $log.linux"
    wait $referee || fail "$archive: the referee ended with status $?; see $log.referee"
    trap - EXIT
    result=$(sed -n 's/^result: //p' "$log.referee")
    [[ $result =~ \((home row reached|no legal move|move limit)\)$ ]] ||
        fail "$archive: result: found $result, expected an end by the rules; see $log.referee"
    read -r moves slowest < <(sed -nE 's/.* ([0-9]+) ms$/\1/p' "$log.referee" |
        sort -n | awk '{ slowest = $1 } END { print NR, slowest }')
    ((moves > 0 && slowest <= move_time)) ||
        fail "$archive: found $moves moves, the slowest $slowest ms; expected $move_time ms at most"
    passed "$moves moves, the slowest $slowest ms of $move_time; result: $result"
}

need_machine
[ -e $archives/SHA256SUMS ] ||
    fail "$archives/SHA256SUMS is missing; run tools/release/build.sh first"
(cd $archives && sha256sum --quiet --check SHA256SUMS)
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
[ $# != 0 ] ||
    mapfile -t set < <(sed -nE "s/.* alesia-$version-(.*)\.(zip|tar\.gz)$/\1/p" $archives/SHA256SUMS)
[ $# != 0 ] || set -- "${set[@]}"
for archive in "$@"; do
    [ -e "$archives/alesia-$version-$archive.zip" ] ||
        [ -e "$archives/alesia-$version-$archive.tar.gz" ] ||
        fail "ARCHIVE: there is no $archive in $archives"
done
[ -e "$archives/alesia-$version-linux-x86_64.tar.gz" ] ||
    fail "linux-x86_64 is not in $archives; it is the referee and the opponent"
unpack linux-x86_64
left_out=()
for archive in "$@"; do
    unpack "$archive"
    if [ "$archive" = linux-x86_64-v3 ] && ! grep -qw bmi2 /proc/cpuinfo; then
        echo "$archive: not run, as this processor has no AVX2 and BMI"
        left_out+=("$archive")
        continue
    fi
    check_version
    check_perft
    check_bench
    check_game
done
wheel=$(ls $archives/alesia-"$version"-*x86_64.whl 2>/dev/null || true)
if [ -n "$wheel" ]; then
    check wheel
    archive=$(basename "$wheel")
    tools/checks/wheel.sh "$wheel"
    passed "pip, and pipx and uv where they are"
fi
if [ ${#left_out[@]} = 0 ]; then
    echo "all archives ran: $SECONDS s"
else
    echo "all archives ran but ${left_out[*]}: $SECONDS s"
fi
