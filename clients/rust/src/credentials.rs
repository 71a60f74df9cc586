//! The metadata that every call carries.

use std::fmt;

use sha2::{Digest, Sha256};
use tonic::metadata::{AsciiMetadataValue, MetadataMap};
use tonic::service::Interceptor;
use tonic::{Code, Request, Status};

use crate::error::{Error, Result};

const SCOPE_DIGITS: usize = 16;

/// Who calls.
#[derive(Clone)]
pub(crate) struct Credentials {
    key: String,
    authorization: Option<AsciiMetadataValue>,
}

impl Credentials {
    /// InvalidArgument for a key that cannot be sent.
    pub(crate) fn new(key: String) -> Result<Self> {
        let mut authorization = None;
        if !key.is_empty() {
            let refused = |_| Error::local(Code::InvalidArgument, "the key holds characters that no key has");
            let mut value = AsciiMetadataValue::try_from(format!("Bearer {key}")).map_err(refused)?;
            value.set_sensitive(true);
            authorization = Some(value);
        }
        Ok(Self { key, authorization })
    }

    /// The metadata of a call for this agent.
    pub(crate) fn put_into(&self, metadata: &mut MetadataMap, agent_id: &str) {
        if let Some(authorization) = &self.authorization {
            metadata.insert("authorization", authorization.clone());
        }
        if let Ok(scope) = scope(&self.key, agent_id).parse() {
            metadata.insert("camillo-scope", scope);
        }
        crate::trace_context::put_into(metadata);
    }
}

/// By it, a proxy sends calls of one scope to one replica; says nothing about the key.
fn scope(key: &str, agent_id: &str) -> String {
    let digest = Sha256::digest(format!("{key}\0{agent_id}"));
    digest.iter().take(SCOPE_DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}

/// Adds what every call carries to those of a bare stub.
#[derive(Clone)]
pub struct Authorization {
    pub(crate) credentials: Credentials,
    pub(crate) agent_id: String,
}

impl Interceptor for Authorization {
    fn call(&mut self, mut request: Request<()>) -> std::result::Result<Request<()>, Status> {
        self.credentials.put_into(request.metadata_mut(), &self.agent_id);
        Ok(request)
    }
}

impl fmt::Debug for Authorization {
    /// Without the key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Authorization").field("agent_id", &self.agent_id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_one_scope_are_known_by_it_and_not_by_the_key() {
        assert_eq!(scope("", ""), "6e340b9cffb37a98");
        assert_eq!(scope("key", "ada"), scope("key", "ada"));
        assert_ne!(scope("key", "ada"), scope("key", "bob"));
        assert_ne!(scope("key", "ada"), scope("other", "ada"));
    }

    #[test]
    fn a_key_that_no_header_holds_is_refused() {
        assert!(Credentials::new("a\u{7}b".to_owned()).is_err());
    }
}
