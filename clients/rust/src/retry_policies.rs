//! Calls that are tried again when the server is unavailable: calls that do no harm when they arrive twice. Told by a service
//! config of gRPC, the same for the clients in all languages.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::Value;
use tonic::Code;

use crate::back_off::spread;
use crate::error::Error;
use crate::requests::Method;

static POLICIES: LazyLock<HashMap<String, Arc<RetryPolicy>>> =
    LazyLock::new(|| parse(include_str!("service_config.json")).expect("the service config is part of the client"));

/// How often, and after how long.
#[derive(Debug, PartialEq)]
pub(crate) struct RetryPolicy {
    max_attempts: u32,
    initial_backoff: Duration,
    max_backoff: Duration,
    multiplier: f64,
    codes: Vec<Code>,
}

impl RetryPolicy {
    /// The policy of a method; None for one that is never tried again by itself.
    pub(crate) fn of(method: Method) -> Option<&'static Self> {
        POLICIES.get(&method.path()).map(Arc::as_ref)
    }

    /// How long to wait after so many attempts, the last of which failed so; None: it is not tried again.
    pub(crate) fn pause_after(&self, attempts: u32, error: &Error) -> Option<Duration> {
        if attempts >= self.max_attempts || !self.codes.contains(&error.code()) {
            return None;
        }
        Some(error.retry_after().unwrap_or_else(|| self.back_off(attempts)))
    }

    /// Spread by a fifth to both sides, as gRPC does.
    fn back_off(&self, attempts: u32) -> Duration {
        let grown = self.initial_backoff.mul_f64(self.multiplier.powf(f64::from(attempts - 1)));
        grown.min(self.max_backoff).mul_f64(0.8 + 0.4 * spread())
    }
}

fn parse(text: &str) -> Option<HashMap<String, Arc<RetryPolicy>>> {
    let config: Value = serde_json::from_str(text).ok()?;
    let mut policies = HashMap::new();
    for entry in config["methodConfig"].as_array()? {
        let policy = Arc::new(policy(&entry["retryPolicy"])?);
        for name in entry["name"].as_array()? {
            let path = format!("/{}/{}", name["service"].as_str()?, name["method"].as_str()?);
            policies.insert(path, Arc::clone(&policy));
        }
    }
    Some(policies)
}

fn policy(told: &Value) -> Option<RetryPolicy> {
    Some(RetryPolicy {
        max_attempts: told["maxAttempts"].as_u64()?.try_into().ok()?,
        initial_backoff: duration(&told["initialBackoff"])?,
        max_backoff: duration(&told["maxBackoff"])?,
        multiplier: told["backoffMultiplier"].as_f64()?,
        codes: told["retryableStatusCodes"].as_array()?.iter().map(code).collect::<Option<_>>()?,
    })
}

fn duration(told: &Value) -> Option<Duration> {
    let seconds: f64 = told.as_str()?.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Codes that may be tried again at all.
fn code(told: &Value) -> Option<Code> {
    match told.as_str()? {
        "UNAVAILABLE" => Some(Code::Unavailable),
        // Told as Unavailable before it comes here.
        "CANCELLED" => Some(Code::Cancelled),
        "RESOURCE_EXHAUSTED" => Some(Code::ResourceExhausted),
        "ABORTED" => Some(Code::Aborted),
        "DEADLINE_EXCEEDED" => Some(Code::DeadlineExceeded),
        "INTERNAL" => Some(Code::Internal),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_is_tried_four_times_and_an_import_once() {
        let policy = RetryPolicy::of(Method::new("camillo.v1.MemoryService", "Recall")).unwrap();
        let error = Error::local(Code::Unavailable, "");
        assert!(policy.pause_after(3, &error).is_some());
        assert!(policy.pause_after(4, &error).is_none());
        assert_eq!(RetryPolicy::of(Method::new("camillo.v1.MemoryService", "ImportMemories")), None);
    }

    #[test]
    fn pauses_grow_up_to_a_limit() {
        let policy = RetryPolicy::of(Method::new("camillo.v1.MemoryService", "Recall")).unwrap();
        let seconds = |attempts| policy.back_off(attempts).as_secs_f64();
        assert!((0.08..=0.12).contains(&seconds(1)), "{}", seconds(1));
        assert!((0.24..=0.36).contains(&seconds(2)));
        assert!((1.6..=2.4).contains(&seconds(9)));
    }

    #[test]
    fn what_cannot_be_undone_by_waiting_is_not_tried_again() {
        let policy = RetryPolicy::of(Method::new("camillo.v1.MemoryService", "Recall")).unwrap();
        assert!(policy.pause_after(1, &Error::local(Code::ResourceExhausted, "")).is_none());
    }
}
