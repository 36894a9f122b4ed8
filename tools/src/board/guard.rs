//! Who may use the page.
//!
//! The one idea: on loopback everyone at this machine may, but no web page from elsewhere that their
//! browser has open: a request must name this server as its host, and what changes something must
//! come from this server's own page. On other addresses a token is needed as well, which the browser
//! keeps in a cookie once it has come with the address.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::failure::Failure;

/// The cookie with the token.
const COOKIE_NAME: &str = "alesia-token";

/// What the page may load: its own files, and nothing else.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; \
                      base-uri 'none'; form-action 'none'";

/// What is asked of a request.
#[derive(Debug)]
pub struct Guard {
    /// Where the server listens.
    address: SocketAddr,
    /// None where the address is loopback and none was given.
    token: Option<String>,
}

impl Guard {
    /// A guard for a server at an address.
    pub fn new(address: SocketAddr, token: Option<String>) -> Guard {
        Guard { address, token }
    }

    /// The address of the page.
    pub fn link(&self) -> String {
        // Whoever listens on all addresses is reached on this one from here.
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        let page = format!("http://{}/", SocketAddr::new(ip, self.address.port()));
        match &self.token {
            Some(token) => format!("{page}?token={token}"),
            None => page,
        }
    }

    fn check(&self, request: &Request) -> Result<(), Failure> {
        let headers = request.headers();
        let host = text(headers, HOST.as_str()).unwrap_or_default();
        if !self.is_own(host) {
            return Err(Failure::forbidden("this server is not known by that name"));
        }
        if let Some(token) = &self.token
            && cookie(headers).is_none_or(|found| !same(found, token))
        {
            return Err(Failure::forbidden(
                "open the page by the address that the program has printed, with its token",
            ));
        }
        if *request.method() == Method::GET || *request.method() == Method::HEAD {
            return Ok(());
        }
        // A program without a browser sends no origin.
        let origin = text(headers, ORIGIN.as_str());
        if origin.is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
            return Err(Failure::forbidden("the request comes from another page"));
        }
        let kind = text(headers, CONTENT_TYPE.as_str()).unwrap_or_default();
        if !kind.starts_with("application/json") {
            return Err(Failure::unreadable("found no content of type application/json"));
        }
        Ok(())
    }

    /// Whether a host is this server: any number, or a name of this machine. With a token any name
    /// will do, as no other page knows the token.
    fn is_own(&self, host: &str) -> bool {
        let name = host.rsplit_once(':').map_or(host, |(name, port)| {
            if port.bytes().all(|byte| byte.is_ascii_digit()) { name } else { host }
        });
        let number = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        self.token.is_some() || name == "localhost" || number.is_ok()
    }
}

/// Lets a request through, or says why not.
pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    if let Some(response) = guard.welcome(&request) {
        return response;
    }
    let mut response = match guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

impl Guard {
    /// The token has come with the address: the browser is told to keep it, and to go on without.
    fn welcome(&self, request: &Request) -> Option<Response> {
        let token = self.token.as_ref()?;
        let query = request.uri().query()?;
        let found = query.split('&').find_map(|part| part.strip_prefix("token="))?;
        if *request.method() != Method::GET || !same(found, token) {
            return None;
        }
        let cookie = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict");
        let path = request.uri().path().to_owned();
        Some((StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, path)]).into_response())
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = text(headers, COOKIE.as_str())?;
    cookies.split(';').find_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE_NAME).then_some(value)
    })
}

/// Whether two secrets are equal, in a time that does not tell where they differ.
pub fn same(left: &str, right: &str) -> bool {
    let difference = left.bytes().zip(right.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    left.len() == right.len() && difference == 0
}

/// A secret that nobody can guess.
pub fn secret() -> String {
    const BYTES: usize = 16;
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
