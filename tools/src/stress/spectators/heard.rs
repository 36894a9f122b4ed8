//! The bytes that spectators have received, and whether they are complete.
//!
//! The one idea: the server writes an event once for all, so all spectators that missed nothing
//! have the same bytes after their first complete event; one that was too slow gets a complete
//! event again.

/// A server-sent event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub name: String,
    pub data: String,
}

impl Event {
    /// Whether the game is over after it.
    pub fn ends(&self) -> bool {
        let content: Option<serde_json::Value> = serde_json::from_str(&self.data).ok();
        content.is_some_and(|content| content["result"].is_object())
    }
}

/// The events that have arrived completely in an answer of HTTP/1.1 in chunks.
pub fn events(answer: &[u8]) -> Vec<Event> {
    let mut body = Vec::new();
    let mut rest = after(answer, b"\r\n\r\n").map_or(&[][..], |(_, rest)| rest);
    while let Some((size, chunk)) = after(rest, b"\r\n") {
        let size = std::str::from_utf8(size).ok();
        let Some(size) = size.and_then(|size| usize::from_str_radix(size, 16).ok()) else { break };
        body.extend_from_slice(&chunk[..size.min(chunk.len())]);
        rest = chunk.get(size + 2..).unwrap_or_default();
    }
    let text = String::from_utf8_lossy(&body);
    let Some((complete, _)) = text.rsplit_once("\n\n") else { return Vec::new() };
    let event = |block: &str| {
        let field = |name| block.lines().find_map(|line| line.strip_prefix(name));
        let (name, data) = (field("event: ")?.to_owned(), field("data: ")?.to_owned());
        Some(Event { name, data })
    };
    complete.split("\n\n").filter_map(event).collect()
}

/// What comes before and after a mark.
fn after<'a>(bytes: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(mark.len()).position(|window| window == mark)?;
    Some((&bytes[..at], &bytes[at + mark.len()..]))
}

/// What all spectators of some games have received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The spectators of a game that received every event.
    pub complete: usize,
    /// The spectators that were too slow and got a complete event again.
    pub refreshed: usize,
    /// Events of all of them.
    pub events: usize,
}

/// Whether spectators of a game that has changed so often have got all there was.
///
/// # Errors
/// One has not.
pub fn compare(all: &[Vec<Event>], changes: usize) -> Result<Heard, String> {
    let mut heard = Heard::default();
    let mut known: Option<&[Event]> = None;
    for (number, events) in (1..).zip(all) {
        let wrong = |what: String| Err(format!("spectator {number}: {what}"));
        let Some((first, rest)) = events.split_first() else { return wrong("no event".into()) };
        if first.name != "game" || !events.last().is_some_and(Event::ends) {
            return wrong(format!(
                "{} events, expected all from the complete game to the end",
                events.len()
            ));
        }
        heard.events += events.len();
        if rest.iter().any(|event| event.name == "game") {
            heard.refreshed += 1;
            continue;
        }
        let found = rest.iter().filter(|event| event.name == "change").count();
        if found != changes {
            return wrong(format!("found {found} changes, expected {changes}"));
        }
        let others = *known.get_or_insert(rest);
        if rest != others {
            let (found, expected) = (rest.len(), others.len());
            return wrong(format!("found {found} events, not the same {expected} as another"));
        }
        heard.complete += 1;
    }
    Ok(heard)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, data: &str) -> Event {
        Event { name: name.into(), data: data.into() }
    }

    fn list(names: &str) -> Vec<Event> {
        let mut events: Vec<Event> = names.split(' ').map(|name| event(name, "{}")).collect();
        events.last_mut().unwrap().data = r#"{"result":{"text":"Black"}}"#.into();
        events
    }

    #[test]
    fn events_are_read_from_chunks_wherever_they_are_cut() {
        let parts = ["event: a\ndata: {\"x\":1}\n\n", ":\n\n", "event: b\nda", "ta: 2\n\n"];
        let chunks = parts.map(|part| format!("{:X}\r\n{part}\r\n", part.len())).concat();
        let answer = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{chunks}");
        let expected = [event("a", "{\"x\":1}"), event("b", "2")];
        assert_eq!(events(answer.as_bytes()), expected);
        for length in 0..answer.len() {
            let found = events(&answer.as_bytes()[..length]);
            assert!(expected.starts_with(&found), "{length}: {found:?}");
        }
    }

    #[test]
    fn a_missed_event_is_an_error_and_a_slow_spectator_is_none() {
        let whole = list("game change thinking change change");
        let heard = compare(&[whole.clone(), whole.clone()], 3).unwrap();
        assert_eq!(heard, Heard { complete: 2, refreshed: 0, events: 10 });
        let slow = list("game change game");
        let heard = compare(&[slow.clone(), whole.clone()], 3).unwrap();
        assert_eq!(heard, Heard { complete: 1, refreshed: 1, events: 8 });
        for (wrong, words) in [
            (list("game change change change"), "spectator 2: found 3 events, not the same 4"),
            (list("game thinking change change"), "spectator 2: found 2 changes, expected 3"),
            (whole[..4].to_vec(), "spectator 2: 4 events, expected all from the complete game"),
            (whole[1..].to_vec(), "spectator 2: 4 events, expected all from the complete game"),
            (Vec::new(), "spectator 2: no event"),
        ] {
            let error = compare(&[whole.clone(), wrong], 3).unwrap_err();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
