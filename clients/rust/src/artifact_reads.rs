//! Bytes of artifacts, checked.

use async_stream::try_stream;
use tokio_stream::StreamExt;

use crate::artifact_checks::RangeCheck;
use crate::client::Client;
use crate::error::{Error, Result};
use crate::streams::Messages;
use crate::v1::{ReadArtifactRequest, ReadArtifactResponse};

/// How often in a row, without anything between, a stream of bytes is gone on with.
pub(crate) const MAX_FAILURES: u32 = 3;

/// The messages of a read, each checked; goes on after a break where it ended.
pub(crate) fn checked(client: Client, mut request: ReadArtifactRequest) -> Messages<ReadArtifactResponse> {
    Box::pin(try_stream! {
        let (mut check, mut failures) = (RangeCheck::default(), 0);
        loop {
            check.go_on(&mut request);
            let mut messages = client.stream(request.clone());
            let broken = loop {
                match next(&mut messages).await? {
                    Next::Message(message) => {
                        failures = 0;
                        check.take(&message)?;
                        yield message;
                    }
                    Next::Break(_) if check.is_complete() => break None,
                    Next::Break(error) => break Some(error),
                    Next::End => break None,
                }
            };
            let Some(error) = broken else { break };
            failures += 1;
            client.pause_or_give_up(error, failures, MAX_FAILURES).await?;
        }
        check.end()?;
    })
}

enum Next {
    Message(ReadArtifactResponse),
    Break(Error),
    End,
}

async fn next(messages: &mut Messages<ReadArtifactResponse>) -> Result<Next> {
    match messages.next().await {
        Some(Ok(message)) => Ok(Next::Message(message)),
        Some(Err(error)) if is_passing(&error) => Ok(Next::Break(error)),
        Some(Err(error)) => Err(error),
        None => Ok(Next::End),
    }
}

/// Whether it is worth coming back.
pub(crate) fn is_passing(error: &Error) -> bool {
    error.is_unavailable() || error.is_overloaded()
}
