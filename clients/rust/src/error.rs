//! Errors of a call.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use tonic::Code;

use crate::reason::Reason;

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// Every failure of a call. `reason` says why where Camillo itself refused it; `code` where anything else did, too.
///
/// ```
/// # use camillo_client::{Error, Reason};
/// fn is_gone(error: &Error) -> bool {
///     matches!(error.reason(), Some(Reason::MemoryNotFound | Reason::ArtifactNotFound))
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Error(Box<Failure>);

/// One field of a request that breaks a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldViolation {
    /// The field, such as `memory.content`.
    pub field: String,
    /// Says what is wrong with it.
    pub description: String,
}

/// Holds what was said about a call that failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub code: Code,
    pub message: String,
    pub reason: Option<Reason>,
    pub metadata: BTreeMap<String, String>,
    pub field_violations: Vec<FieldViolation>,
    pub retry_after: Option<Duration>,
    pub request_id: String,
}

impl Error {
    /// A failure that no server told of.
    pub(crate) fn local(code: Code, message: impl Into<String>) -> Self {
        Failure {
            code,
            message: message.into(),
            reason: None,
            metadata: BTreeMap::new(),
            field_violations: Vec::new(),
            retry_after: None,
            request_id: String::new(),
        }
        .into()
    }

    pub(crate) fn with_request_id(mut self, request_id: &str) -> Self {
        request_id.clone_into(&mut self.0.request_id);
        self
    }

    /// The status code of gRPC. A server that cannot be reached, whatever the cause, is `Unavailable`; a method that an
    /// older server does not have is `Unimplemented`; bytes that were damaged on their way are `DataLoss`.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Why; None where the failure did not come from Camillo.
    pub fn reason(&self) -> Option<&Reason> {
        self.0.reason.as_ref()
    }

    /// For people to read.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns what the reason is about, by the keys that the contract names at it, such as `actual_version`.
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.0.metadata
    }

    /// Each field that breaks a limit, for `InvalidField`.
    pub fn field_violations(&self) -> &[FieldViolation] {
        &self.0.field_violations
    }

    /// When to come back, where the server said so.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Id of the mutation that failed, else empty: sent again with this id, it happens once at most.
    pub fn request_id(&self) -> &str {
        &self.0.request_id
    }

    /// Whether the server, or what it needs, cannot be reached at the moment.
    pub fn is_unavailable(&self) -> bool {
        self.code() == Code::Unavailable
    }

    /// Whether the call took longer than its timeout. A mutation may have happened: repeat it with its `request_id`.
    pub fn is_deadline_exceeded(&self) -> bool {
        self.code() == Code::DeadlineExceeded
    }

    /// Whether the method is not supported by this server, which is older than the client.
    pub fn is_method_unknown(&self) -> bool {
        self.code() == Code::Unimplemented
    }

    pub(crate) fn is_overloaded(&self) -> bool {
        self.reason() == Some(&Reason::Overloaded)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self(Box::new(failure))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            Some(reason) => write!(formatter, "{reason}: {}", self.message())?,
            None if self.is_method_unknown() => write!(formatter, "not supported by this server: {}", self.message())?,
            None => write!(formatter, "{:?}: {}", self.code(), self.message())?,
        }
        for violation in self.field_violations() {
            write!(formatter, "; {}: {}", violation.field, violation.description)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
