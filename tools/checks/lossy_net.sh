#!/usr/bin/env bash
# Two network namespaces with a wire between them that loses packets, for playing over it.
#
#   tools/checks/lossy_net.sh up LOSS      makes them; LOSS is how packets are lost, each way:
#                                            random N   N of 100, by chance
#                                            every N    each N-th of both ways together, so that
#                                                       no two close to each other are lost
#   tools/checks/lossy_net.sh server COMMAND…   runs a command on the server's side, 10.77.0.1
#   tools/checks/lossy_net.sh player COMMAND…   runs a command on the players' side, 10.77.0.2
#   tools/checks/lossy_net.sh drops        prints the packets lost on the way to the server, to the
#                                          players, and all, lost or not (seen)
#   tools/checks/lossy_net.sh down         removes them, with all that still runs in them
#
# Exit status 77: the machine does not permit it (no root, ip or nft). Linux alone.
set -euo pipefail

server=alesia-server
player=alesia-player

not_permitted() {
    echo "no lossy network here: $1" >&2
    exit 77
}

# The rule is on the server's side, where packets come in and go out.
lose() {
    local chance
    case "$1" in
    random) chance="numgen random mod 100 < $2" ;;
    every) chance="numgen inc mod $2 == 0" ;;
    *) echo "LOSS: found \`$1\`, expected \`random N\` or \`every N\`" >&2 && exit 2 ;;
    esac
    ip netns exec $server nft -f - <<RULES
table ip alesia {
    counter to_server { }
    counter to_players { }
    counter seen { }
    chain lost {
        iifname "wire" counter name "to_server" drop
        oifname "wire" counter name "to_players" drop
    }
    chain loss {
        counter name "seen"
        $chance goto lost
    }
    chain in { type filter hook input priority 0; meta l4proto tcp jump loss; }
    chain out { type filter hook output priority 0; meta l4proto tcp jump loss; }
}
RULES
}

up() {
    [ "$(id -u)" = 0 ] || not_permitted "this needs root"
    command -v ip >/dev/null || not_permitted "ip (iproute2) is not installed"
    command -v nft >/dev/null || not_permitted "nft (nftables) is not installed"
    down
    ip netns add $server 2>/dev/null || not_permitted "no network namespace can be made"
    ip netns add $player
    if ! ip -n $server link add wire type veth peer name wire netns $player 2>/dev/null; then
        down
        not_permitted "no pair of virtual interfaces can be made"
    fi
    ip -n $server address add 10.77.0.1/24 dev wire
    ip -n $player address add 10.77.0.2/24 dev wire
    local side
    for side in $server $player; do
        ip -n $side link set lo up
        ip -n $side link set wire up
    done
    if ! lose "$@"; then
        down
        not_permitted "nft takes no such rules"
    fi
}

down() {
    local side
    for side in $server $player; do
        if ip netns list 2>/dev/null | grep -q "^$side\b"; then
            ip netns pids $side | xargs -r kill -9 2>/dev/null || true
            ip netns delete $side
        fi
    done
}

drops() {
    local counter
    for counter in to_server to_players seen; do
        ip netns exec $server nft list counter ip alesia $counter |
            sed -nE "s/.*packets ([0-9]+) .*/$counter \1/p"
    done
}

command=${1:-}
[ $# = 0 ] || shift
case "$command" in
up) up "$@" ;;
server) exec ip netns exec $server "$@" ;;
player) exec ip netns exec $player "$@" ;;
drops) drops ;;
down) down ;;
*) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2 && exit 2 ;;
esac
