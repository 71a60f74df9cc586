//! Failures as the suite compares them.

use camillo_client::{Code, Error, Reason};
use serde_json::{Value, json};

/// Why a command failed: in the client or the server, or because it cannot be understood.
pub enum Failed {
    /// Told by the client.
    Call(Box<Error>),
    /// Told by the runner: a code and a message.
    Command(&'static str, String),
}

impl Failed {
    /// Not to be understood.
    pub fn bad_command(message: &str) -> Self {
        Self::Command("INVALID_ARGUMENT", message.to_owned())
    }

    /// Returns what the suite gets.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Call(error) => of_call(error),
            Self::Command(code, message) => json!({
                "code": code, "reason": "", "type": "", "message": message, "metadata": {}, "fields": [],
                "retry_after_seconds": null, "request_id": "",
            }),
        }
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Call(Box::new(error))
    }
}

impl From<std::io::Error> for Failed {
    fn from(error: std::io::Error) -> Self {
        Self::Command("UNKNOWN", error.to_string())
    }
}

fn of_call(error: &Error) -> Value {
    let fields: Vec<&str> = error.field_violations().iter().map(|violation| violation.field.as_str()).collect();
    json!({
        "code": code_name(error.code()),
        "reason": error.reason().map_or("", Reason::as_str),
        "type": kind(error),
        "message": error.message(),
        "metadata": error.metadata(),
        "fields": fields,
        "retry_after_seconds": error.retry_after().map(|pause| pause.as_secs_f64()),
        "request_id": error.request_id(),
    })
}

/// The reason's own name; of an unknown reason, that of the code.
fn kind(error: &Error) -> String {
    match error.reason() {
        // Named as in the other clients, where the reason alone says too little.
        Some(Reason::CompactionState) => "CompactionInWrongState".to_owned(),
        Some(Reason::Other(_)) => by_code(error.code()).to_owned(),
        Some(reason) => format!("{reason:?}"),
        None if error.code() == Code::DataLoss => "BytesDamaged".to_owned(),
        None => by_code(error.code()).to_owned(),
    }
}

fn by_code(code: Code) -> &'static str {
    match code {
        Code::InvalidArgument => "InvalidArgument",
        Code::Unauthenticated => "CredentialInvalid",
        Code::PermissionDenied => "ScopeForbidden",
        Code::NotFound => "NotFound",
        Code::AlreadyExists => "AlreadyExists",
        Code::ResourceExhausted => "ResourceExhausted",
        Code::FailedPrecondition => "FailedPrecondition",
        Code::Unavailable => "Unavailable",
        Code::DeadlineExceeded => "DeadlineExceeded",
        Code::Internal => "InternalError",
        Code::Unimplemented => "MethodUnknown",
        _ => "CamilloError",
    }
}

fn code_name(code: Code) -> String {
    // InvalidArgument as INVALID_ARGUMENT.
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}
