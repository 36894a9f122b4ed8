//! Who may use the page.
//!
//! The one idea: on loopback everyone at this machine may, but no web page from elsewhere that
//! their browser has open. A request must name this server as its host, so that no name of another
//! page's can be made to lead here. It must not come from another page, except by a link that is
//! followed. On other addresses a token is needed as well. Once it has come with the address, the
//! browser gets a secret of this server's in a cookie. That one is too long to be guessed, so that
//! wrong tokens can be limited without keeping out those who are in.

use std::io::Read;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use alesia::game::plain_file;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};

use super::attempts::Attempts;
use super::connections::Connection;
use super::failure::Failure;
use super::intake::Intake;
use super::places::Visitor;
use super::secrets::{same, secret};
use super::unsent::holding;

/// The begin of the name of the cookie of those who are in; then comes the port, as a browser sends
/// the cookies of all ports of a machine.
const COOKIE_NAME: &str = "alesia-token-";

/// Minimum characters of a token.
const TOKEN_LENGTH: usize = 8;

/// Max bytes of a file with a token.
const MAX_TOKEN_FILE: u64 = 4096;

/// What the page may load: its own files, and nothing else.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; \
                      base-uri 'none'; form-action 'none'";

/// What a person without the token sees.
const CLOSED: &str = include_str!("../../page/closed.html");

/// The requirements of a request.
pub struct Guard {
    /// Where the server listens.
    address: SocketAddr,
    /// None where the address is loopback and none was given.
    token: Option<String>,
    /// The path below which a proxy shows the page: empty, or `/` and names.
    base: String,
    /// What the browser of somebody with the token has in its cookie.
    session: String,
    attempts: Attempts,
    intake: Intake,
}

impl Guard {
    pub fn new(address: SocketAddr, token: Option<String>) -> Guard {
        let (attempts, intake) = (Attempts::default(), Intake::default());
        let base = String::new();
        Guard { address, token, base, session: secret(), attempts, intake }
    }

    /// The same page below a path.
    pub fn below(self, base: &str) -> Guard {
        Guard { base: base.to_owned(), ..self }
    }

    /// The path below which a proxy shows the page.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Where others can reach the page, as the begin of a link; none on loopback.
    pub fn reachable(&self) -> Option<String> {
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() => own_ip(ip),
            ip => ip,
        };
        let origin = || format!("http://{}", SocketAddr::new(ip, self.address.port()));
        (!ip.is_loopback()).then(origin)
    }

    /// Where others could reach the page, if it listened on all addresses of this machine.
    pub fn elsewhere(&self) -> Option<String> {
        let ip = own_ip(Ipv4Addr::UNSPECIFIED.into());
        let origin = || format!("http://{}/", SocketAddr::new(ip, self.address.port()));
        (!ip.is_loopback()).then(origin)
    }

    /// What a browser must know, where it must know something.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether a browser must send a token.
    pub fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// The address of the page.
    pub fn link(&self) -> String {
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() => own_ip(ip),
            ip => ip,
        };
        let origin = SocketAddr::new(ip, self.address.port());
        let page = format!("http://{origin}{}/", self.base);
        match &self.token {
            Some(token) => format!("{page}?token={token}"),
            None => page,
        }
    }

    /// Whether a browser has been let in, where a token is needed.
    fn knows_token(&self, headers: &HeaderMap) -> bool {
        let is_in = |found| same(found, &self.session);
        self.token.is_none() || self.cookie(headers).is_some_and(is_in)
    }

    fn check(&self, request: &Request) -> Result<(), Failure> {
        let headers = request.headers();
        let host = text(headers, HOST.as_str()).unwrap_or_default();
        if !self.is_own(host) {
            return Err(Failure::forbidden(
                "unknown host name: open the page by an IP address or as localhost",
            ));
        }
        if !self.knows_token(headers) {
            return Err(Failure::forbidden(
                "open the address that the program printed, with its token",
            ));
        }
        if is_foreign(headers, host, !self.base.is_empty()) {
            return Err(Failure::forbidden("the request comes from another page"));
        }
        if *request.method() == Method::GET || *request.method() == Method::HEAD {
            return Ok(());
        }
        let kind = text(headers, CONTENT_TYPE.as_str()).unwrap_or_default();
        if !is_json(kind) {
            return Err(Failure::unreadable("expected content of type application/json"));
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
        self.token.is_some() || name.eq_ignore_ascii_case("localhost") || number.is_ok()
    }

    fn cookie_name(&self) -> String {
        format!("{COOKIE_NAME}{}", self.address.port())
    }

    fn cookie<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let own = self.cookie_name();
        let cookies = text(headers, COOKIE.as_str())?;
        cookies.split(';').find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == own).then_some(value)
        })
    }
}

