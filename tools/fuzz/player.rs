//! Fuzzes the parser of the player that `FUZZ_TARGET` names.

#![no_main]

use std::sync::OnceLock;

use alesia_properties::{ALL, Property};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    static PROPERTY: OnceLock<Property> = OnceLock::new();
    let chosen = || {
        let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
        let found = ALL.iter().find(|(target, _)| *target == name);
        found.expect("FUZZ_TARGET names a property").1
    };
    PROPERTY.get_or_init(chosen)(bytes);
});
