//! The page itself: files that are part of the program.

use std::sync::Arc;

use alesia::game::quoted;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use rust_embed::RustEmbed;

use super::failure::{Failure, Name};
use super::guard::Guard;
use super::hall::Hall;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

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

/// The page's file, with the path below which a proxy shows it: its addresses begin with that.
fn index_file(base: &str) -> Response {
    match Files::get("index.html") {
        Some(page) => {
            let text = String::from_utf8_lossy(&page.data).replace("=\"/", &format!("=\"{base}/"));
            Html(text.replace("<html ", &format!("<html data-base=\"{base}\" "))).into_response()
        }
        None => Failure::unknown("the page is missing in this build").into_response(),
    }
}

/// For a person without the token.
pub fn closed() -> Response {
    match Files::get("closed.html") {
        Some(page) => (StatusCode::FORBIDDEN, Html(page.data)).into_response(),
        None => Failure::forbidden("the token is missing").into_response(),
    }
}

async fn file(Name(name): Name) -> Response {
    match Files::get(&name) {
        Some(file) => {
            let kind = file.metadata.mimetype().to_owned();
            // A new version of the program has new files under the same names.
            ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache".into())], file.data).into_response()
        }
        None => Failure::unknown(format!("no file {name}")).into_response(),
    }
}