/// Where this machine can be reached, which listens on all its addresses: the one that it would
/// send from to somewhere far away. To connect a socket of UDP sends nothing.
fn own_ip(all: IpAddr) -> IpAddr {
    // These addresses are reserved for documents: no machine has them.
    let towards = |from: IpAddr, to: IpAddr| {
        let socket = UdpSocket::bind((from, 0)).ok()?;
        socket.connect((to, 9)).ok()?;
        let ip = socket.local_addr().ok()?.ip();
        (!ip.is_unspecified()).then_some(ip)
    };
    let by_v4 = || towards(Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into());
    let by_v6 = || {
        let far = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);
        towards(Ipv6Addr::UNSPECIFIED.into(), far.into())
    };
    if all.is_ipv4() {
        return by_v4().unwrap_or(Ipv4Addr::LOCALHOST.into());
    }
    // A server on all addresses of version 6 listens on those of version 4 too.
    by_v6().or_else(by_v4).unwrap_or(Ipv6Addr::LOCALHOST.into())
}

/// Whether a browser reports that the request comes from another page. It sends the origin with
/// every request that changes something, and the site with all; other programs send neither.
fn is_foreign(headers: &HeaderMap, host: &str, behind_proxy: bool) -> bool {
    let origin = headers.get(ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    // A proxy may speak HTTPS; it is the same host all the same.
    let own = |origin: &str| match origin.split_once("://") {
        Some(("http", name)) => name == host,
        Some(("https", name)) => behind_proxy && name == host,
        _ => false,
    };
    let site = text(headers, "sec-fetch-site").unwrap_or("none");
    let follows_link = text(headers, "sec-fetch-mode") == Some("navigate");
    origin.is_some_and(|origin| !own(origin))
        || !matches!(site, "none" | "same-origin") && !follows_link
}

/// Reads a token that a person has chosen.
///
/// # Errors
/// It is too short to be secret, or has characters that an address or a cookie must escape.
pub fn token(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if text.len() < TOKEN_LENGTH || !text.bytes().all(plain) {
        return Err(format!("expected at least {TOKEN_LENGTH} letters, digits, `-` or `_`"));
    }
    Ok(text.to_owned())
}

/// Reads the token in a file; its only line may have an end.
///
/// # Errors
/// The file cannot be read, or has no token. No message contains what was found: it may be secret.
pub fn token_in(file: &Path) -> Result<String, String> {
    let mut text = String::new();
    let opened = plain_file::open(file).map_err(|error| error.to_string())?;
    let read = opened.take(MAX_TOKEN_FILE).read_to_string(&mut text);
    read.map_err(|error| error.to_string())?;
    token(text.trim_end_matches(['\n', '\r']))
}

/// Reads the path below which a proxy shows the page.
///
/// # Errors
/// It is no path of plain names.
pub fn base(text: &str) -> Result<String, String> {
    let base = text.trim_end_matches('/');
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let name = |name: &str| !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain);
    match base.strip_prefix('/') {
        _ if base.is_empty() => Ok(String::new()),
        Some(names) if names.split('/').all(name) => Ok(base.to_owned()),
        _ => Err("expected a path such as /alesia: names of letters, digits, `-`, `_`, `.`".into()),
    }
}

