//! How the address of a server is written. The cases that the clients of all languages share are in `addresses.json`.

use std::net::Ipv6Addr;

use tonic::Code;

use crate::error::{Error, Result};

const DEFAULT_HOST: &str = "localhost";
const DEFAULT_PORT: &str = "7070";
const MAX_PORT: u16 = u16::MAX;
// Names that gRPC resolves itself in other languages: what follows is not looked at here.
const RESOLVED_BY_GRPC: [&str; 7] = ["dns", "ipv4", "ipv6", "unix", "unix-abstract", "vsock", "xds"];
const WITHOUT: &str = "an address is a host and a port without";

/// Refuses what would be looked up in vain, or lead somewhere else, and says what was probably meant.
pub(crate) fn check(address: &str) -> Result<()> {
    let name = address.split_once(':').map(|(name, _)| name.to_ascii_lowercase());
    if name.is_some_and(|name| RESOLVED_BY_GRPC.contains(&name.as_str())) {
        return Ok(());
    }
    match mistake(address) {
        Some((problem, instead)) => Err(Error::local(Code::InvalidArgument, format!("{problem}: use {instead}"))),
        None => Ok(()),
    }
}

/// The mistake in an address, and the address to use instead; none if it is right.
fn mistake(address: &str) -> Option<(String, String)> {
    let (scheme, rest) = scheme(address).map_or((None, address), |(name, rest)| (Some(name), rest));
    let bare = rest.trim_start_matches('/').split(['/', '?', '#']).next().unwrap_or_default();
    let authority = bare.rsplit('@').next().unwrap_or_default();
    let (host, port) = host_and_port(authority);
    let instead = proposed(&host, port);
    if let Some(name) = scheme {
        let is_encrypted = ["https", "grpcs"].contains(&name.to_ascii_lowercase().as_str());
        let how = if is_encrypted { " with TLS" } else { "" };
        return Some((format!("{WITHOUT} {name}://"), format!("{instead}{how}")));
    }
    if bare != address {
        return Some((format!("{WITHOUT} a path"), instead));
    }
    if bare != authority {
        return Some((format!("{WITHOUT} a user"), instead));
    }
    let instead = if is_host(&host) { instead } else { proposed("", "") };
    problem(address, &host, port).map(|problem| (problem, instead))
}

fn problem(address: &str, host: &str, port: &str) -> Option<String> {
    if address.is_empty() {
        Some("the address is blank".to_owned())
    } else if host.is_empty() {
        Some(format!("the address {address} has no host"))
    } else if !is_host(host) {
        Some(format!("the host of {address} is no name"))
    } else if port.is_empty() {
        Some(format!("the address {address} has no port"))
    } else if !is_port(port) {
        Some(format!("the port of {address} is no number from 1 to {MAX_PORT}"))
    } else {
        None
    }
}

/// The name before `:/`, and what follows.
fn scheme(address: &str) -> Option<(&str, &str)> {
    let (name, rest) = address.split_once(':')?;
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "+.-".contains(letter);
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(is_allowed);
    (is_name && rest.starts_with('/')).then_some((name, rest))
}

/// The parts as they are written, an IPv6 address in brackets; empty where there is none.
fn host_and_port(authority: &str) -> (String, &str) {
    if is_ipv6(authority) {
        return (format!("[{authority}]"), "");
    }
    if authority.starts_with('[') {
        let (host, port) = authority.split_once(']').unwrap_or((authority, ""));
        return (format!("{host}]"), port.strip_prefix(':').unwrap_or(port));
    }
    if is_port(authority) {
        return (String::new(), authority);
    }
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    (host.to_owned(), port)
}

fn proposed(host: &str, port: &str) -> String {
    let host = if host.is_empty() { DEFAULT_HOST } else { host };
    let port = if is_port(port) { port } else { DEFAULT_PORT };
    format!("{host}:{port}")
}

fn is_host(text: &str) -> bool {
    match text.strip_prefix('[') {
        Some(bracketed) => is_ipv6(bracketed.trim_end_matches(']')),
        None => !text.contains(|letter: char| letter.is_whitespace() || "\"'<>()[]{}\\|^`,;%@".contains(letter)),
    }
}

fn is_ipv6(text: &str) -> bool {
    let (bare, zone) = text.split_once('%').unwrap_or((text, "any"));
    !zone.is_empty() && bare.parse::<Ipv6Addr>().is_ok()
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|letter| letter.is_ascii_digit()) && text.parse::<u16>().is_ok_and(|port| port > 0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use super::*;
    use crate::target::resolved_address;

    fn shared(name: &str) -> Vec<Value> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../addresses.json");
        let cases: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        cases[name].as_array().unwrap().clone()
    }

    fn text<'a>(case: &'a Value, name: &str) -> &'a str {
        case[name].as_str().unwrap()
    }

    #[test]
    fn addresses_are_taken_as_they_are() {
        for case in shared("taken") {
            let address = resolved_address(Some(text(&case, "given").to_owned()), |_| None).unwrap();
            assert_eq!(address, text(&case, "address"));
        }
    }

    #[test]
    fn an_address_that_is_written_wrong_is_corrected() {
        for case in shared("refused") {
            let (given, instead) = (text(&case, "given"), text(&case, "use"));
            let how = if case["tls"] == true { " with TLS" } else { "" };
            let told = format!("{}: use {instead}{how}", text(&case, "problem"));
            for found in
                [resolved_address(Some(given.to_owned()), |_| None), resolved_address(None, |_| Some(given.to_owned()))]
            {
                let error = found.unwrap_err();
                assert_eq!((error.code(), error.message()), (Code::InvalidArgument, told.as_str()), "{given}");
            }
            // A proposed address is accepted.
            assert!(check(instead).is_ok(), "{instead}");
        }
    }
}
