//! Which server to talk to, and how.

use std::time::Duration;

use tonic::Code;
use tonic::transport::{Channel, Endpoint};

use crate::addresses;
use crate::connection_thread::ConnectionThread;
use crate::error::{Error, Result};
use crate::tls::Tls;

const DEFAULT_ADDRESS: &str = "localhost:7070";
const USER_AGENT: &str = concat!("camillo-client-rust/", env!("CARGO_PKG_VERSION"));
// gRPC servers allow a ping in 5 minutes without data and close connections of clients that ping more often; load
// balancers forget connections that are idle for about 6.
const KEEPALIVE: Duration = Duration::from_secs(330);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
// Details of errors come in it: 16 KiB, as there are by default, are less than a hundred broken limits take.
const MAX_METADATA_BYTES: u32 = 64 * 1024;

/// The address given, else that of `CAMILLO_ADDRESS`, else the local default; refused where it is no host and port.
pub(crate) fn resolved_address(given: Option<String>, variable: impl Fn(&str) -> Option<String>) -> Result<String> {
    let from_environment = || variable("CAMILLO_ADDRESS").filter(|address| !address.is_empty());
    let found = given.filter(|address| !address.is_empty()).or_else(from_environment);
    // As with keys: a line end would be taken for a part of the name.
    let address = found.unwrap_or_else(|| DEFAULT_ADDRESS.to_owned()).trim().to_owned();
    addresses::check(&address)?;
    Ok(address)
}

/// The key given, else that of `CAMILLO_KEY`, else none.
pub(crate) fn resolved_key(given: Option<String>, variable: impl Fn(&str) -> Option<String>) -> String {
    // Keys are read from files and pipes, and a line end in a header fails without saying why.
    given.or_else(|| variable("CAMILLO_KEY")).unwrap_or_default().trim().to_owned()
}

/// A channel that connects when it is first used, and again after each break.
pub(crate) fn channel(address: &str, tls: Option<&Tls>) -> Result<Channel> {
    let authority = authority(address);
    if authority.contains('/') {
        return Err(refused(format!("{address:?} is no address: give a host and a port")));
    }
    let scheme = if tls.is_some() { "https" } else { "http" };
    let mut endpoint = Endpoint::from_shared(format!("{scheme}://{authority}"))
        .map_err(|error| refused(format!("{address:?} is no address: {error}")))?
        .user_agent(USER_AGENT)
        .map_err(|error| refused(error.to_string()))?
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_max_header_list_size(MAX_METADATA_BYTES)
        .http2_keep_alive_interval(KEEPALIVE)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT);
    if let Some(tls) = tls {
        endpoint = endpoint.tls_config(tls.config()?).map_err(|error| refused(format!("TLS: {error}")))?;
    }
    let thread = ConnectionThread::start().map_err(|error| refused(format!("no thread for connections: {error}")))?;
    Ok(endpoint.executor(thread).connect_lazy())
}

/// Host and port, also of an address as gRPC in other languages writes it.
fn authority(address: &str) -> &str {
    ["dns:///", "dns:"].iter().find_map(|prefix| address.strip_prefix(prefix)).unwrap_or(address)
}

fn refused(message: String) -> Error {
    Error::local(Code::InvalidArgument, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_be_written_as_elsewhere() {
        for written in ["tea:7070", "dns:///tea:7070", "dns:tea:7070"] {
            assert_eq!(authority(written), "tea:7070");
        }
    }

    #[test]
    fn space_around_a_key_is_taken_off() {
        assert_eq!(resolved_key(Some(" cam_1\n".to_owned()), |_| None), "cam_1");
    }

    #[tokio::test]
    async fn roots_that_are_no_certificates_are_refused_at_once() {
        for pem in ["", "no PEM"] {
            let tls = Tls::new().root_certificates(pem);
            assert_eq!(channel("tea:7070", Some(&tls)).unwrap_err().code(), Code::InvalidArgument);
        }
    }

    #[tokio::test]
    async fn what_this_client_cannot_connect_to_is_refused_at_once() {
        for address in ["unix:/run/camillo.sock", "ipv4:127.0.0.1:7070", "xds:///tea", "dns://192.0.2.1/tea:7070"] {
            assert_eq!(channel(address, None).unwrap_err().code(), Code::InvalidArgument, "{address}");
        }
        assert!(channel("dns:///tea:7070", None).is_ok());
    }
}
