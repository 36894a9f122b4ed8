//! Why a request is refused, in a sentence for the person at the page.

use std::thread;

use alesia::game::ParseError;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::json;

/// A refusal: it has changed nothing.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    message: String,
}

impl Failure {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Failure {
        Failure { status, message: message.into() }
    }

    /// The request cannot be understood.
    pub fn unreadable(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, message)
    }

    /// Only another person may do this.
    pub fn forbidden(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::FORBIDDEN, message)
    }

    /// There is such an address, but it is not asked like this.
    pub fn unsuited(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::METHOD_NOT_ALLOWED, message)
    }

    /// There is no such thing, or no longer.
    pub fn unknown(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, message)
    }

    /// It was possible, but is not any more.
    pub fn stale(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::CONFLICT, message)
    }

    /// The rules forbid it.
    pub fn illegal(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// The visitor has as much already as one may have.
    pub fn greedy(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// The server does as much as it can already.
    pub fn busy(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The disk of the games has no room for it, or fails.
    pub fn unkept(error: &std::io::Error) -> Failure {
        let message = format!("the server could not keep this ({error}): try again");
        Failure::new(StatusCode::INSUFFICIENT_STORAGE, message)
    }

    pub fn message(&self) -> &str {
        &self.message
    }
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Failure {
        Failure::unreadable(error.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.message }))).into_response()
    }
}

/// The JSON that a request carries; what cannot be read is a [`Failure`].
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Failure> {
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| Failure::new(rejection.status(), "the request is incomplete"))?;
        serde_json::from_slice(&bytes).map(Body).map_err(|error| unlike(&error).into())
    }
}

/// An error in JSON: the place, what was found, what was expected.
fn unlike(error: &serde_json::Error) -> ParseError {
    let place = format!("request, line {}, column {}", error.line(), error.column());
    let whole = error.to_string();
    let what = whole.split(" at line ").next().unwrap_or_default();
    if !error.is_data() {
        return ParseError::new(place, format!("invalid JSON ({what})"), "a JSON object");
    }
    let (found, expected) = what.split_once(", expected ").unwrap_or((what, "what the page sends"));
    let found = match found.split_once(": ") {
        Some((_, found)) => found.to_owned(),
        None => found.to_owned(),
    };
    // Names of types say nothing to a person.
    let expected = match expected.split(' ').next_back() {
        Some("usize" | "u64") => "a whole number".to_owned(),
        Some(_) if expected.contains("struct ") || expected.contains("enum ") => {
            "a JSON object".to_owned()
        }
        _ => expected.to_owned(),
    };
    ParseError::new(place, found, expected)
}

/// The part of an address that names something.
pub struct Name(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Name, Failure> {
        let unreadable =
            |_| Failure::unreadable("address: found a part that is not UTF-8, expected a name");
        let Path(name) = Path::from_request_parts(parts, state).await.map_err(unreadable)?;
        Ok(Name(name))
    }
}

/// Does slow work, such as allocating an engine's memory, without delaying other requests.
///
/// # Errors
/// Those of the work, or it has panicked, or the system has no thread to give.
pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let (sender, done) = tokio::sync::oneshot::channel();
    // The runtime's own threads for such work panic where there is none.
    let working = thread::Builder::new().name("aside".into()).spawn(move || sender.send(work()));
    working
        .map_err(|error| Failure::busy(format!("the server has no thread for this: {error}")))?;
    done.await.unwrap_or_else(|_| Err(Failure::busy("the server failed: see its log")))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    #[allow(dead_code, reason = "it is only read")]
    enum Shape {
        Point { x: u64 },
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "it is only read")]
    struct Wanted {
        name: String,
        shape: Shape,
    }

    #[test]
    fn names_faults_of_json_without_names_of_types() {
        let message =
            |text: &str| unlike(&serde_json::from_str::<Wanted>(text).unwrap_err()).to_string();
        let expected = [
            (
                "",
                "line 1, column 0: found invalid JSON (EOF while parsing a value), expected a JSON object",
            ),
            (
                "{\n\"name\" 1}",
                "line 2, column 8: found invalid JSON (expected `:`), expected a JSON object",
            ),
            ("7", "line 1, column 1: found integer `7`, expected a JSON object"),
            ("{\"name\": 7}", "line 1, column 10: found integer `7`, expected a string"),
            (
                "{\"name\": \"a\"}",
                "line 1, column 13: found missing field `shape`, expected what the page sends",
            ),
        ];
        for (text, words) in expected {
            assert_eq!(message(text), format!("request, {words}"));
        }
        for shape in ["7", "{}", "{\"kind\": \"line\"}", "{\"kind\": \"point\", \"x\": -1}"] {
            let words = message(&format!("{{\"name\": \"a\", \"shape\": {shape}}}"));
            println!("{words}");
            for bad in ["Shape", "Wanted", "u64", "struct", "enum"] {
                assert!(!words.contains(bad), "{words}");
            }
        }
    }
}
