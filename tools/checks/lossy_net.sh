#!/usr/bin/env bash
# Two network namespaces and a third between them that forwards packets and drops some: neither side
# notices a loss except by waiting.
#
#   tools/checks/lossy_net.sh up LOSS      makes them; LOSS is how packets are lost, each way:
#                                            random N   N of 100, by chance
#                                            every N    each N-th of both ways together, so that
#                                                       no two close to each other are lost
#   tools/checks/lossy_net.sh server COMMAND…   runs a command on the server's side, 10.77.0.1
#   tools/checks/lossy_net.sh player COMMAND…   runs a command on the players' side, 10.77.1.1
#   tools/checks/lossy_net.sh drops        prints the packets lost towards the server, towards the
#                                          players, and all, lost or not (seen)
#   tools/checks/lossy_net.sh down         removes them, with all that still runs in them
#
# No packet of a connection is lost before the first message. Otherwise the sender would measure the
# second until its repetition as the usual round trip, and wait a second or more for each packet
# lost soon after.
#
# Exit status 77: the machine does not permit it (no root, ip or nft). Linux alone.
set -euo pipefail

server=alesia-server
player=alesia-player
between=alesia-between

not_permitted() {
    down
    echo "no lossy network here: $1" >&2
    exit 77
}

# The condition of nft's under which a packet is lost.
condition() {
    if [[ ${2:-} =~ ^[1-9][0-9]*$ ]]; then
        case $1 in
        random) echo "numgen random mod 100 < $2" && return ;;
        every) echo "numgen inc mod $2 == 0" && return ;;
        esac
    fi
    echo "LOSS: found \`$*\`, expected \`random N\` or \`every N\`, N from 1 on" >&2
    exit 2
}

lose() {
    ip netns exec $between nft -f - <<RULES
table ip alesia {
    counter to_server { }
    counter to_players { }
    counter seen { }
    chain lost {
        oifname "server" counter name "to_server" drop
        oifname "player" counter name "to_players" drop
    }
    chain loss {
        type filter hook forward priority 0;
        tcp flags & psh == psh ct mark set 1
        ct mark != 1 accept
        counter name "seen"
        $1 goto lost
    }
}
RULES
}

# Ties a side to the middle, whose end is called after the side.
tie() {
    local side=$1 namespace=$2 network=$3
    ip -n $between link add "$side" type veth peer name wire netns "$namespace" &&
        ip -n $between address add "$network.254/24" dev "$side" &&
        ip -n $between link set "$side" up &&
        ip -n "$namespace" address add "$network.1/24" dev wire &&
        ip -n "$namespace" link set lo up &&
        ip -n "$namespace" link set wire up &&
        ip -n "$namespace" route add default via "$network.254"
}

up() {
    local lost namespace
    lost=$(condition "$@")
    [ "$(id -u)" = 0 ] || not_permitted "this needs root"
    command -v ip >/dev/null || not_permitted "ip (iproute2) is not installed"
    command -v nft >/dev/null || not_permitted "nft (nftables) is not installed"
    down
    for namespace in $between $server $player; do
        ip netns add $namespace 2>/dev/null || not_permitted "no network namespace can be made"
    done
    tie server $server 10.77.0 && tie player $player 10.77.1 ||
        not_permitted "no pairs of virtual interfaces can be made"
    ip netns exec $between sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward' ||
        not_permitted "no packets can be passed on"
    lose "$lost" || not_permitted "nft takes no such rules"
}

down() {
    local side
    for side in $server $player $between; do
        if ip netns list 2>/dev/null | grep -q "^$side\b"; then
            ip netns pids $side | xargs -r kill -9 2>/dev/null || true
            ip netns delete $side
        fi
    done
}

drops() {
    local counter
    for counter in to_server to_players seen; do
        ip netns exec $between nft list counter ip alesia $counter |
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
