//! Encryption of the connection, and who proves who it is.

use std::fmt;

use tonic::Code;
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use crate::error::{Error, Result};

const CERTIFICATE: &[u8] = b"-----BEGIN CERTIFICATE-----";

/// How to encrypt. As it is by default, the server has to have a certificate of a public authority.
#[derive(Clone, Default)]
pub struct Tls {
    roots: Option<Vec<u8>>,
    identity: Option<(Vec<u8>, Vec<u8>)>,
    server_name: Option<String>,
}

impl Tls {
    /// With the root certificates that the client comes with.
    pub fn new() -> Self {
        Self::default()
    }

    /// Trusts these authorities instead: PEM.
    pub fn root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.roots = Some(pem.into());
        self
    }

    /// The client proves who it is: a certificate chain and its private key, both PEM.
    pub fn identity(mut self, certificate_chain: impl Into<Vec<u8>>, private_key: impl Into<Vec<u8>>) -> Self {
        self.identity = Some((certificate_chain.into(), private_key.into()));
        self
    }

    /// The name in the server's certificate, where it is not that of the address.
    pub fn server_name(mut self, name: impl Into<String>) -> Self {
        self.server_name = Some(name.into());
        self
    }

    pub(crate) fn has_identity(&self) -> bool {
        self.identity.is_some()
    }

    /// InvalidArgument for roots without a certificate: nothing would be trusted, and nobody told why.
    pub(crate) fn config(&self) -> Result<ClientTlsConfig> {
        let mut config = ClientTlsConfig::new();
        config = match &self.roots {
            Some(pem) if !holds_certificate(pem) => {
                return Err(Error::local(Code::InvalidArgument, "TLS: the roots hold no certificate"));
            }
            Some(pem) => config.ca_certificate(Certificate::from_pem(pem)),
            None => config.with_webpki_roots(),
        };
        if let Some((chain, key)) = &self.identity {
            config = config.identity(Identity::from_pem(chain, key));
        }
        Ok(match &self.server_name {
            Some(name) => config.domain_name(name),
            None => config,
        })
    }
}

fn holds_certificate(pem: &[u8]) -> bool {
    pem.windows(CERTIFICATE.len()).any(|window| window == CERTIFICATE)
}

impl fmt::Debug for Tls {
    /// Without the private key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tls").field("server_name", &self.server_name).finish_non_exhaustive()
    }
}
