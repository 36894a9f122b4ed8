#!/usr/bin/env bash
# Checks `--numa` in a virtual machine with two NUMA nodes, three processors on one and one on the
# other: each thread may run on its tree's node alone, and each tree's memory lies there. It takes
# half a minute, and says nothing of speed, as QEMU imitates the nodes. Needs qemu-system-x86_64,
# busybox (static) and cpio.
#
#   tools/checks/numa.sh [--kernel FILE] [--bin DIR]
#
#   --kernel FILE  a Linux kernel for x86-64 with NUMA and initramfs [default: the newest in /boot]
#   --bin DIR      folder with the programs alesia and alesia-lab [default: they are built]
set -euo pipefail
begun=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
    sed -nE '/^#   tools/,/^set/{/^set/!s/^# {0,3}//p}' "tools/checks/numa.sh" >&2
    exit 2
}

kernel='' bin=''
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --kernel) kernel=$(cd "$begun" && realpath "$2") ;;
    --bin) bin=$(cd "$begun" && realpath "$2") ;;
    *) usage ;;
    esac
    shift 2
done
if [ -z "$kernel" ]; then
    kernel=$(find /boot -name 'vmlinuz-*' | sort -V | tail -n 1)
    [ -n "$kernel" ] || { echo "/boot: found no vmlinuz-*, expected --kernel FILE" >&2; exit 1; }
fi
for tool in qemu-system-x86_64 busybox cpio; do
    command -v $tool >/dev/null || { echo "$tool: found none, expected it in PATH" >&2; exit 1; }
done
if [ -z "$bin" ]; then
    cargo build --release --locked --quiet -p alesia -p alesia-lab
    bin=${CARGO_TARGET_DIR:-target}/release
fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/files/{bin,proc,sys,dev,tmp}
cp "$(command -v busybox)" "$bin"/{alesia,alesia-lab} "$root/files/bin/"
# The programs' libraries, at the same paths.
ldd "$bin/alesia" "$bin/alesia-lab" | grep -o '/[^ ]*\.so[^ ]*' | sort -u | while read -r library; do
    mkdir -p "$root/files$(dirname "$library")"
    cp -L "$library" "$root/files$library"
done

# What the machine does: a search of four threads that is looked at while it runs, and searches
# whose trees are checked. Each fact is a line of its own.
cat >"$root/files/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
alesia search --game murus --numa --trees 3 --threads 4 --memory 64MiB \
    --time 60000 >/dev/null &
sleep 8
for task in /proc/$!/task/*; do
    echo "fact thread $(cat $task/comm): $(awk '/^Cpus_allowed_list/ { print $2 }' $task/status)"
done
# The nodes of the trees, 64 MiB, and their tables of positions, 4 MiB: two trees of three are on
# the first NUMA node. The programs have no other memory of that size.
awk '{ n0 = n1 = 0
       for (i = 3; i <= NF; i++) {
           if ($i ~ /^N0=/) n0 = substr($i, 4)
           if ($i ~ /^N1=/) n1 = substr($i, 4)
       }
       if ($0 ~ /anon=/ && n0 + n1 >= 512) print "fact pages " n0 " " n1 }' /proc/$!/numa_maps
kill $!
alesia-lab stress scale --game murus --numa --threads 4 --rounds 1 --time 4000 --memory 16MiB |
    sed 's/^/fact scale /'
echo "fact end"
poweroff -f
INIT
chmod +x "$root/files/init"
(cd "$root/files" && find . | cpio -o -H newc --quiet | gzip -1) >"$root/initramfs"

timeout 300 qemu-system-x86_64 -accel tcg,thread=multi -cpu max -nographic -no-reboot -m 1536 -smp 4 \
    -object memory-backend-ram,id=m0,size=768M -object memory-backend-ram,id=m1,size=768M \
    -numa node,nodeid=0,cpus=0-2,memdev=m0 -numa node,nodeid=1,cpus=3,memdev=m1 \
    -kernel "$kernel" -initrd "$root/initramfs" -append "console=ttyS0 quiet panic=-1" \
    </dev/null | tr -d '\r' >"$root/console" || true
sed -n 's/^.*fact //p' "$root/console" | tee "$root/facts"

failed=0
# expect WHAT PATTERN COUNT: as many facts fit the pattern.
expect() {
    local found
    found=$(grep -cE "$2" "$root/facts" || true)
    [ "$found" = "$3" ] || { echo "$1: found $found, expected $3" >&2; failed=1; }
}
expect "threads on the node of three processors" '^thread worker [0-9]+: 0-2$' 3
expect "threads on the node of one processor" '^thread worker [0-9]+: 3$' 1
expect "the watcher, which runs anywhere" '^thread alesia: 0-3$' 1
expect "nodes of two trees and of one" '^pages 1[01][0-9]{3} 5[0-9]{3}$' 1
expect "tables of two trees and of one" '^pages 6[0-9][0-9] 3[0-9][0-9]$' 1
expect "sound trees" '^scale all trees valid$' 1
expect "the end" '^end$' 1
[ $failed = 0 ] || tail -n 20 "$root/console" >&2
exit $failed
