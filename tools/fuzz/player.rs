//! Fuzzes the parser of the player that `FUZZ_TARGET` names.

#![no_main]

#[path = "../../tests/properties/mod.rs"]
mod properties;

use std::sync::OnceLock;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    static PROPERTY: OnceLock<properties::Property> = OnceLock::new();
    let chosen = || {
        let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
        let found = properties::ALL.iter().find(|(target, _)| *target == name);
        found.expect("FUZZ_TARGET names a property").1
    };
    PROPERTY.get_or_init(chosen)(bytes);
});
