//! The page in the browser of whoever started the program.
//!
//! The one idea: a person at a desktop gets the page at once. A script, a test, a machine without a
//! screen and one that is reached from afar get the printed address alone.

use std::env;
use std::io::{IsTerminal, stdout};

/// Whether a person at a terminal of this machine's desktop has started the program.
pub fn is_at_hand() -> bool {
    stdout().is_terminal() && has_desktop(|name| env::var_os(name).is_some_and(|v| !v.is_empty()))
}

/// Whether the program runs on a desktop, by the environment variables that are set.
fn has_desktop(set: impl Fn(&str) -> bool) -> bool {
    let has_screen = cfg!(any(windows, target_os = "macos"));
    let shown = || set("DISPLAY") || set("WAYLAND_DISPLAY");
    // Through ssh a browser would open on the other machine's screen, or come over the network.
    (has_screen || shown()) && !set("SSH_CONNECTION") && !set("SSH_TTY")
}

/// Opens an address in the usual browser, without waiting for it.
pub fn open(address: &str) {
    if let Err(error) = open::that_detached(address) {
        log::warn!("no browser was opened: {error}; open the address yourself");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_opens_on_a_desktop_alone() {
        let desktop = |variables: &[&str]| has_desktop(|name| variables.contains(&name));
        let always = cfg!(any(windows, target_os = "macos"));
        assert_eq!(desktop(&[]), always);
        assert_eq!(desktop(&["TERM", "HOME"]), always);
        assert!(desktop(&["DISPLAY"]) && desktop(&["WAYLAND_DISPLAY"]));
        assert!(!desktop(&["DISPLAY", "SSH_CONNECTION"]), "a screen forwarded by ssh");
        assert!(!desktop(&["SSH_TTY"]));
    }
}
