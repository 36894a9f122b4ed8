#!/usr/bin/env bash
# Looks at all crates that the project is built from: known holes and crates that nobody maintains
# (https://rustsec.org), licences, sources, and crates that come in several versions. What is
# allowed is in deny.toml beside this file. Needs cargo-deny (cargo install cargo-deny --locked) and
# the network.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! cargo deny --version >/dev/null 2>&1; then
    echo "no cargo-deny: skipped (cargo install cargo-deny --locked)"
    exit
fi
cargo deny --config tools/checks/deny.toml --workspace --all-features --locked check
