//! Reading what a request carries, before anything is done with it.
//!
//! The one idea: a request is short, or it is one of a few; and it comes in time, or it is refused.
//! So half-sent requests hold neither memory nor a place for long.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use axum::http::{HeaderMap, StatusCode};
use futures_util::TryStreamExt;
use tokio::time::timeout;

use super::failure::Failure;
use super::places::{Full, Place, Places, Visitor};

/// Max bytes of game records.
pub use alesia_answers::loaded_games::MAX_RECORDS;

/// Max bytes of a request with them: JSON writes quotes and the ends of lines in two characters,
/// and records are full of them.
const MAX_BYTES_OF_RECORDS: u64 = 2 * MAX_RECORDS as u64;

/// Max bytes of anything else.
const MAX_BYTES: u64 = 2 << 20;

/// A longer one needs a place.
const SHORT: u64 = 64 << 10;

/// Max long requests at once, in all and of a visitor.
const MAX_LONG: usize = 4;
const MAX_LONG_EACH: usize = 2;

/// Max time that a request may take to arrive: this, and a second more for each
/// [`BYTES_PER_SECOND`].
const USUAL_TIME: Duration = Duration::from_secs(10);
const BYTES_PER_SECOND: u64 = 512 << 10;

/// The requests that come in.
pub struct Intake {
    long: Places,
    usual_time: Duration,
}

impl Default for Intake {
    fn default() -> Intake {
        Intake { long: Places::new(MAX_LONG, MAX_LONG_EACH), usual_time: USUAL_TIME }
    }
}

impl Intake {
    /// Reads a request to its end; its place, if it needs one, is held until its answer is sent.
    ///
    /// # Errors
    /// It is too long, one of too many, or comes too slowly.
    pub async fn read(
        &self,
        request: Request,
        visitor: Visitor,
    ) -> Result<(Request, Option<Place>), Failure> {
        let (parts, body) = request.into_parts();
        let most =
            if parts.uri.path() == "/api/records" { MAX_BYTES_OF_RECORDS } else { MAX_BYTES };
        let length = length(&parts.headers)?;
        if length > most {
            return Err(too_long());
        }
        let place = (length > SHORT).then(|| self.long.take(Some(visitor))).transpose();
        let place = place.map_err(|full| match full {
            Full::ForYou => Failure::greedy("you are loading other games already: wait for them"),
            Full::ForAll => Failure::busy("others are loading games: try again in a minute"),
        })?;
        let time = self.usual_time + Duration::from_secs(length / BYTES_PER_SECOND);
        let bytes = timeout(time, whole(body, length as usize)).await;
        let bytes = bytes.map_err(|_| {
            let expected = format!("the whole request within {} s", time.as_secs());
            Failure::new(StatusCode::REQUEST_TIMEOUT, format!("expected {expected}"))
        })?;
        let bytes = bytes.ok_or_else(|| Failure::unreadable("the request is incomplete"))?;
        Ok((Request::from_parts(parts, Body::from(bytes)), place))
    }
}

/// Reads a body of at most `length` bytes, which are in memory only once; none if it is longer, or
/// ends with an error.
async fn whole(body: Body, length: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    let mut parts = body.into_data_stream();
    while let Some(part) = parts.try_next().await.ok()? {
        if part.len() > length - bytes.len() {
            return None;
        }
        bytes.extend_from_slice(&part);
    }
    Some(bytes)
}

/// The length that a request announces.
fn length(headers: &HeaderMap) -> Result<u64, Failure> {
    if headers.contains_key(TRANSFER_ENCODING) {
        let message = "expected a request whose length is announced (Content-Length)";
        return Err(Failure::new(StatusCode::LENGTH_REQUIRED, message));
    }
    let Some(text) = headers.get(CONTENT_LENGTH) else { return Ok(0) };
    let length = text.to_str().ok().and_then(|text| text.parse().ok());
    length.ok_or_else(|| Failure::unreadable("Content-Length: expected a whole number"))
}

fn too_long() -> Failure {
    let message = "the request is too long: expected at most 64 MiB of game records, \
                   2 MiB of other content";
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;

    use super::*;

    fn read(intake: &Intake, headers: &[(&str, &str)], body: Body) -> Result<Option<Place>, u16> {
        read_at(intake, "/api/games", headers, body)
    }

    fn read_at(
        intake: &Intake,
        path: &str,
        headers: &[(&str, &str)],
        body: Body,
    ) -> Result<Option<Place>, u16> {
        let mut request = Request::builder().method("POST").uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body).unwrap();
        let visitor = Visitor::at([10, 0, 0, 1].into());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let read = runtime.block_on(intake.read(request, visitor));
        let status = |failure: Failure| failure.into_response().status().as_u16();
        read.map(|(_, place)| place).map_err(status)
    }

    #[test]
    fn the_length_is_announced_and_not_too_great() {
        let intake = Intake::default();
        let status = |path: &str, header: (&str, &str)| {
            read_at(&intake, path, &[header], Body::empty()).map(drop)
        };
        assert_eq!(status("/api/games", ("content-length", "2097153")), Err(413));
        assert_eq!(status("/api/records", ("content-length", "134217729")), Err(413));
        assert_eq!(status("/api/games", ("content-length", "-1")), Err(400));
        assert_eq!(status("/api/games", ("transfer-encoding", "chunked")), Err(411));
        assert_eq!(status("/api/games", ("content-length", "0")), Ok(()));
        assert_eq!(status("/api/records", ("content-length", "2097153")), Ok(()));
    }

    #[test]
    fn long_requests_are_few() {
        let intake = Intake::default();
        let long = |bytes: usize| {
            let length = bytes.to_string();
            read(&intake, &[("content-length", &length)], Body::from(vec![b' '; bytes]))
        };
        let held = [long(70_000).unwrap(), long(2 << 20).unwrap()];
        assert!(held.iter().all(Option::is_some));
        assert_eq!(long(70_000).err(), Some(429));
        assert!(long(60_000).unwrap().is_none(), "a short one needs no place");
        drop(held);
        assert!(long(70_000).is_ok());
    }

    #[test]
    fn half_a_request_is_not_waited_for() {
        let intake = Intake { usual_time: Duration::from_millis(50), ..Intake::default() };
        let never =
            Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
        assert_eq!(read(&intake, &[("content-length", "70000")], never).err(), Some(408));
        assert!(
            read(&intake, &[("content-length", "70000")], Body::empty()).is_ok(),
            "its place is free"
        );
    }
}
