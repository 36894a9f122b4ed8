#!/usr/bin/env bash
# Makes the archives and the wheels of a release in target/archives, from the last commit, with
# SHA256SUMS. Needs Debian 12 or a system like it, root and Debian's packages; what is missing is
# said in one line.
#
#   apt-get install debootstrap git python3 unzip zip
#   tools/release/build.sh [--again] [--quick] [ARCHIVE...]
#   tools/checks/release.sh
#
# ARCHIVE   linux-x86_64, linux-x86_64-v3, windows-x86_64, windows-i686; by default all. Each but v3
#           has a wheel (wheel.py).
# --again   builds everything once more in other folders, from nothing, and compares the bytes
# --quick   for a trial: the player alone, not linked as one unit, which gives the same moves
#
# Compilers are Debian's, in a system of its own in target/systems (3 GB): the same for everybody,
# and the only ones that come with the source of Rust's library, which is compiled here for Windows.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/release/system.sh

again=no quick=no
while [[ ${1:-} == --* ]]; do
    case $1 in
    --again) again=yes ;;
    --quick) quick=yes ;;
    *) fail "OPTION: found $1, expected --again or --quick" ;;
    esac
    shift
done
[ $# != 0 ] || set -- linux-x86_64 linux-x86_64-v3 windows-x86_64 windows-i686

programs=(alesia alesia-lab)
# Debug information would contain the names of folders, and be most of the bytes.
settings=(CARGO_PROFILE_DIST_DEBUG=0 CARGO_PROFILE_DIST_STRIP=symbols)
if [ $quick = yes ]; then
    programs=(alesia)
    settings+=(CARGO_PROFILE_DIST_LTO=off CARGO_PROFILE_DIST_CODEGEN_UNITS=16)
fi
# Where the compilers find everything, inside the system.
place=/build
archives=$PWD/target/archives

target_of() {
    case $1 in
    linux-x86_64 | linux-x86_64-v3) echo x86_64-unknown-linux-gnu ;;
    windows-x86_64) echo x86_64-pc-windows-gnu ;;
    windows-i686) echo i686-pc-windows-gnu ;;
    *)
        fail "ARCHIVE: found $1, expected linux-x86_64, linux-x86_64-v3, windows-x86_64 or" \
            "windows-i686"
        ;;
    esac
}

# A command of Rust in the system. The names of folders do not get into the programs.
rust() {
    in_system build "CARGO_HOME=/build/cargo" "SOURCE_DATE_EPOCH=$epoch" \
        "CARGO_TARGET_DIR=$place/target/$name" CARGO_INCREMENTAL=0 ${bootstrap:+RUSTC_BOOTSTRAP=1} \
        "${settings[@]}" "RUSTFLAGS=$flags" nice -n 19 "$@"
}

# Where the source of Rust's library is, in the system.
library() {
    in_system build readlink -f /usr/lib/rustlib/src/rust
}

# Two objects that programs for 32-bit Windows begin and end with, which Rust ships compiled.
begin_and_end() {
    local object
    in_system build mkdir -p "$place/startup"
    for object in rsbegin rsend; do
        bootstrap=1 rust rustc --target i686-pc-windows-gnu --emit=obj \
            -o "$place/startup/$object.o" "$(library)/library/rtstartup/$object.rs"
    done
}

# Compiles the programs of an archive: `compile ARCHIVE`.
compile() {
    local name=$1 target bootstrap='' standard=() program
    target=$(target_of "$1")
    local flags="--remap-path-prefix=$place/source=alesia --remap-path-prefix=/build/cargo=cargo"
    flags+=" --remap-path-prefix=$place/target=target --remap-path-prefix=$(library)=rust"
    [ "$name" != linux-x86_64-v3 ] || flags+=" -Ctarget-cpu=x86-64-v3"
    if [[ $target == *windows* ]]; then
        bootstrap=1
        standard=(-Zbuild-std=std,panic_unwind)
    fi
    if [ "$name" = windows-i686 ]; then
        begin_and_end
        flags+=" -Lnative=$place/startup"
    fi
    for program in "${programs[@]}"; do
        rm -f "$(compiled "$name" "$program")"
        rust cargo build --quiet --locked --manifest-path "$place/source/Cargo.toml" \
            --profile dist --target "$target" "${standard[@]}" -p "$program" --bins ||
            without "$name" "$program"
    done
    ! has_wheel "$name" ||
        rust cargo build --quiet --locked --manifest-path "$place/source/Cargo.toml" \
            --profile dist --target "$target" "${standard[@]}" -p alesia-python ||
        without "$name" alesia-python
}

# Whether there is a wheel beside an archive.
has_wheel() {
    [ $quick = no ] && [ "$1" != linux-x86_64-v3 ]
}

# Makes it: `make_wheel ARCHIVE`.
make_wheel() {
    local built
    built=$(dirname "$(compiled "$1" alesia)")
    SOURCE_DATE_EPOCH=$epoch "$systems/build$place/source/tools/release/wheel.py" \
        "$(target_of "$1")" "$built" "$work/pages/THIRD-PARTY-LICENCES.txt" "$archives" || without "$1" alesia-python
}

