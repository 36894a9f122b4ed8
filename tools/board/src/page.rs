//! The addresses of the page itself.

use std::sync::Arc;

use alesia::game::quoted;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};

use super::failure::{Failure, Name};
use super::files::{file, index_file};
use super::guard::Guard;
use super::hall::Hall;

/// Where the page and its parts are.
pub fn routes() -> Router<Arc<Hall>> {
    Router::new()
        .route("/", get(index))
        .route("/game/{id}", get(index))
        .route("/analyse", get(index))
        .route("/standings", get(index))
        .route("/favicon.ico", get(|| file(Name("icon.svg".into()))))
        .route("/page/{name}", get(file))
        .fallback(nothing)
}

/// There is no such address: the page itself shows that to a person.
async fn nothing(Extension(guard): Extension<Arc<Guard>>, uri: Uri) -> Response {
    let path = uri.path();
    if path.starts_with("/api/") {
        let found = quoted(path);
        return Failure::unknown(format!(
            "address: found {found}, expected an address of the page"
        ))
        .into_response();
    }
    (StatusCode::NOT_FOUND, index_file(guard.base())).into_response()
}

/// The address is not asked like this.
pub async fn unsuited(method: Method) -> Failure {
    Failure::unsuited(format!("method: found {method}, expected another method at this address"))
}

/// One page for all addresses; its script looks at the address.
async fn index(State(hall): State<Arc<Hall>>, Extension(guard): Extension<Arc<Guard>>) -> Response {
    hall.note_loading();
    index_file(guard.base())
}
