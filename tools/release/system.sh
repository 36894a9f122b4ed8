# Debian systems in folders of their own, for build.sh and ../checks/release.sh, which source this
# file: nothing is installed in the machine's own system.
#
# The one idea: a command runs inside such a folder (chroot) with mounts of its own, which end with
# it.

systems=$PWD/target/systems
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}

# Prints one line and ends.
fail() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# Checks that a program of the machine is there: its name, and Debian's package.
need() {
    PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null ||
        fail "$1 is not installed; expected Debian's package $2"
}

# What both scripts need of the machine: Debian or a system like it, root, a few programs.
need_machine() {
    [ "$(uname -sm)" = "Linux x86_64" ] || fail "found $(uname -sm), expected Linux x86_64"
    [ "$(id -u)" = 0 ] || fail "not root: only root can make systems in folders (chroot)"
    need debootstrap debootstrap
    need unshare util-linux
    need git git
    need zip zip
    need unzip unzip
    unshare --mount true 2>/dev/null || fail "no mount namespace can be made here (unshare --mount)"
}

# Runs a command in a system, with a clean environment:
# `in_system NAME [VARIABLE=VALUE…] COMMAND…`.
in_system() {
    local root=$systems/$1
    shift
    unshare --mount --propagation private sh -ec '
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" env -i HOME=/root LC_ALL=C TZ=UTC \
            PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' sh "$root" "$@"
}

# Makes a system of Debian 12 unless there is one with the same packages: `make_system NAME
# ARCHITECTURE PACKAGE…`.
make_system() {
    local name=$1 architecture=$2 root=$systems/$1
    shift 2
    [ "$(cat "$root/packages" 2>/dev/null)" != "$*" ] || return 0
    echo "system $name ($architecture): $*"
    mkdir -p "$systems"
    if [ ! -e "$root/debootstrapped" ]; then
        rm -rf --one-file-system "$root"
        unshare --mount --propagation private debootstrap --variant=minbase \
            --include=ca-certificates --arch="$architecture" bookworm "$root" "$mirror/debian" \
            >"$root.log" 2>&1 || fail "debootstrap failed; see target/systems/$name.log"
        touch "$root/debootstrapped"
    fi
    echo "deb $mirror/debian bookworm main" >"$root/etc/apt/sources.list"
    # The compiler comes with the security updates.
    [ "$name" != build ] ||
        echo "deb $mirror/debian-security bookworm-security main" >>"$root/etc/apt/sources.list"
    # A system that can be made again needs no synced writes.
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
    cp /etc/resolv.conf "$root/etc/"
    { in_system "$name" apt-get update &&
        in_system "$name" DEBIAN_FRONTEND=noninteractive apt-get install -y \
            --no-install-recommends "$@" && in_system "$name" apt-get clean; } \
        >>"$root.log" 2>&1 || fail "packages failed ($*); see target/systems/$name.log"
    # With the certificates that only this machine knows, such as those of a company's proxy.
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    echo "$*" >"$root/packages"
}
