//! The files of the page, which are part of the program.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::door::failure::{Failure, Name};

#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

/// The page's file, with the path below which a proxy shows it: its addresses begin with that.
pub fn index_file(base: &str) -> Response {
    match Files::get("index.html") {
        Some(page) => {
            let text = String::from_utf8_lossy(&page.data).replace("=\"/", &format!("=\"{base}/"));
            Html(text.replace("<html ", &format!("<html data-base=\"{base}\" "))).into_response()
        }
        None => Failure::unknown("the page is missing in this build").into_response(),
    }
}

/// A file of the page.
pub async fn file(Name(name): Name) -> Response {
    match Files::get(&name) {
        Some(file) => {
            let kind = file.metadata.mimetype().to_owned();
            // A new version of the program has new files under the same names.
            ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache".into())], file.data).into_response()
        }
        None => Failure::unknown(format!("no file {name}")).into_response(),
    }
}
