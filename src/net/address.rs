//! Addresses of machines, as people type them.
//!
//! The one idea: one parser wherever an address is typed. A host is a name or an IP address; the
//! port stands behind a colon, or apart where a command asks for it. An IPv6 address may have
//! brackets, and needs them before a colon and a port.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU16;
use std::str::FromStr;

use crate::game::{ParseError, quoted};

/// The forms of an address, for error messages.
const FORMS: &str = "a name or an IP address, perhaps with a port: lab1, lab1:8901, [::1]:8901";

/// A host, and a port if one was typed with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: Option<NonZeroU16>,
}

/// A host and a port. Its `Display` puts an IPv6 address in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// A name or an IP address, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl FromStr for Address {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Address, ParseError> {
        let wrong = || ParseError::new("address", quoted(text), FORMS);
        let (host, port) = if let Some(rest) = text.strip_prefix('[') {
            let (host, rest) =
                rest.split_once(']').filter(|(host, _)| is_v6(host)).ok_or_else(wrong)?;
            match rest {
                "" => (host, None),
                _ => (host, Some(rest.strip_prefix(':').ok_or_else(wrong)?)),
            }
        } else if is_v6(text) {
            (text, None)
        } else {
            text.rsplit_once(':').map_or((text, None), |(host, port)| (host, Some(port)))
        };
        let plain = is_v6(host) || !host.contains([':', '/', '[', ']']);
        // Such as the address of a page.
        let has_path = port.is_some_and(|port| port.contains('/'));
        if host.is_empty() || !plain || has_path || host.contains(char::is_whitespace) {
            return Err(wrong());
        }
        let port = port.map(|port| {
            let expected = "a port from 1 to 65535";
            port.parse().map_err(|_| ParseError::new("port", quoted(port), expected))
        });
        Ok(Address { host: host.to_owned(), port: port.transpose()? })
    }
}

impl Address {
    /// The address with a port that was typed apart.
    ///
    /// # Errors
    /// There is no port at all, or there are two that differ.
    pub fn at(&self, apart: Option<u16>) -> Result<Endpoint, ParseError> {
        let host = self.host.clone();
        let port = match (self.port.map(NonZeroU16::get), apart) {
            (Some(port), Some(other)) if port != other => {
                let found = format!("{port} and {other}");
                return Err(ParseError::new("port", found, "one port"));
            }
            (Some(port), _) | (None, Some(port)) => port,
            (None, None) => {
                let example = Endpoint { host, port: 8901 };
                let found = format!("{} without a port", quoted(&self.host));
                return Err(ParseError::new(
                    "address",
                    found,
                    format!("HOST:PORT, such as {example}"),
                ));
            }
        };
        Ok(Endpoint { host, port })
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match is_v6(&self.host) {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

/// Reads an IP address, with or without brackets.
///
/// # Errors
/// It is none.
pub fn parse_ip(text: &str) -> Result<IpAddr, ParseError> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let read = inner.filter(|inner| is_v6(inner)).unwrap_or(text).parse();
    read.map_err(|_| {
        ParseError::new("address", quoted(text), "an IP address, such as 192.0.2.7 or ::1")
    })
}

/// Whether a text is an IPv6 address, perhaps with a zone (`fe80::1%eth0`).
fn is_v6(text: &str) -> bool {
    let (address, zone) = text.split_once('%').unwrap_or((text, "0"));
    address.parse::<Ipv6Addr>().is_ok() && !zone.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, apart: Option<u16>) -> Result<(String, String, u16), String> {
        let endpoint = text.parse::<Address>().and_then(|address| address.at(apart));
        let Endpoint { host, port } = endpoint.clone().map_err(|error| error.to_string())?;
        Ok((endpoint.unwrap().to_string(), host, port))
    }

    #[test]
    fn a_port_stands_behind_a_colon_or_apart() {
        for (text, apart, shown, host) in [
            ("lab1", Some(8901), "lab1:8901", "lab1"),
            ("lab1:8901", None, "lab1:8901", "lab1"),
            ("lab1:8901", Some(8901), "lab1:8901", "lab1"),
            ("127.0.0.1:8901", None, "127.0.0.1:8901", "127.0.0.1"),
            ("::1", Some(8901), "[::1]:8901", "::1"),
            ("[::1]", Some(8901), "[::1]:8901", "::1"),
            ("[::1]:8901", None, "[::1]:8901", "::1"),
            ("fe80::1%eth0", Some(8901), "[fe80::1%eth0]:8901", "fe80::1%eth0"),
            ("[fe80::1%2]:8901", None, "[fe80::1%2]:8901", "fe80::1%2"),
        ] {
            assert_eq!(read(text, apart), Ok((shown.into(), host.into(), 8901)), "{text}");
        }
    }

    #[test]
    fn rejects_bad_addresses() {
        for text in [
            "",
            ":8901",
            "[]:8901",
            "[::1",
            "[::1]8901",
            "[lab1]:8901",
            "a:b:8901",
            "http://lab1",
            "http://lab1:8901/",
            "lab 1",
            "lab1\n",
            "[::1%]:8901",
            "::1%",
        ] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(error.starts_with("address: found "), "{text}: {error}");
        }
        for text in ["lab1:", "lab1:0", "lab1:65536", "lab1:http", "[::1]:", "lab1:-1"] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(error.ends_with("expected a port from 1 to 65535"), "{text}: {error}");
        }
    }

    #[test]
    fn a_port_is_missing_or_there_are_two() {
        let missing = |text| read(text, None).unwrap_err();
        let expected =
            "address: found `lab1` without a port, expected HOST:PORT, such as lab1:8901";
        assert_eq!(missing("lab1"), expected);
        assert!(missing("::1").ends_with("such as [::1]:8901"));
        let two = read("lab1:8901", Some(8902)).unwrap_err();
        assert_eq!(two, "port: found 8901 and 8902, expected one port");
    }

    #[test]
    fn ip_addresses_have_brackets_or_not() {
        for text in ["::1", "[::1]"] {
            assert_eq!(parse_ip(text), Ok(Ipv6Addr::LOCALHOST.into()));
        }
        assert_eq!(parse_ip("127.0.0.1").unwrap().to_string(), "127.0.0.1");
        for text in ["", "lab1", "[127.0.0.1]", "[::1]:8901", "::1]"] {
            assert!(parse_ip(text).is_err(), "{text}");
        }
    }
}
