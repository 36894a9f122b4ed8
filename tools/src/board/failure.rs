//! Why a request is refused, in a sentence for the person at the page.

use alesia::game::ParseError;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
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
    fn new(status: StatusCode, message: impl Into<String>) -> Failure {
        Failure { status, message: message.into() }
    }

    /// The request cannot be understood.
    pub fn unreadable(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, message)
    }

    /// Somebody else may do this.
    pub fn forbidden(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::FORBIDDEN, message)
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

    /// The server does as much as it can already.
    pub fn busy(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The sentence.
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
        match Json::from_request(request, state).await {
            Ok(Json(content)) => Ok(Body(content)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                let message = "the request is longer than the server takes";
                Err(Failure::new(rejection.status(), message))
            }
            Err(JsonRejection::BytesRejection(rejection)) => {
                Err(Failure::new(rejection.status(), rejection.body_text()))
            }
            Err(rejection) => Err(Failure::unreadable(rejection.body_text())),
        }
    }
}
