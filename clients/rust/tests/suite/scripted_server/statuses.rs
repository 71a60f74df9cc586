//! Statuses with details, as the server sends them.

use std::time::Duration;

use camillo_client::google::rpc;
use prost::{Message, Name};
use prost_types::Any;
use tonic::{Code, Status};

pub fn unavailable() -> Status {
    Status::unavailable("going away")
}

/// A refusal with a reason, and when to come back.
pub fn status(code: Code, reason: &str, retry_after: Option<Duration>) -> Status {
    let info =
        rpc::ErrorInfo { reason: reason.to_owned(), domain: "camillo.v1".to_owned(), metadata: Default::default() };
    let mut details = vec![detail(&info)];
    if let Some(pause) = retry_after {
        details.push(detail(&rpc::RetryInfo { retry_delay: Some(pause.try_into().unwrap()) }));
    }
    with_details(code, details)
}

/// The refusal of one item of a batch.
pub fn item(code: Code, reason: &str) -> rpc::Status {
    rpc::Status::decode(status(code, reason, None).details()).unwrap()
}

pub fn overloaded(retry_after: Option<Duration>) -> Status {
    status(Code::ResourceExhausted, "OVERLOADED", retry_after)
}

/// A refusal of a field.
pub fn refused(field: &str, description: &str) -> Status {
    let violation = rpc::bad_request::FieldViolation {
        field: field.to_owned(),
        description: description.to_owned(),
        ..Default::default()
    };
    let info = rpc::ErrorInfo {
        reason: "INVALID_FIELD".to_owned(),
        domain: "camillo.v1".to_owned(),
        metadata: [("limit".to_owned(), "2000".to_owned())].into(),
    };
    let bad_request = rpc::BadRequest { field_violations: vec![violation] };
    with_details(Code::InvalidArgument, vec![detail(&info), detail(&bad_request)])
}

/// A refusal of so many fields.
pub fn refused_often(times: usize) -> Status {
    let violation = |number| rpc::bad_request::FieldViolation {
        field: format!("memories[{number}].metadata.somewhere_deep_within"),
        description: "x".repeat(100),
        ..Default::default()
    };
    let info =
        rpc::ErrorInfo { reason: "INVALID_FIELD".to_owned(), domain: "camillo.v1".to_owned(), metadata: [].into() };
    let bad_request = rpc::BadRequest { field_violations: (0..times).map(violation).collect() };
    with_details(Code::InvalidArgument, vec![detail(&info), detail(&bad_request)])
}

fn detail<M: Message + Name>(message: &M) -> Any {
    Any { type_url: format!("type.googleapis.com/{}", M::full_name()), value: message.encode_to_vec() }
}

fn with_details(code: Code, details: Vec<Any>) -> Status {
    let told = rpc::Status { code: code.into(), message: "refused".to_owned(), details };
    Status::with_details(code, "refused", told.encode_to_vec().into())
}
