//! From a gRPC status to an error: the one place that knows the wire form of errors.

use std::error::Error as _;
use std::time::Duration;

use prost::{Message, Name};
use tonic::{Code, Status};

use crate::error::{Error, Failure, FieldViolation};
use crate::google::rpc;
use crate::reason::Reason;

const DOMAIN: &str = "camillo.v1";
// Text of tonic, with OUT_OF_RANGE, of a message above the limit.
const TOO_LARGE: &str = "message length too large";
// Text of tonic, with UNKNOWN, of an answer that broke off: a proxy or a server that goes away ends it so.
const BROKEN_OFF: &str = "missing grpc-status trailer";
// Text of tonic, with CANCELLED, when its own timer for the deadline is the first to go off.
const TIMER: &str = "Timeout expired";

/// The error of a failed call.
pub(crate) fn from_status(status: &Status, request_id: &str) -> Error {
    let message = match status.source() {
        Some(source) => with_causes(status.message(), source),
        None if status.message().is_empty() && status.code() == Code::Cancelled => "the server went away".to_owned(),
        None => status.message().to_owned(),
    };
    // Whatever mangled the details on the way: the code and the message still stand.
    let details = rpc::Status::decode(status.details()).map(|told| told.details).unwrap_or_default();
    typed(code(status), message, &details).with_request_id(request_id)
}

/// The error of one item of a batch.
pub(crate) fn from_item(status: &rpc::Status) -> Error {
    typed(Code::from(status.code), status.message.clone(), &status.details)
}

/// The code; a status with a source was made on this side, of a connection that could not be made or that broke.
fn code(status: &Status) -> Code {
    match status.code() {
        Code::Cancelled if status.message() == TIMER => Code::DeadlineExceeded,
        Code::OutOfRange if status.message().contains(TOO_LARGE) => Code::ResourceExhausted,
        Code::Unknown if status.message().contains(BROKEN_OFF) => Code::Unavailable,
        Code::Unknown | Code::Internal if status.source().is_some() => Code::Unavailable,
        // Whoever no longer wants an answer drops the future: this is a server that took a call and stopped before it was done.
        Code::Cancelled => Code::Unavailable,
        code => code,
    }
}

fn with_causes(message: &str, source: &(dyn std::error::Error + 'static)) -> String {
    let mut text = message.to_owned();
    let mut next = Some(source);
    while let Some(cause) = next {
        let told = cause.to_string();
        if !text.contains(&told) {
            text = format!("{text}: {told}");
        }
        next = cause.source();
    }
    text
}

fn typed(code: Code, message: String, details: &[prost_types::Any]) -> Error {
    let info: Option<rpc::ErrorInfo> = detail(details);
    let bad_request: rpc::BadRequest = detail(details).unwrap_or_default();
    let retry: rpc::RetryInfo = detail(details).unwrap_or_default();
    Failure {
        code,
        message,
        reason: info.as_ref().and_then(reason),
        metadata: info.map(|info| info.metadata.into_iter().collect()).unwrap_or_default(),
        field_violations: bad_request.field_violations.into_iter().map(violation).collect(),
        retry_after: retry.retry_delay.and_then(|delay| Duration::try_from(delay).ok()),
        request_id: String::new(),
    }
    .into()
}

/// A reason of another service is kept as its text, whatever it is called.
fn reason(info: &rpc::ErrorInfo) -> Option<Reason> {
    match info.reason.as_str() {
        "" => None,
        name if info.domain == DOMAIN => Some(Reason::from_name(name)),
        name => Some(Reason::Other(name.to_owned())),
    }
}

fn violation(told: rpc::bad_request::FieldViolation) -> FieldViolation {
    FieldViolation { field: told.field, description: told.description }
}

fn detail<M: Name + Default>(details: &[prost_types::Any]) -> Option<M> {
    details.iter().find_map(|any| any.to_msg().ok())
}
