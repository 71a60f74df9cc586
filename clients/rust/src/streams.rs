//! Lists and streams of any method of the contract.

use std::pin::Pin;

use async_stream::try_stream;
use bytes::Bytes;
use futures_core::Stream;
use tokio::time::Instant;
use tonic::codec::Streaming;

use crate::client::Client;
use crate::credentials::Credentials;
use crate::error::Result;
use crate::failures::from_status;
use crate::requests::{Answer, ListRequest, Page, StreamRequest};
use crate::typed_calls::decoded;
use crate::wire::{Terms, within};

/// Items that come one after the other; the first error is the last item. Nothing is sent before the first one is asked for, and
/// dropping it ends the call.
pub type Messages<T> = Pin<Box<dyn Stream<Item = Result<T>> + Send>>;

impl Client {
    /// All pages of any list of the contract, each asked for when the one before has been taken; the timeout is that of
    /// each page.
    pub fn pages<R: ListRequest>(&self, mut request: R) -> Messages<R::Answer> {
        let client = self.clone();
        Box::pin(try_stream! {
            loop {
                // A copy: the demand for freshness that is put into it is that of one page.
                let page = client.call(request.clone()).await?;
                let next = page.next_page_token().to_owned();
                yield page;
                if next.is_empty() {
                    break;
                }
                *request.page_token() = next;
            }
        })
    }

    /// Returns what the pages of a list hold.
    pub(crate) fn items<R: ListRequest, T: Send + 'static>(
        &self,
        request: R,
        items: impl Fn(R::Answer) -> Vec<T> + Send + 'static,
    ) -> Messages<T> {
        let pages = self.pages(request);
        Box::pin(try_stream! {
            for await page in pages {
                for item in items(page?) {
                    yield item;
                }
            }
        })
    }

    /// The messages of any stream of the contract. It is not begun anew after a break; see [`Client::watch`] and
    /// [`Artifacts::stream`](crate::Artifacts::stream) for those that are.
    pub fn stream<R: StreamRequest>(&self, request: R) -> Messages<R::Answer> {
        let client = self.clone();
        Box::pin(try_stream! {
            let mut opened = client.opened(request).await?;
            while let Some(message) = opened.next().await? {
                yield message;
            }
        })
    }

    /// The stream, once the server has begun to answer.
    async fn opened<R: StreamRequest>(&self, mut request: R) -> Result<Opened<R::Answer>> {
        let agent_id = self.filled_agent(&mut request);
        let deadline = self.stream_deadline();
        let terms = Terms { method: R::METHOD, agent_id: &agent_id, deadline };
        let opened = self.calls.wire.stream(terms, request.encode_to_vec().into()).await;
        let stream = opened.map_err(|status| from_status(&status, ""))?;
        let credentials = self.calls.wire.credentials.clone();
        Ok(Opened { stream, credentials, deadline, answer: std::marker::PhantomData })
    }
}

struct Opened<A> {
    stream: Streaming<Bytes>,
    credentials: Credentials,
    deadline: Option<Instant>,
    answer: std::marker::PhantomData<fn() -> A>,
}

impl<A: Answer> Opened<A> {
    async fn next(&mut self) -> Result<Option<A>> {
        let message = within(self.deadline, self.stream.message()).await;
        message.map_err(|status| from_status(&self.credentials.explained(status), ""))?.map(decoded).transpose()
    }
}
