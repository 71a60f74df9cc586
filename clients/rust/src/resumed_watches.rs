//! Streams of changes that outlive a connection.

use async_stream::try_stream;
use tokio_stream::StreamExt;
use tonic::Code;

use crate::artifact_reads::is_passing;
use crate::back_off::{LONGEST_ASKED, pause_after};
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
                            // A message that is no change, as a newer server may send, says nothing of where to go on.
                            if !answer.resume_token().is_empty() {
                                request.resume(answer.resume_token().to_owned());
                            }
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

    /// Waits before another attempt; the failure, if it is one too many, or if the server asks for more patience than there is.
    pub(crate) async fn pause_or_give_up(&self, error: Error, failures: u32, max_failures: u32) -> Result<()> {
        let pause = pause_after(failures, error.retry_after());
        if failures > max_failures || pause > LONGEST_ASKED {
            return Err(error);
        }
        (self.calls.pause)(pause).await;
        Ok(())
    }
}

/// An answer, or why the watch has to begin anew; any other failure is its end.
fn end_or_answer<A>(next: Option<Result<A>>) -> Result<std::result::Result<A, Error>> {
    match next {
        Some(Ok(answer)) => Ok(Ok(answer)),
        // Overloaded, too: when a server comes back, all its watchers do.
        Some(Err(error)) if is_passing(&error) => Ok(Err(error)),
        Some(Err(error)) => Err(error),
        // A watch has no end; a server that closes one in good order is going away.
        None => Ok(Err(Error::local(Code::Unavailable, "the server ended the watch"))),
    }
}
