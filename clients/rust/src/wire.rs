//! Bytes to a method and back. Messages are encoded before they come here, so that a repetition sends the same bytes.

use std::time::Duration;

use bytes::{Buf, BufMut, Bytes};
use tokio::time::Instant;
use tokio_stream::Stream;
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder, Streaming};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Request, Response, Status};

use crate::credentials::Credentials;
use crate::guarded_channel::GuardedChannel;
use crate::requests::Method;

/// Whom a call is for, and until when it may last.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub method: Method,
    pub agent_id: &'a str,
    pub deadline: Option<Instant>,
}

/// The channel to a server.
#[derive(Clone)]
pub(crate) struct Wire {
    pub channel: Channel,
    pub credentials: Credentials,
    pub max_message_bytes: usize,
}

impl Wire {
    /// One message to one answer.
    pub(crate) async fn unary(&self, terms: Terms<'_>, message: Bytes) -> Result<Bytes, Status> {
        let request = self.request(terms, message);
        let call = async { self.ready().await?.unary(request, path(terms.method)?, RawCodec).await };
        self.outcome(within(terms.deadline, call).await)
    }

    /// One message to a stream of answers.
    pub(crate) async fn stream(&self, terms: Terms<'_>, message: Bytes) -> Result<Streaming<Bytes>, Status> {
        let request = self.request(terms, message);
        let call = async { self.ready().await?.server_streaming(request, path(terms.method)?, RawCodec).await };
        self.outcome(within(terms.deadline, call).await)
    }

    /// A stream of messages to one answer.
    pub(crate) async fn upload(
        &self,
        terms: Terms<'_>,
        messages: impl Stream<Item = Bytes> + Send + 'static,
    ) -> Result<Bytes, Status> {
        let request = self.request(terms, messages);
        let call = async { self.ready().await?.client_streaming(request, path(terms.method)?, RawCodec).await };
        self.outcome(within(terms.deadline, call).await)
    }

    fn outcome<T>(&self, outcome: Result<Response<T>, Status>) -> Result<T, Status> {
        outcome.map(Response::into_inner).map_err(|status| self.credentials.explained(status))
    }

    fn request<T>(&self, terms: Terms<'_>, content: T) -> Request<T> {
        let mut request = Request::new(content);
        if let Some(deadline) = terms.deadline {
            request.set_timeout(left(deadline));
        }
        self.credentials.put_into(request.metadata_mut(), terms.agent_id);
        request
    }

    async fn ready(&self) -> Result<Grpc<GuardedChannel>, Status> {
        let mut grpc = Grpc::new(GuardedChannel(self.channel.clone()))
            .max_decoding_message_size(self.max_message_bytes)
            .max_encoding_message_size(self.max_message_bytes);
        grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        Ok(grpc)
    }
}

/// The outcome, or DEADLINE_EXCEEDED when the time is over; also of what waits for a connection.
pub(crate) async fn within<T>(
    deadline: Option<Instant>,
    work: impl Future<Output = Result<T, Status>>,
) -> Result<T, Status> {
    let Some(deadline) = deadline else { return work.await };
    match tokio::time::timeout_at(deadline, work).await {
        Ok(outcome) => outcome,
        Err(_) => Err(Status::deadline_exceeded("the timeout passed before the answer came")),
    }
}

/// The time left until then.
pub(crate) fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

fn path(method: Method) -> Result<PathAndQuery, Status> {
    PathAndQuery::try_from(method.path()).map_err(|error| Status::internal(error.to_string()))
}

/// Leaves bytes as they are.
#[derive(Clone, Copy, Default)]
pub(crate) struct RawCodec;

impl Codec for RawCodec {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for RawCodec {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(item);
        Ok(())
    }
}

impl Decoder for RawCodec {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}
