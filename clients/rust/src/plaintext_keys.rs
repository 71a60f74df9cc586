//! Keys that would go unencrypted to another machine.

use std::net::IpAddr;

/// One warning for a key that would leave this machine as it is.
pub(crate) fn warn(address: &str, key: &str, is_encrypted: bool) {
    if !key.is_empty() && !is_encrypted && !stays_here(address) {
        tracing::warn!(target: "camillo_client", "the key goes to {address} unencrypted: connect with tls");
    }
}

/// Whether what is sent to an address, in any form that gRPC takes, stays on this machine.
pub(crate) fn stays_here(address: &str) -> bool {
    // The name may end at one of these, wherever the rest of the address leads.
    if address.contains(['@', '%', '?', '#']) {
        return false;
    }
    let bare = address.trim_end_matches('/');
    let bare = bare.rsplit('/').next().unwrap_or(bare);
    let host = host(bare.strip_prefix("dns:").unwrap_or(bare)).to_ascii_lowercase();
    host == "localhost" || host.ends_with(".localhost") || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

fn host(address: &str) -> &str {
    if let Some(bracketed) = address.strip_prefix('[') {
        return bracketed.split(']').next().unwrap_or(bracketed);
    }
    // Two colons and more are an IPv6 address without a port.
    match address.split_once(':') {
        Some((host, port)) if !port.contains(':') => host,
        _ => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_to_this_machine_stays_here() {
        let here = ["localhost:7070", "localhost", "dns:///localhost:7070", "dns:localhost:7070", "127.0.0.1:7070"];
        let also = ["127.9.9.9", "[::1]:7070", "::1", "http://localhost:7070/", "camillo.localhost:80"];
        for address in here.iter().chain(&also) {
            assert!(stays_here(address), "{address}");
        }
    }

    #[test]
    fn what_goes_elsewhere_does_not() {
        let away = ["camillo.example:7070", "camillo", "10.0.0.1:7070", "[2001:db8::1]:7070", "0.0.0.0:7070"];
        let also =
            ["dns:///camillo.example:7070", "http://camillo.example", "127.evil.example:7070", "dns:///tea#/localhost"];
        for address in away.iter().chain(&also) {
            assert!(!stays_here(address), "{address}");
        }
    }
}
