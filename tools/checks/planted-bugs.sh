#!/usr/bin/env bash
# Shows what the checks of run.sh are worth: plants one bug after another in a copy of the source
# tree and demands that the check finds it.
#
#   tools/checks/planted-bugs.sh [loom] [tsan] [miri]     (all three by default)
#
# Miri is skipped where it is not installed, with a message, as in run.sh.
#
# loom finds every bug below. Miri finds publication with Relaxed, by stale reads. ThreadSanitizer
# knows no stale reads: it looks for data races, and there are none among atomics, with any of their
# orderings. So for it (and for Miri once more) the moves of the children are first written without
# an atomic. That is no bug as long as publication orders it, and they must be content with it; with
# publication Relaxed they must object.
set -euo pipefail
cd "$(dirname "$0")/../.."

root=$PWD
copy=$root/target/planted/source
log=$root/target/planted/log
export CHECK_TARGET=$root/target/planted

fresh_copy() {
    rm -rf "$copy"
    mkdir -p "$copy"
    tar -cf - --exclude=./target --exclude=./.git . | tar -xmf - -C "$copy"
}

# plant FILE EXPRESSION: changes a file of the copy by sed; it must change.
plant() {
    local file=$copy/src/search/mcts/$1
    cp "$file" "$log.before"
    sed -i -E "$2" "$file"
    if cmp -s "$file" "$log.before"; then
        echo "nothing in $1 to plant the bug in: $2" >&2
        exit 1
    fi
}

# finds CHECK PATTERN NAME [MODEL]: the check must fail on the copy, for the reason in the pattern.
# Only one model is run, as the others may have far more orders than in sound code.
finds() {
    if CHECK_MODEL=${4:-} "$copy/tools/checks/run.sh" "$1" >"$log" 2>&1; then
        echo "$1 does NOT find: $3" >&2
        exit 1
    fi
    if ! grep -qE "$2" "$log"; then
        tail -n 30 "$log" >&2
        echo "$1 fails for another reason: $3" >&2
        exit 1
    fi
    echo "$1 finds: $3 ($(grep -cE "$2" "$log") reports)"
}

relaxed_publication() {
    plant node.rs 's/(self\.link\.store\(.*, Ordering::)Release/\1Relaxed/'
}

moves_without_atomics() {
    plant node.rs 's/self\.to_here\.store\((to_here.*), Ordering::Relaxed\);/unsafe { self.to_here.as_ptr().write(\1) };/'
}

bugs_for_loom() {
    local failed='panicked at'
    fresh_copy
    relaxed_publication
    finds loom "$failed" "children published with Relaxed" one_thread_makes
    fresh_copy
    plant node.rs 's/self\.link\.load\(Ordering::Acquire\)/self.link.load(Ordering::Relaxed)/'
    finds loom "$failed" "children read with Relaxed" one_thread_makes
    fresh_copy
    plant node.rs 's/(self\.next\.store\(.*, Ordering::)Release/\1Relaxed/'
    finds loom "$failed" "the next group of children published with Relaxed" one_thread_makes_the_next
    fresh_copy
    plant node.rs 's/self\.next\.load\(Ordering::Acquire\)/self.next.load(Ordering::Relaxed)/'
    finds loom "$failed" "the next group of children read with Relaxed" one_thread_makes_the_next
    fresh_copy
    plant node.rs 's/self\.stats\.fetch_add\(amount, Ordering::Relaxed\)/self.add::<true>(amount)/'
    finds loom "$failed" "statistics added by a load and a store" statistics
    fresh_copy
    plant backup.rs 's/^ *fence\(Ordering::SeqCst\);//'
    finds loom "$failed" "no fence between a proof and the look at the siblings" trees::two_workers_that_prove_the_last
    fresh_copy
    plant tree.rs 's/next\.fetch_add\((.*), Ordering::Relaxed\);/{ let taken = next.load(Ordering::Relaxed); next.store(taken + \1, Ordering::Relaxed); taken };/'
    finds loom "$failed" "blocks taken by a load and a store" no_block
    fresh_copy
    plant expand.rs 's/^ *node\.unclaim\(\);//'
    finds loom "$failed" "a claim left behind in a full pool" trees::a_full_pool
    fresh_copy
    plant expand.rs 's/^ *last\.unclaim_next\(\);//'
    finds loom "$failed" "a claim of the next group left behind in a full pool" trees::a_full_pool
    fresh_copy
    plant node.rs 's/(self\.link\.store\(link, Ordering::)Release/\1Relaxed/'
    finds loom "$failed" "another node's children taken with Relaxed" children_of_another_node
    fresh_copy
    plant transpositions.rs 's/(slot\.(check|node)\.store\(.*, Ordering::)Release/\1Relaxed/'
    finds loom "$failed" "a node stored in the table of positions with Relaxed" a_node_that_is_found
    fresh_copy
    plant transpositions.rs 's/slot\.(check|node)\.load\(Ordering::Acquire\)/slot.\1.load(Ordering::Relaxed)/'
    finds loom "$failed" "a node found in the table of positions with Relaxed" a_node_that_is_found
    fresh_copy
    plant compaction.rs 's/(self\.pending\.fetch_sub\(1, Ordering::)AcqRel/\1Relaxed/'
    finds loom "$failed" "the last to copy a tree does not see what others have copied" copies::two_workers_copy_a_tree
}

# bugs_for_race_detectors CHECK PATTERN
bugs_for_race_detectors() {
    fresh_copy
    moves_without_atomics
    if ! CHECK_MODEL=one_thread_makes "$copy/tools/checks/run.sh" "$1" >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        echo "$1 objects to moves that are published in order" >&2
        exit 1
    fi
    relaxed_publication
    finds "$1" "$2" "children published with Relaxed, their moves written without an atomic" \
        one_thread_makes
}

for check in "${@:-loom tsan miri}"; do
    for one in $check; do
        case $one in
        loom) bugs_for_loom ;;
        tsan)
            if ! rustc -vV | grep -q '^host: x86_64-unknown-linux-gnu$'; then
                echo "not on x86_64-unknown-linux-gnu: skipped"
                continue
            fi
            bugs_for_race_detectors tsan 'WARNING: ThreadSanitizer: data race'
            ;;
        miri)
            if ! cargo +nightly miri --version >/dev/null 2>&1; then
                echo "no nightly toolchain with Miri: skipped"
                continue
            fi
            fresh_copy
            relaxed_publication
            finds miri 'panicked at' "children published with Relaxed" one_thread_makes
            bugs_for_race_detectors miri 'Data race detected'
            ;;
        esac
    done
done
