//! An answer with what it holds until it is sent.
//!
//! The one idea: the bytes of an answer share what is held, so that it is given back when the last
//! of them have left this process, or the connection has ended. That is later than when the answer
//! is ready.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

/// An answer that holds something until it is sent.
pub fn holding(response: Response, held: impl Send + Sync + 'static) -> Response {
    let held = Arc::new(held);
    response.map(|body| Body::new(Unsent { body, held }))
}

struct Unsent<T> {
    body: Body,
    held: Arc<T>,
}

/// A part, which waits in the connection after the body has handed it on.
struct Part<T> {
    bytes: Bytes,
    _held: Arc<T>,
}

impl<T> AsRef<[u8]> for Part<T> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl<T: Send + Sync + 'static> hyper::body::Body for Unsent<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let holding = |bytes| Bytes::from_owner(Part { bytes, _held: self.held.clone() });
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(holding))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use axum::response::IntoResponse;
    use hyper::body::Body as _;

    use super::*;

    /// The next part of an answer that is ready.
    fn next(body: &mut Body) -> Option<Bytes> {
        let frame = Pin::new(body).poll_frame(&mut Context::from_waker(Waker::noop()));
        let Poll::Ready(frame) = frame else { panic!("it is ready") };
        Some(frame?.unwrap().into_data().unwrap())
    }

    #[test]
    fn room_is_given_back_with_the_last_part() {
        let held = Arc::new(());
        let text = "0123456789";
        let mut body = holding(text.into_response(), held.clone()).into_body();
        assert_eq!(body.size_hint().exact(), Some(10));
        let part = next(&mut body).unwrap();
        assert!(body.is_end_stream() && next(&mut body).is_none());
        assert_eq!(part, text);
        drop(body);
        assert_eq!(Arc::strong_count(&held), 2, "the part is not sent yet");
        drop(part);
        assert_eq!(Arc::strong_count(&held), 1);
    }

    #[test]
    fn an_answer_that_is_not_sent_gives_it_back_too() {
        let held = Arc::new(());
        let body = holding("text".into_response(), held.clone());
        assert_eq!(Arc::strong_count(&held), 2);
        drop(body);
        assert_eq!(Arc::strong_count(&held), 1);
        let mut empty = holding(().into_response(), held.clone()).into_body();
        assert!(empty.is_end_stream() && next(&mut empty).is_none());
    }
}
