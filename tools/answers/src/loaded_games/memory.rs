//! A text takes a small factor of its size, whatever is in it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use super::*;

/// How often its size a text may take, its games and the answer with them included.
const FACTOR: usize = 4;

/// What it may take besides: one game.
const ONE_GAME: usize = 1 << 20;

const SIZE: usize = 1 << 20;

/// Counts the bytes of each thread, so that other tests do not matter.
struct Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // A thread that ends has no counter any more.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that are taken at once for a text of that size and for the answer, and whether it
/// has games.
fn taken(text: &str) -> (usize, bool) {
    let begin = NOW.get();
    PEAK.set(begin);
    let loaded = read(None, text, || Ok(()));
    let answer = loaded.as_ref().map(|loaded| serde_json::to_vec(loaded).unwrap());
    ((PEAK.get() - begin) as usize, answer.is_ok())
}

/// A piece, again and again up to the size.
fn many(piece: &str) -> String {
    piece.repeat(SIZE / piece.len())
}

#[test]
fn a_text_takes_a_small_factor_of_its_size() {
    let record = r#"{"seed":7,"pair":3,"leg":1,"game":"hadron3","white":"A","black":"B","opening":[],"moves":["#;
    let end = r#"],"result":"1-0","cause":"rule","reason":"no legal move"}"#;
    let long_record = format!("{record}{}{end}", many(r#"{"move":"a"},"#));
    let unknown = format!("{{\"x\":[{}[]]}}", many("[],"));
    let numbered: String = (0..SIZE / 24).map(|n| format!("game {n}: 1 White a 3 ms\n")).collect();
    let knights = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *\n\n";
    let longest = format!("[White \"{}\"]\n\n1. e4 *\n", many("a"));
    for (name, text) in [
        ("words", many("a a ")),
        ("lines", many("a\n")),
        ("numbers", many("1. a ")),
        ("Hadron", many("A1 ")),
        ("games", many("a *\n")),
        ("boards", many("../.. w 0\n")),
        ("tags", "[White \"A\"]\n".to_owned() + &many("[a \"\"]\n")),
        ("tags alone", many("[Event \"a\"]\n")),
        ("PGN", "[White \"A\"]\n\n".to_owned() + &many("a ")),
        ("one long name", longest),
        ("legal PGN", "[White \"A\"]\n\n".to_owned() + &many(knights)),
        ("legal moves", many(knights)),
        ("SGF", format!("(;GM[9]{})", many(";B[a]"))),
        ("points", format!("(;GM[9]AB{})", many("[a]"))),
        ("trees", many("(;GM[9])")),
        ("printed", many("1 White a 3 ms\n2 Black b 3 ms\n")),
        ("printed at once", numbered),
        ("a long record", long_record),
        ("records", many(&format!("{record}{end}\n"))),
        ("other fields", unknown),
        ("GAME", many("GAME\t0\n")),
        ("tabs", "GAME\t0\n".to_owned() + &many("\t")),
        ("braces", many("{\n")),
    ] {
        let (bytes, is_read) = taken(&text);
        let factor = bytes as f64 / text.len() as f64;
        println!("{name}: {factor:.1} times its size, read: {is_read}");
        assert!(bytes < FACTOR * text.len() + ONE_GAME, "{name}: {factor:.1} times its size");
    }
}
