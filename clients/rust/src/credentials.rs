//! The metadata that every call carries.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tonic::metadata::{AsciiMetadataValue, MetadataMap};
use tonic::service::Interceptor;
use tonic::{Code, Request, Status};

use crate::error::{Error, Result};
use crate::local_key::FoundKey;

const SCOPE_DIGITS: usize = 16;
const DEFAULT_AGENT: &str = "default";

/// Who calls.
#[derive(Clone)]
pub(crate) struct Credentials {
    key: String,
    authorization: Option<AsciiMetadataValue>,
    // Agent of calls that name none, with a key that may act for any.
    default_agent: AsciiMetadataValue,
    // Holds what a caller is told where the server refuses a key that the caller did not give.
    refusal: Arc<str>,
}

impl Credentials {
    /// InvalidArgument for a key or an agent that cannot be sent.
    pub(crate) fn new(found: FoundKey, default_agent: Option<String>) -> Result<Self> {
        let FoundKey { key, refusal } = found;
        let mut authorization = None;
        if !key.is_empty() {
            let refused = |_| Error::local(Code::InvalidArgument, "the key holds characters that no key has");
            let mut value = AsciiMetadataValue::try_from(format!("Bearer {key}")).map_err(refused)?;
            value.set_sensitive(true);
            authorization = Some(value);
        }
        let named = default_agent.as_deref().map(str::trim).filter(|agent| !agent.is_empty());
        let refused = |_| Error::local(Code::InvalidArgument, "CAMILLO_AGENT holds characters that no agent id has");
        let default_agent = AsciiMetadataValue::try_from(named.unwrap_or(DEFAULT_AGENT)).map_err(refused)?;
        Ok(Self { key, authorization, default_agent, refusal: refusal.into() })
    }

    /// The metadata of a call for this agent.
    pub(crate) fn put_into(&self, metadata: &mut MetadataMap, agent_id: &str) {
        if let Some(authorization) = &self.authorization {
            metadata.insert("authorization", authorization.clone());
        }
        if let Ok(scope) = scope(&self.key, agent_id).parse() {
            metadata.insert("camillo-scope", scope);
        }
        metadata.insert("camillo-default-agent", self.default_agent.clone());
        crate::trace_context::put_into(metadata);
    }

    /// The status of a failed call; of a refused key that the caller did not give, it names the file.
    pub(crate) fn explained(&self, status: Status) -> Status {
        if status.code() != Code::Unauthenticated || self.refusal.is_empty() {
            return status;
        }
        let details = Bytes::copy_from_slice(status.details());
        Status::with_details_and_metadata(status.code(), &*self.refusal, details, status.metadata().clone())
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
        assert!(Credentials::new(found("a\u{7}b", ""), None).is_err());
        assert!(Credentials::new(found("", ""), Some("a\nb".to_owned())).is_err());
    }

    #[test]
    fn a_refused_key_that_was_found_is_told_by_its_file() {
        let refused = || Status::unauthenticated("the credential is missing or not valid");
        let credentials = Credentials::new(found("cam_1", "the key in root.key"), None).unwrap();
        assert_eq!(credentials.explained(refused()).message(), "the key in root.key");
        assert_eq!(credentials.explained(Status::not_found("no memory")).message(), "no memory");
        let given = Credentials::new(found("cam_1", ""), None).unwrap();
        assert_eq!(given.explained(refused()).message(), refused().message());
    }

    #[test]
    fn calls_without_an_agent_are_for_the_default_one() {
        for (set, expected) in [(None, "default"), (Some(" "), "default"), (Some(" ada\n"), "ada")] {
            let credentials = Credentials::new(found("", ""), set.map(str::to_owned)).unwrap();
            let mut metadata = MetadataMap::new();
            credentials.put_into(&mut metadata, "");
            assert_eq!(metadata.get("camillo-default-agent").unwrap(), expected);
        }
    }

    fn found(key: &str, refusal: &str) -> FoundKey {
        FoundKey { key: key.to_owned(), refusal: refusal.to_owned() }
    }
}
