//! What the module and its host call of each other.
//!
//! The host writes a line to [`input`], calls [`ask`], and reads [`output`]. It gives `now_ms`, the
//! clock of [`Instant`](alesia::search::clock::Instant), and `report`, which gets lines meanwhile.

use std::sync::Mutex;

use crate::Session;

/// The session, and the bytes on the way in and out. There are no threads, so nobody waits.
static SESSION: Mutex<Option<Session>> = Mutex::new(None);
static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<String> = Mutex::new(String::new());

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Gets a line of UTF-8 of this many bytes.
    safe fn report(first: *const u8, length: usize);
}

fn send(line: &str) {
    report(line.as_ptr(), line.len());
}

/// Where the host writes this many bytes of the next line.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let Ok(mut input) = INPUT.try_lock() else { return std::ptr::null_mut() };
    input.clear();
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Answers the line that was written; returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    let answer = match (SESSION.try_lock(), INPUT.try_lock()) {
        (Ok(mut session), Ok(input)) => {
            // Before a fault ends the module, its host learns which.
            std::panic::set_hook(Box::new(|fault| {
                send(&serde_json::json!({ "fault": fault.to_string() }).to_string());
            }));
            let session = session.get_or_insert_default();
            session.ask(&String::from_utf8_lossy(&input), &mut send)
        }
        _ => r#"{"error":"ask: found a question within a report, expected one at a time"}"#.into(),
    };
    let Ok(mut output) = OUTPUT.try_lock() else { return 0 };
    *output = answer;
    output.len()
}

/// The first byte of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.try_lock().map_or(std::ptr::null(), |output| output.as_ptr())
}