# The lab and the wheel may be missing for Windows; the player never.
without() {
    [[ $1 == windows* && $2 != alesia ]] || fail "$1: $2 was not built; the compiler says why"
    echo "$1: without $2, which was not built; the compiler says why" >&2
}

# Where an archive's compiled program is: `compiled ARCHIVE PROGRAM`.
compiled() {
    local suffix=
    [[ $1 != windows* ]] || suffix=.exe
    echo "$systems/build$place/target/$1/$(target_of "$1")/dist/$2$suffix"
}

# Manual pages and completions, which the portable program for Linux prints; and the licences of all
# libraries that are compiled into an archive or a wheel.
describe() {
    local pages=$1 program shell suffix
    mkdir -p "$pages/man" "$pages/completions"
    for program in "${programs[@]}"; do
        "$(compiled linux-x86_64 "$program")" man --out "$pages/man"
        for shell in bash zsh fish elvish powershell; do
            case $shell in powershell) suffix=ps1 ;; elvish) suffix=elv ;; *) suffix=$shell ;; esac
            "$(compiled linux-x86_64 "$program")" completions $shell \
                >"$pages/completions/$program.$suffix"
        done
    done
    local name=linux-x86_64 flags='' bootstrap=''
    rust cargo tree --quiet --locked --manifest-path "$place/source/Cargo.toml" --target all \
        --edges normal --prefix none --format '{p} {l}' -p alesia -p alesia-lab -p alesia-python |
        tools/release/licences.sh "$systems"/build/build/cargo/registry/src/* \
            >"$pages/THIRD-PARTY-LICENCES.txt"
}

# Packs one archive, the same bytes whenever it is made: `pack ARCHIVE FOLDER-OF-PAGES`.
pack() {
    local name=alesia-$version-$1 staging=$work/staging/$1 program
    mkdir -p "$staging/$name"
    for program in "${programs[@]}"; do
        [ ! -e "$(compiled "$1" "$program")" ] || cp "$(compiled "$1" "$program")" "$staging/$name/"
    done
    cp -r "$2/." "$staging/$name/"
    git archive "$commit" README.md LICENSE CHANGELOG.md CONTRIBUTING.md docs examples \
        benches/results tools/browser/screenshots | tar -x -C "$staging/$name"
    chmod -R u=rwX,go=rX "$staging"
    find "$staging" -exec touch --no-dereference --date="@$epoch" {} +
    (
        cd "$staging"
        if [[ $1 == windows* ]]; then
            # Without extra fields, which have times in other units; entries in one order.
            find "$name" -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$archives/$name.zip" -@
        else
            tar -c --sort=name --format=gnu --owner=0 --group=0 --numeric-owner "$name" |
                gzip -n -9 >"$archives/$name.tar.gz"
        fi
    )
}

# Builds the archives named, all of them with what the portable program prints.
build() {
    local name begun
    in_system build rm -rf "$place/source"
    mkdir -p "$systems/build$place/source"
    # With the time of now, so that cargo sees what has changed since the last build.
    git archive "$commit" | tar -x -m -C "$systems/build$place/source"
    for name in linux-x86_64 "${names[@]}"; do
        [ "$name" != linux-x86_64 ] || [ -z "${portable:-}" ] || continue
        [ "$name" != linux-x86_64 ] || local portable=built
        begun=$SECONDS
        compile "$name"
        echo "$name: compiled in $((SECONDS - begun)) s"
    done
    rm -rf "$archives" "$work"
    mkdir -p "$archives" "$work/pages"
    describe "$work/pages"
    for name in "${names[@]}"; do
        pack "$name" "$work/pages"
        ! has_wheel "$name" || make_wheel "$name"
    done
    (cd "$archives" && sha256sum -- alesia-* >SHA256SUMS)
    rm -rf "$work"
}

for name in "$@"; do
    target_of "$name" >/dev/null
done
names=("$@")
need_machine
need python3 python3
commit=$(git rev-parse HEAD)
epoch=$(git log -1 --format=%ct "$commit")
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
work=$PWD/target/release-files
[ -z "$(git status --porcelain --untracked-files=no)" ] ||
    echo "build.sh: changes that are not committed are left out" >&2

make_system build amd64 rustc-web cargo-web rust-web-src libc6-dev \
    gcc-mingw-w64-x86-64-win32 gcc-mingw-w64-i686-win32
in_system build rustc --version
build
if [ $again = yes ]; then
    cp "$archives/SHA256SUMS" target/SHA256SUMS.first
    # Like /build behind the libraries' /build/cargo: what programs for Windows import is sorted by
    # the path that it comes from.
    place=/second
    in_system build rm -rf $place
    build
    in_system build rm -rf $place
    cmp target/SHA256SUMS.first "$archives/SHA256SUMS" ||
        fail "the second build differs from the first: found other sums in target/SHA256SUMS.first"
    echo "the same bytes when made twice"
fi
(cd "$archives" && du -b -- alesia-* && cat SHA256SUMS)
