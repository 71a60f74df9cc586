//! Streams of changes that outlive a connection.

use async_stream::try_stream;
use tokio_stream::StreamExt;
use tonic::Code;

use crate::back_off::pause_after;
use crate::client::Client;
use crate::error::{Error, Result};
use crate::requests::{Change, WatchRequest};
use crate::streams::Messages;

/// How often a watch connects again in vain, unless told otherwise.
pub(crate) const MAX_RECONNECTS: u32 = 10;

impl Client {
    /// The answers of any watch of the contract, which goes on behind the last one handed out when the server goes away;
    /// it gives up after so many connections in a row that brought nothing.
    pub fn resumed<R: WatchRequest>(&self, mut request: R, max_reconnects: u32) -> Messages<R::Answer> {
        let client = self.clone();
        Box::pin(try_stream! {
            let mut failures = 0;
            loop {
                let mut answers = client.stream(request.clone());
                let broken = loop {
                    match end_or_answer(answers.next().await)? {
                        Ok(answer) => {
                            failures = 0;
                            request.resume(answer.resume_token().to_owned());
                            yield answer;
                        }
                        Err(broken) => break broken,
                    }
                };
                failures += 1;
                client.pause_or_give_up(broken, failures, max_reconnects).await?;
            }
        })
    }

    /// Waits before another attempt; the failure, if it is one too many.
    pub(crate) async fn pause_or_give_up(&self, error: Error, failures: u32, max_failures: u32) -> Result<()> {
        if failures > max_failures {
            return Err(error);
        }
        (self.calls.pause)(pause_after(failures, error.retry_after())).await;
        Ok(())
    }
}

/// An answer, or why the watch has to begin anew; any other failure is its end.
fn end_or_answer<A>(next: Option<Result<A>>) -> Result<std::result::Result<A, Error>> {
    match next {
        Some(Ok(answer)) => Ok(Ok(answer)),
        Some(Err(error)) if error.is_unavailable() => Ok(Err(error)),
        Some(Err(error)) => Err(error),
        // A watch has no end; a server that closes one in good order is going away.
        None => Ok(Err(Error::local(Code::Unavailable, "the server ended the watch"))),
    }
}
