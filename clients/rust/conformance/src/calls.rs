//! Calls by the name of a method, over what the client generated for all of them.

use std::pin::Pin;

use camillo_client::methods::{self, ListVisitor, StreamVisitor, UnaryVisitor, WatchVisitor};
use camillo_client::requests::{ListRequest, Request, StreamRequest, UnaryRequest, WatchRequest};
use camillo_client::{Client, Messages};
use serde_json::Value;
use tokio_stream::StreamExt;

use crate::failures::Failed;
use crate::json_messages::{answer, answers, request};

/// As often as a watch of the facade connects again in vain.
const MAX_RECONNECTS: u32 = 10;

type Outcome = Result<Value, Failed>;
type Running = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// Method and request of a call; of a stream, how many messages.
#[derive(Clone)]
pub struct Call {
    pub client: Client,
    pub method: String,
    pub request: Value,
    pub take: usize,
}

impl Call {
    /// One answer.
    pub async fn unary(self) -> Outcome {
        run(methods::unary(&self.method.clone(), Unary(self))).await
    }

    /// All pages.
    pub async fn pages(self) -> Outcome {
        run(methods::list(&self.method.clone(), Pages(self))).await
    }

    /// The messages of a stream; a watch goes on by itself.
    pub async fn stream(self) -> Outcome {
        let method = self.method.clone();
        let watch = methods::watch(&method, Watch(self.clone()));
        run(watch.or_else(|| methods::stream(&method, Stream(self)))).await
    }
}

async fn run(running: Option<Running>) -> Outcome {
    match running {
        Some(running) => running.await,
        None => Err(Failed::Command("UNKNOWN_METHOD", "no such method of this kind".to_owned())),
    }
}

struct Unary(Call);

impl UnaryVisitor for Unary {
    type Output = Running;

    fn visit<R: UnaryRequest>(self) -> Running {
        Box::pin(async move { answer(&self.0.client.call(request::<R>(&self.0.request)?).await?) })
    }
}

struct Pages(Call);

impl ListVisitor for Pages {
    type Output = Running;

    fn visit<R: ListRequest>(self) -> Running {
        Box::pin(async move { taken::<R>(self.0.client.pages(request::<R>(&self.0.request)?), usize::MAX).await })
    }
}

struct Stream(Call);

impl StreamVisitor for Stream {
    type Output = Running;

    fn visit<R: StreamRequest>(self) -> Running {
        Box::pin(async move { taken::<R>(self.0.client.stream(request::<R>(&self.0.request)?), self.0.take).await })
    }
}

struct Watch(Call);

impl WatchVisitor for Watch {
    type Output = Running;

    fn visit<R: WatchRequest>(self) -> Running {
        Box::pin(async move {
            let changes = self.0.client.resumed(request::<R>(&self.0.request)?, MAX_RECONNECTS);
            taken::<R>(changes, self.0.take).await
        })
    }
}

async fn taken<R: Request>(mut messages: Messages<R::Answer>, count: usize) -> Outcome {
    let mut taken = Vec::new();
    while taken.len() < count {
        match messages.next().await {
            Some(message) => taken.push(message?),
            None => break,
        }
    }
    answers(&taken)
}
