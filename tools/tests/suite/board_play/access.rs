//! Who is let in: secrets of seats, pages from elsewhere, other addresses.

use serde_json::json;

use super::table::{Game, SIDES};
use crate::board::Server;

#[test]
fn no_event_contains_a_token() {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "hadron5");
    let mut lobby = server.events("/api/lobby/events");
    let listed = lobby.until("lobby", |lobby| lobby["games"][0]["open"] == json!([]));
    for side in SIDES {
        let token = table.token(side).as_str().unwrap();
        assert_eq!(token.len(), 32);
        assert!(!table.whole().to_string().contains(token));
        assert!(!listed.to_string().contains(token));
    }
    assert_ne!(table.token("white"), table.token("black"));
}

#[test]
fn pages_from_elsewhere_can_do_nothing() {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "hadron5");
    let path = format!("/api/games/{}/move", table.id);
    let good = json!({ "token": table.token("white"), "ply": 0, "move": "A1" }).to_string();
    let json = ("content-type", "application/json");
    let send = |headers: &[(&str, &str)]| {
        server.send("POST", &path, &[&[json], headers].concat(), &good).refusal()
    };
    let before = table.still();
    for origin in ["http://example.org", "null", "http://localhost:1", "http://127.0.0.1"] {
        let refused = (403, "the request comes from another page".into());
        assert_eq!(send(&[("origin", origin)]), refused);
    }
    for host in ["example.org", "localhost.example.org", "example.org:80", "127.0.0.1.nip.io", ""] {
        let refused =
            (403, "unknown host name: open the page by an IP address or as localhost".into());
        let origin = format!("http://{host}");
        assert_eq!(send(&[("host", host), ("origin", &origin)]), refused);
        let answer = server.send("GET", "/api/rules", &[("host", host)], "");
        assert_eq!(answer.refusal(), refused);
    }
    let watching = format!("/api/games/{}/events", table.id);
    for site in ["cross-site", "same-site"] {
        let headers = [("sec-fetch-site", site), ("sec-fetch-mode", "cors")];
        assert_eq!(server.send("GET", &watching, &headers, "").refusal().0, 403);
    }
    assert_eq!(table.still(), before);
    let port = server.host.rsplit_once(':').unwrap().1;
    let (host, origin) = (format!("localhost:{port}"), format!("http://localhost:{port}"));
    server.send("POST", &path, &[json, ("host", &host), ("origin", &origin)], &good).json();
    // Following a link from another page is no harm.
    let headers = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    assert_eq!(server.send("GET", "/", &headers, "").status, 200);
}

#[test]
fn other_addresses_need_the_token() {
    let server = Server::start(&["--bind", "0.0.0.0"]);
    let token = server.token.as_deref().expect("the printed address has a token");
    let words = "open the address that the program printed, with its token";
    for path in ["/", "/api/rules", "/api/lobby/events", "/?token=0123456789abcdef", "/?token="] {
        assert_eq!(server.get(path).refusal(), (403, words.into()));
    }
    assert_eq!(server.post("/api/games", &json!({})).refusal(), (403, words.into()));
    let browser = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let closed = server.send("GET", "/game/x", &browser, "");
    assert_eq!(
        (closed.status, closed.header("content-type")),
        (403, Some("text/html; charset=utf-8"))
    );
    assert!(closed.body.contains("including <code>?token=…</code>"), "{}", closed.body);
    let welcome = server.get(&format!("/game/x?token={token}"));
    assert_eq!((welcome.status, welcome.header("location")), (303, Some("/game/x")));
    let cookie = welcome.header("set-cookie").unwrap();
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    let rules = server.send("GET", "/api/rules", &[("cookie", cookie)], "").json();
    assert_eq!(rules["token"], token, "for the links to other people");
    let others = format!("a=b; {cookie}; c=d");
    server.events_with("/api/lobby/events", &[("cookie", &others)]).wait("lobby");
    assert!(!cookie.contains(token), "the cookie is no use at another server");
    let (name, _) = cookie.split_once('=').unwrap();
    let wrong = [token, &"0".repeat(32)].map(|value| format!("{name}={value}"));
    for cookie in [&*wrong[0], &*wrong[1], "", "alesia-token=", token] {
        let answer = server.send("GET", "/api/rules", &[("cookie", cookie)], "");
        assert_eq!(answer.refusal(), (403, words.into()));
    }
}
