#!/usr/bin/env bash
# Measures the tree search on a machine with many cores, in one command of at most 10 minutes, and
# writes a page with charts. It asks nothing, and ends in time even if a step fails; then its status
# is 1. On fewer than 8 cores it measures fewer cases, and says so.
#
#   tools/checks/many-cores.sh [--out DIR] [--time SECONDS] [--bin DIR]
#
#   --out DIR       folder for the page and the measurements; those of an earlier run are replaced
#                   [default: target/many-cores]
#   --time SECONDS  time of all steps together, from 40 on [default: 540]; building is not counted
#   --bin DIR       folder with the programs alesia and alesia-lab; without it they are built
#
# host      cores, memory, kernel, NUMA nodes: host.txt
# trees     whole games with twice as many threads as cores, little memory and pondering: every
#           answer must be a legal move
# scale     for each game, speed, contention and the time for keeping the trees after a move, for
#           1, 2, 4 ... all threads, each with 1, 2, 4 ... trees; every tree is checked
# large     with 64 GiB of memory, the same for one tree with room for 8 GiB of nodes, all threads
# deadline  100 ms a move, while a busy process on each core competes with the players: none late
# games     games at equal time, all cores against half of them, in the time that is left
# page      index.html, of everything that was measured
set -euo pipefail

begun=$PWD
usage() {
    sed -nE '/^#   tools/,/^# host/{/^# host/!s/^# {0,3}//p}' "${BASH_SOURCE[0]}" >&2
    exit 2
}

# absolute PATH: from where the command was given.
absolute() {
    case $1 in
    /*) echo "$1" ;;
    *) echo "$begun/$1" ;;
    esac
}

out='' time=540 bin=''
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --out) out=$(absolute "$2") ;;
    --time) time=$2 ;;
    --bin) bin=$(absolute "$2") ;;
    *) usage ;;
    esac
    shift 2
done
if ! [[ $time =~ ^[0-9]{1,6}$ ]] || ((10#$time < 40)); then
    echo "--time: found $time, expected whole seconds from 40 on" >&2
    exit 2
fi
time=$((10#$time))
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=${out:-$PWD/target/many-cores}
if [ -z "$bin" ]; then
    # Linking everything in one piece would only take time here.
    CARGO_PROFILE_RELEASE_LTO=off cargo build --release --locked -p alesia -p alesia-lab
    bin=$(realpath "${CARGO_TARGET_DIR:-target}")/release
fi
for program in alesia alesia-lab; do
    if ! [ -x "$bin/$program" ]; then
        echo "--bin: found no $program in $bin, expected the programs alesia and alesia-lab" >&2
        exit 2
    fi
done
lab=$bin/alesia-lab

start=$SECONDS
end=$((start + time))
games=(murus hadron loa voidrider)
gibibyte=$((1 << 30))
failed=()
mkdir -p "$out"
rm -f "$out"/{host,log}.txt "$out"/{trees,large,deadline}.jsonl "$out"/{scale,match}-*.jsonl \
    "$out/index.html" "$out"/match-*.jsonl.lock
current=''
trap '[ -z "$current" ] || kill "$current"; exit 130' INT TERM

# Seconds until the page is begun.
left() {
    echo $((end - SECONDS - 8))
}

# What is said goes to log.txt too.
say() {
    printf '%s\n' "$*" | tee -a "$out/log.txt"
}

# step NAME SECONDS COMMAND...: runs a command for at most so long; returns its status, 124 if its
# time was up.
step() {
    local name=$1 limit=$2 status=0 most
    shift 2
    most=$(left)
    [ "$limit" -le "$most" ] || limit=$most
    if [ "$limit" -lt 1 ]; then
        say "== $name: no time left"
        return 125
    fi
    say "== $name, at most $limit s"
    # To a file: a pipe would stay open as long as a process that outlives its parent.
    timeout --kill-after=5 "$limit" "$@" </dev/null >"$out/step.txt" 2>&1 &
    current=$!
    wait "$current" || status=$?
    current=''
    tee -a "$out/log.txt" <"$out/step.txt"
    rm -f "$out/step.txt"
    return "$status"
}

# must NAME SECONDS COMMAND...: a step that must succeed; the others run even if it does not.
must() {
    local status=0
    step "$@" || status=$?
    if [ "$status" != 0 ]; then
        say "-- $1 failed with status $status"
        failed+=("$1")
    fi
}

# Bytes of memory that can be had, by the system and by control groups.
memory_available() {
    local least limit
    least=$((1024 * $(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)))
    for limit in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
        if [ -r "$limit" ] && limit=$(<"$limit") && [[ $limit =~ ^[0-9]+$ ]]; then
            least=$((limit < least ? limit : least))
        fi
    done
    echo "$least"
}

describe_host() {
    uname -srm
    echo "cores for programs: $cores; of the machine: $(getconf _NPROCESSORS_ONLN)"
    echo "memory available: $((memory / gibibyte)) GiB"
    grep -E '^(MemTotal|HugePages_Total):' /proc/meminfo
    if command -v lscpu >/dev/null; then
        lscpu | grep -E '^(Model name|Thread|Core|Socket|CPU max|L[123]|NUMA)' || true
    fi
    local node
    for node in /sys/devices/system/node/node[0-9]*; do
        if [ -r "$node/cpulist" ]; then
            echo "${node##*/}: cores $(<"$node/cpulist"), $(awk '/MemTotal/ { print $4, $5 }' \
                "$node/meminfo")"
        fi
    done
    if [ -r /sys/fs/cgroup/cpu.max ]; then
        echo "cpu.max of the control group: $(</sys/fs/cgroup/cpu.max)"
    fi
    uptime
}

