//! Calls with a deadline, repetitions and typed errors.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tonic::Code;

use crate::error::{Error, Result};
use crate::failures::from_status;
use crate::retry_policies::RetryPolicy;
use crate::wire::{Terms, Wire, left};

const OVERLOADED_RETRIES: u32 = 3;

/// How the client waits; tests wait in other ways.
pub(crate) type Pause = Arc<dyn Fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// A pause that lasts.
pub(crate) fn lasting_pause() -> Pause {
    Arc::new(|duration| Box::pin(tokio::time::sleep(duration)))
}

/// One message, to be sent as often as needed.
#[derive(Clone, Copy)]
pub(crate) struct UnaryCall<'a> {
    pub terms: Terms<'a>,
    pub message: &'a Bytes,
    // Id of the mutation, for its error; else empty.
    pub request_id: &'a str,
}

impl UnaryCall<'_> {
    fn has_time_for(&self, pause: Duration) -> bool {
        self.terms.deadline.is_none_or(|deadline| pause < left(deadline))
    }

    fn is_late(&self) -> bool {
        self.terms.deadline.is_some_and(|deadline| left(deadline).is_zero())
    }

    fn never_sent(&self) -> Error {
        let message = "the timeout had passed before the call was sent";
        Error::local(Code::DeadlineExceeded, message).with_request_id(self.request_id)
    }
}

/// State that every call of a client has in common.
pub(crate) struct Calls {
    pub wire: Wire,
    pub pause: Pause,
}

impl Calls {
    /// The answer; comes back as the server asks while it is overloaded, within the deadline.
    pub(crate) async fn unary(&self, call: UnaryCall<'_>) -> Result<Bytes> {
        let mut retries = 0;
        loop {
            let error = match self.repeated(call).await {
                Err(error) if error.is_overloaded() && retries < OVERLOADED_RETRIES => error,
                outcome => return outcome,
            };
            match error.retry_after().filter(|pause| call.has_time_for(*pause)) {
                Some(pause) => (self.pause)(pause).await,
                None => return Err(error),
            }
            retries += 1;
        }
    }

    /// Tries it as often as the policy of the method says.
    async fn repeated(&self, call: UnaryCall<'_>) -> Result<Bytes> {
        let policy = RetryPolicy::of(call.terms.method);
        let mut attempts = 0;
        loop {
            attempts += 1;
            let error = match self.attempt(call).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let pause = policy.and_then(|policy| policy.pause_after(attempts, &error));
            match pause.filter(|pause| call.has_time_for(*pause)) {
                Some(pause) => (self.pause)(pause).await,
                None => return Err(error),
            }
        }
    }

    async fn attempt(&self, call: UnaryCall<'_>) -> Result<Bytes> {
        if call.is_late() {
            return Err(call.never_sent());
        }
        let answer = self.wire.unary(call.terms, call.message.clone()).await;
        answer.map_err(|status| from_status(&status, call.request_id))
    }
}
