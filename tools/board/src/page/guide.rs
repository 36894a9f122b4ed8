//! The rules of a game for the page.

use alesia_answers::guide::{self, Guide, NO_GUIDE, Wanted};
use axum::Json;
use axum::extract::Query;

use crate::door::failure::{Failure, Name};

/// `GET /api/guide/ID?lang=en|it`.
pub async fn guide(Name(id): Name, Query(wanted): Query<Wanted>) -> Result<Json<Guide>, Failure> {
    guide::guide(&id, wanted)?.map(Json).ok_or_else(|| Failure::unknown(NO_GUIDE))
}