# Searches of a grid: a case for each pair of doublings.
count_cases() {
    local threads=1 doublings=1
    cases=1
    while ((threads < cores)); do
        threads=$((2 * threads)) doublings=$((doublings + 1)) cases=$((cases + doublings))
    done
}

# A search costs about three times its time: memory is taken before, and trees are checked after it.
measure_scale() {
    local budget=$((time * 35 / 100 / ${#games[@]})) rounds=3 search game
    count_cases
    search=$((1000 * budget / (3 * rounds * cases)))
    search=$((search > 500 ? 500 : search < 20 ? 20 : search))
    for game in "${games[@]}"; do
        must "scale $game" $((2 * budget)) "$lab" stress scale --game "$game" --grid \
            --threads "$cores" --rounds "$rounds" --time "$search" --memory "$grid_memory" \
            --json "$out/scale-$game.jsonl"
    done
}

# A quarter of the memory is left free by a search: 8.25 GiB are for nodes. In Murus Gallicus the
# largest part of a tree is kept.
measure_large_tree() {
    if ((memory < 64 * gibibyte || cores < 8)); then
        say "== large: left out, as it needs 64 GiB of memory and 8 cores"
        return
    fi
    must large $((time / 3)) "$lab" stress scale --game murus --threads "$cores" --trees 1 \
        --rounds 1 --time $((1000 * time / 9)) --memory 11GiB --json "$out/large.jsonl"
}

# Whether a match file has a game below its head.
has_games() {
    [ -r "$1" ] && [ "$(wc -l <"$1")" -gt 1 ]
}

# play NAME SECONDS GAME FILE ENGINE ENGINE: games in one process, one after the other, so that all
# cores serve one search. A match of unknown length is ended by its time. An engine is a line of
# settings, separated by semicolons.
play() {
    local name=$1 share=$2 game=$3 file=$4 status=0 first second openings=()
    IFS=';' read -ra first <<<"$5"
    IFS=';' read -ra second <<<"$6"
    if [ -r "benches/openings/$game.txt" ]; then
        openings=(-openings "file=benches/openings/$game.txt" order=random)
    fi
    step "$name" "$share" "$lab" match -game "$game" -engine "${first[@]}" -engine "${second[@]}" \
        -each st=0.1 "option.threads=$cores" "option.memory=$game_memory" -rounds 500 -srand 1 \
        -concurrency 1 "${openings[@]}" -resign score=600 movecount=3 twosided=true \
        -config "file=$file" || status=$?
    if [ "$status" = 0 ] || { [ "$status" = 124 ] && has_games "$file"; }; then
        return
    elif [ "$status" = 124 ] && ((share < 30)); then
        say "-- $share s were too short for a game of $game"
    else
        say "-- $name failed with status $status"
        failed+=("$name")
    fi
}

play_games() {
    local game half=$((cores / 2)) matches=${#games[@]}
    if ((half < 1)); then
        say "== games: left out, as they need 2 cores"
        return
    fi
    for game in "${games[@]}"; do
        play "games of $game, $cores threads against $half" $(($(left) / matches)) "$game" \
            "$out/match-$game.jsonl" "name=all cores ($cores)" \
            "name=half of them ($half);option.threads=$half"
        matches=$((matches - 1))
    done
}

write_page() {
    local files=() file
    for file in "$out"/scale-*.jsonl "$out"/{large,deadline,trees}.jsonl "$out"/match-*.jsonl; do
        [ ! -s "$file" ] || files+=("$file")
    done
    [ ${#files[@]} -gt 0 ] || { failed+=(page) && return; }
    timeout 40 "$lab" report "${files[@]}" --out "$out/index.html" </dev/null 2>&1 |
        tee -a "$out/log.txt" || failed+=(page)
}

# The cores as the programs see them, who know affinity and control groups.
cores=$(timeout 30 "$lab" stress scale --game hadron2 --threads 1 --time 1 --rounds 1 \
    --memory 1MiB </dev/null | sed -nE 's/^([0-9]+) cores?,.*/\1/p')
if [ -z "$cores" ]; then
    echo "$lab stress scale: found no number of cores" >&2
    exit 1
fi
memory=$(memory_available)
# A search of the grid is short; half a GiB is enough for it on 16 cores.
grid_mib=$((32 * cores < 512 ? 512 : 32 * cores > 4096 ? 4096 : 32 * cores))
most_mib=$((memory / 8 / 1048576))
grid_memory=$((grid_mib < most_mib ? grid_mib : most_mib))MiB
game_memory=$grid_memory

describe_host | tee "$out/host.txt"
((cores >= 8)) || say "$cores cores: fewer cases than on 8 or more, which this check is for"
must trees $((time / 10)) "$lab" stress trees --seconds $((time / 30)) \
    --threads $((cores > 32 ? 64 : 2 * cores)) --json "$out/trees.jsonl"
measure_scale
measure_large_tree
# A game that has begun is played to its end.
must deadline $((time / 9 + 25)) "$lab" stress deadline --load cpu --busy "$cores" --move-time 100 \
    --moves $((time * 2 / 5)) --player "$bin/alesia" --json "$out/deadline.jsonl"
play_games
write_page

say "$((SECONDS - start)) s; page and measurements: $out"
if [ ${#failed[@]} -gt 0 ]; then
    say "failed: $(printf '%s; ' "${failed[@]}")"
    exit 1
fi
