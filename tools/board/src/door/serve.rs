//! Speaking HTTP at every connection.
//!
//! The one idea: a connection that says or reads nothing ends after a while, and one that must give
//! way ends at once; the requests know where they come from.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{Request, Uri};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use super::connections::{Connection, Connections};
use super::places::Visitor;
use super::writing::Timed;

/// How long the head of a request may take; a connection between two requests is also closed then.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Max bytes of a head.
const MAX_HEAD: usize = 64 << 10;

/// The time between two tries where the system has no room for a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers requests for ever.
///
/// A path that begins with `base` means the same without: a proxy may pass it on or cut it off.
pub async fn serve(listener: TcpListener, router: Router, base: &str) -> Infallible {
    let base: Arc<str> = base.into();
    let connections = Arc::new(Connections::default());
    loop {
        let (stream, address) = match listener.accept().await {
            Ok(accepted) => accepted,
            // The other end has left already.
            Err(error) if is_of_one(error.kind()) => continue,
            Err(error) => {
                log::warn!("accepting a connection: {error}");
                connections.make_room();
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        // Events are short, and each is awaited.
        let _ = stream.set_nodelay(true);
        let connection = Arc::new(connections.open(Visitor::at(address.ip())));
        tokio::spawn(speak(stream, connection, router.clone(), base.clone()));
    }
}

fn is_of_one(kind: ErrorKind) -> bool {
    let own = [
        ErrorKind::ConnectionRefused,
        ErrorKind::ConnectionAborted,
        ErrorKind::ConnectionReset,
        ErrorKind::Interrupted,
    ];
    own.contains(&kind)
}

/// An address without the begin of its path, if that is `base`.
fn without(base: &str, uri: &Uri) -> Option<Uri> {
    let rest = uri.path_and_query()?.as_str().strip_prefix(base).filter(|_| !base.is_empty())?;
    match rest.bytes().next() {
        Some(b'/') => rest.parse().ok(),
        None | Some(b'?') => format!("/{rest}").parse().ok(),
        Some(_) => None,
    }
}

async fn speak(stream: TcpStream, connection: Arc<Connection>, router: Router, base: Arc<str>) {
    let router = TowerToHyperService::new(router);
    let asked = connection.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        if let Some(uri) = without(&base, request.uri()) {
            *request.uri_mut() = uri;
        }
        request.extensions_mut().insert(asked.visitor());
        request.extensions_mut().insert(asked.clone());
        router.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(MAX_HEAD);
    let serving = http.serve_connection(TokioIo::new(Timed::new(stream)), service);
    tokio::select! {
        // An error is the other end's, which has left or sent no HTTP.
        _ = serving => {}
        () = connection.closed() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_below_the_base_means_the_same_without_it() {
        let cut = |base: &str, text: &str| {
            let uri: Uri = text.parse().unwrap();
            without(base, &uri).unwrap_or(uri).to_string()
        };
        for (text, rest) in [
            ("/alesia/game/x?a=/alesia/", "/game/x?a=/alesia/"),
            ("/alesia", "/"),
            ("/alesia?new", "/?new"),
            ("/alesia/", "/"),
            ("/game/x", "/game/x"),
            ("/alesian/x", "/alesian/x"),
        ] {
            assert_eq!(cut("/alesia", text), rest);
        }
        assert_eq!(cut("", "/game/x"), "/game/x");
    }
}
