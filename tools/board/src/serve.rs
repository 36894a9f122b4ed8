//! Speaking HTTP at every connection.
//!
//! The one idea: a connection that says nothing ends after a while, and one that must give way ends
//! at once; the requests know where they come from.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use super::connections::{Connection, Connections};
use super::places::Visitor;

/// How long the head of a request may take; a connection between two requests is also closed then.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Max bytes of a head.
const MAX_HEAD: usize = 64 << 10;

/// The time between two tries where the system has no room for a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers requests for ever.
pub async fn serve(listener: TcpListener, router: Router) -> Infallible {
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
        tokio::spawn(speak(stream, connection, router.clone()));
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

async fn speak(stream: TcpStream, connection: Arc<Connection>, router: Router) {
    let router = TowerToHyperService::new(router);
    let asked = connection.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(asked.visitor());
        request.extensions_mut().insert(asked.clone());
        router.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(MAX_HEAD);
    let serving = http.serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        // An error is the other end's, which has left or sent no HTTP.
        _ = serving => {}
        () = connection.closed() => {}
    }
}