/// Lets a request through, or says why not.
pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.admit(request, next).await {
        Ok(response) => response,
        Err(failure) => failure.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

impl Guard {
    async fn admit(&self, request: Request, next: Next) -> Result<Response, Failure> {
        let connection = request.extensions().get::<Arc<Connection>>().cloned();
        let connection = connection.expect("every request has come by a connection");
        let visitor = connection.visitor();
        if let Some(response) = self.welcome(&request, visitor, Instant::now())? {
            return Ok(response);
        }
        if let Err(failure) = self.check(&request) {
            // A person stands before the door, and no program.
            let person = !self.knows_token(request.headers()) && wants_page(request.headers());
            let closed = || (StatusCode::FORBIDDEN, Html(CLOSED)).into_response();
            return if person { Ok(closed()) } else { Err(failure) };
        }
        let (request, place) = match *request.method() {
            // What these carry is not read.
            Method::GET | Method::HEAD => (request, None),
            _ => self.intake.read(request, visitor).await?,
        };
        // An answer may be long, and its reader slow; events are sent for hours.
        let places = (connection.busy()?, place);
        // What has begun is done to its end, even if nobody waits for it any more.
        let done = tokio::spawn(async { holding(next.run(request).await, places) });
        done.await.map_err(|_| Failure::busy("the server failed: see its log"))
    }

    /// The token has come with the address: the browser gets a cookie, and continues without.
    ///
    /// # Errors
    /// Too many wrong ones have come from this address: another is not even compared.
    fn welcome(
        &self,
        request: &Request,
        visitor: Visitor,
        now: Instant,
    ) -> Result<Option<Response>, Failure> {
        let Some(token) = &self.token else { return Ok(None) };
        let query = request.uri().query().unwrap_or_default();
        let found = query.split('&').find_map(|part| part.strip_prefix("token="));
        let Some(found) = found.filter(|_| *request.method() == Method::GET) else {
            return Ok(None);
        };
        let is_in = self.knows_token(request.headers());
        if !is_in && !self.attempts.allowed(visitor, now) {
            return Err(Failure::greedy(
                "too many wrong tokens have come from your address: wait a minute",
            ));
        }
        if !same(found, token) {
            if !is_in {
                self.attempts.wrong(visitor, now);
            }
            return Ok(None);
        }
        let (name, session) = (self.cookie_name(), &self.session);
        // Not "Strict": a link in a letter on another page must lead to the game.
        let base = &self.base;
        let cookie = format!("{name}={session}; Path={base}/; HttpOnly; SameSite=Lax");
        // Two slashes at the begin would lead to another server.
        let path = request.uri().path().trim_start_matches(['/', '\\']);
        let path = format!("{base}/{path}");
        let headers = [(SET_COOKIE, cookie), (LOCATION, path)];
        Ok(Some((StatusCode::SEE_OTHER, headers).into_response()))
    }
}

/// Whether a content type is that of JSON, with parameters or without.
fn is_json(kind: &str) -> bool {
    let name = kind.split(';').next().unwrap_or_default();
    name.trim().eq_ignore_ascii_case("application/json")
}

fn wants_page(headers: &HeaderMap) -> bool {
    text(headers, ACCEPT.as_str()).is_some_and(|kinds| kinds.contains("text/html"))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use axum::routing::any;
    use hyper::service::Service;
    use hyper_util::service::TowerToHyperService;
    use tokio::sync::Semaphore;
    use tokio::time::timeout;

    use super::*;
    use crate::door::connections::Connections;

    const LOCAL: &str = "127.0.0.1:8910";

    fn guard(address: &str, token: Option<&str>) -> Guard {
        Guard::new(address.parse().unwrap(), token.map(str::to_owned))
    }

    fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    }

    /// What a guard of a page on loopback says.
    fn answer(method: &str, headers: &[(&str, &str)]) -> Result<(), String> {
        let asked = request(method, "/api/games", headers);
        guard(LOCAL, None).check(&asked).map_err(|failure| failure.message().to_owned())
    }

    #[test]
    fn only_names_of_this_machine_lead_here() {
        for host in [
            LOCAL,
            "localhost",
            "localhost:8910",
            "LocalHost:1",
            "[::1]:8910",
            "[::1]",
            "192.168.0.7:80",
        ] {
            assert_eq!(answer("GET", &[("host", host)]), Ok(()), "{host}");
        }
        for host in [
            "",
            "example.org",
            "example.org:8910",
            "localhost.example.org",
            "127.0.0.1.example.org:8910",
            "localhost:8910.example.org",
            "example.org:localhost",
            "localhost@example.org",
        ] {
            let error = answer("GET", &[("host", host)]).unwrap_err();
            assert_eq!(
                error, "unknown host name: open the page by an IP address or as localhost",
                "{host}"
            );
        }
        assert!(answer("GET", &[]).is_err());
    }

    #[test]
    fn another_page_can_neither_change_nor_watch_but_link_here() {
        let json = ("content-type", "application/json");
        let host = ("host", LOCAL);
        let own = ("origin", "http://127.0.0.1:8910");
        assert_eq!(answer("POST", &[host, json]), Ok(()), "no browser");
        let same = ("sec-fetch-site", "same-origin");
        assert_eq!(answer("POST", &[host, json, own, same]), Ok(()));
        assert_eq!(answer("GET", &[host, ("sec-fetch-site", "none")]), Ok(()));
        let foreign = "the request comes from another page";
        for origin in [
            "null",
            "",
            "http://example.org",
            "http://localhost:8910",
            "http://127.0.0.1",
            "https://127.0.0.1:8910",
            "ftp://127.0.0.1:8910",
            "HTTP://127.0.0.1:8910",
            "127.0.0.1:8910",
            "http://127.0.0.1:89100",
            "http://127.0.0.1:8910.example.org",
            "http://example.org/http://127.0.0.1:8910",
        ] {
            for method in ["GET", "POST", "PUT", "DELETE"] {
                let error = answer(method, &[host, json, ("origin", origin)]).unwrap_err();
                assert_eq!(error, foreign, "{method} {origin}");
            }
        }
        for site in ["cross-site", "same-site"] {
            let site = ("sec-fetch-site", site);
            let error = answer("GET", &[host, site, ("sec-fetch-mode", "no-cors")]).unwrap_err();
            assert_eq!(error, foreign);
            assert_eq!(answer("GET", &[host, site, ("sec-fetch-mode", "navigate")]), Ok(()));
        }
    }

    #[test]
    fn a_form_of_another_page_cannot_be_taken_for_an_action() {
        let host = ("host", LOCAL);
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "application/json-seq",
            "application/jsonp",
            "application/json, text/plain",
            "text/plain; application/json",
            "",
        ] {
            assert!(answer("POST", &[host, ("content-type", kind)]).is_err(), "{kind}");
        }
        assert!(answer("POST", &[host]).is_err());
        for kind in ["application/json", "application/json; charset=utf-8", "Application/JSON ;x"] {
            assert_eq!(answer("POST", &[host, ("content-type", kind)]), Ok(()), "{kind}");
        }
    }

    #[test]
    fn with_a_token_any_name_will_do_and_nothing_without() {
        let guard = guard("0.0.0.0:80", Some("0123456789"));
        let may = |cookie: &str| {
            let headers = [("host", "board.example.org"), ("cookie", cookie)];
            guard.check(&request("GET", "/", &headers)).is_ok()
        };
        let session = guard.session.clone();
        let cookie = format!("alesia-token-80={session}");
        assert!(may(&cookie) && may(&format!("a=b;{cookie}; c=d")));
        for cookie in ["", "alesia-token-80=", "alesia-token-80=0123456789", &session] {
            assert!(!may(cookie), "{cookie}");
        }
        assert!(!may(&format!("alesia-token-81={session}")), "of a server at another port");
        let host = ("host", "board.example.org");
        assert!(guard.check(&request("GET", "/?token=0123456789", &[host])).is_err());
    }

    fn welcome(guard: &Guard, method: &str, path: &str) -> Result<Option<Response>, Failure> {
        let visitor = Visitor::at([10, 0, 0, 1].into());
        guard.welcome(&request(method, path, &[]), visitor, Instant::now())
    }

    #[test]
    fn the_token_becomes_a_cookie_and_leaves_the_address() {
        let guard = guard("0.0.0.0:80", Some("0123456789"));
        let link = guard.link();
        assert!(link.ends_with(":80/?token=0123456789") && !link.contains("0.0.0.0"), "{link}");
        let header =
            |path, name| welcome(&guard, "GET", path).unwrap().unwrap().headers()[name].clone();
        assert_eq!(header("/game/x?a=b&token=0123456789", LOCATION), "/game/x");
        assert_eq!(header("//example.org/?token=0123456789", LOCATION), "/example.org/");
        let cookie = header("/?token=0123456789", SET_COOKIE);
        let expected = format!("alesia-token-80={}; Path=/; HttpOnly; SameSite=Lax", guard.session);
        assert_eq!(cookie, expected);
        for path in ["/?token=012345678", "/?token=", "/?tokens=0123456789", "/0123456789"] {
            assert!(welcome(&guard, "GET", path).unwrap().is_none(), "{path}");
        }
        assert!(welcome(&guard, "POST", "/?token=0123456789").unwrap().is_none());
    }

    #[test]
    fn after_many_wrong_tokens_none_is_compared_but_who_is_in_stays_in() {
        let guard = guard("0.0.0.0:80", Some("0123456789"));
        for number in 0..10 {
            let wrong = format!("/?token=012345678{}", char::from(b'a' + number));
            assert!(welcome(&guard, "GET", &wrong).unwrap().is_none());
        }
        for token in ["0123456789", "012345678x"] {
            let refused = welcome(&guard, "GET", &format!("/?token={token}")).unwrap_err();
            assert!(refused.message().starts_with("too many wrong tokens"), "{refused:?}");
        }
        let elsewhere = Visitor::at([10, 0, 0, 2].into());
        let good = request("GET", "/?token=0123456789", &[]);
        assert!(guard.welcome(&good, elsewhere, Instant::now()).unwrap().is_some());
        let cookie = format!("alesia-token-80={}", guard.session);
        let headers = [("host", "board.example.org"), ("cookie", &*cookie)];
        assert!(guard.check(&request("GET", "/", &headers)).is_ok());
        let visitor = Visitor::at([10, 0, 0, 1].into());
        let again = request("GET", "/?token=0123456789", &headers);
        assert!(guard.welcome(&again, visitor, Instant::now()).unwrap().is_some());
    }

    #[test]
    fn below_a_path_links_cookies_and_https_are_the_proxys() {
        let guard = guard("0.0.0.0:80", Some("0123456789")).below("/alesia");
        assert!(guard.link().ends_with(":80/alesia/?token=0123456789"));
        let response = welcome(&guard, "GET", "/game/x?token=0123456789").unwrap().unwrap();
        assert_eq!(response.headers()[LOCATION], "/alesia/game/x");
        let cookie = response.headers()[SET_COOKIE].to_str().unwrap();
        assert!(cookie.contains("; Path=/alesia/;"), "{cookie}");
        let session = format!("alesia-token-80={}", guard.session);
        let asked = |origin| {
            let headers = [
                ("host", "example.org"),
                ("cookie", &*session),
                ("content-type", "application/json"),
                ("origin", origin),
            ];
            guard.check(&request("POST", "/api/games", &headers)).is_ok()
        };
        assert!(asked("https://example.org") && asked("http://example.org"));
        assert!(!asked("https://example.com") && !asked("example.org"));
        for (text, read) in [("/", ""), ("/alesia/", "/alesia"), ("/a/b-1.x", "/a/b-1.x")] {
            assert_eq!(base(text), Ok(read.to_owned()));
        }
        for bad in ["alesia", "/a//b", "/a b", "/\"", "/a/../b", "/é"] {
            assert!(base(bad).is_err(), "{bad}");
        }
    }

    /// Who leaves at once cannot have more done at the same time than who waits.
    #[test]
    fn who_leaves_a_short_request_still_has_its_place() {
        let gate = Arc::new(Semaphore::new(0));
        let opened = gate.clone();
        let slow = async move || drop(opened.acquire().await);
        let check = from_fn_with_state(Arc::new(guard(LOCAL, None)), check);
        let service = TowerToHyperService::new(Router::new().route("/", any(slow)).layer(check));
        let visitor = Visitor::at([10, 0, 0, 1].into());
        let connection = Arc::new(Arc::new(Connections::default()).open(visitor));
        let ask = |method| {
            let headers = [("host", LOCAL), ("content-type", "application/json")];
            let mut asked = request(method, "/", &headers);
            asked.extensions_mut().insert(connection.clone());
            timeout(Duration::from_millis(1), service.call(asked))
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let mut asked = 0;
            while connection.busy().is_ok() {
                let method = if asked % 2 == 0 { "POST" } else { "GET" };
                assert!(ask(method).await.is_err(), "it waits at the gate");
                asked += 1;
                assert!(asked < 1000, "there is no end to them");
            }
            gate.add_permits(1);
            while connection.busy().is_err() {
                tokio::task::yield_now().await;
            }
        });
    }

    #[test]
    fn tokens_are_long_and_plain() {
        assert!(token("abc-DEF_9").is_ok() && token(&secret()).is_ok());
        for bad in ["", "short", "with space", "with;semicolon", "with%percent", "élevée-à"] {
            assert!(token(bad).is_err(), "{bad}");
        }
    }
}
