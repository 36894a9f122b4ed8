#!/usr/bin/env bash
# The licences of libraries that are compiled in, as text on standard output.
#
#   cargo tree ... --prefix none --format '{p} {l}' | tools/release/licences.sh SOURCES
#
# SOURCES has the folders of the libraries: cargo's registry/src/*.
set -euo pipefail

grep -v '^$\|(/\|(\*)\|(proc-macro)' | sort -u | while read -r library version licence; do
    printf '%s %s: %s\n\n' "$library" "${version#v}" "$licence"
    for folder in "$@"; do
        [ -d "$folder/$library-${version#v}" ] || continue
        find "$folder/$library-${version#v}" -maxdepth 1 -type f \
            \( -iname '*licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) |
            LC_ALL=C sort | xargs -r -d '\n' cat
    done
    printf '\n%s\n\n' "----------------------------------------"
done
