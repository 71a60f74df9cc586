//! A real gRPC server in the test's process, which answers what the test scripted and keeps what it was sent.
// Every test uses a part of it.
#![allow(dead_code, missing_docs, unused_imports)]

mod broken_answers;
mod raw_codec;
mod statuses;

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use camillo_client::{Builder, Client, requests};
use prost::Message;
use prost::bytes::Bytes;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tokio_stream::{Stream, StreamExt};
use tonic::body::Body;
use tonic::server::{Grpc, NamedService, StreamingService};
use tonic::{Request, Response, Status, Streaming, metadata::MetadataMap};

use broken_answers::{BROKEN_OFF, MANGLED, MARK, broken};
use raw_codec::RawCodec;
pub use statuses::{item, overloaded, refused, refused_often, status, unavailable};

/// Holds what the server does with one call.
pub struct Reply {
    messages: Vec<Bytes>,
    end: End,
    // For an upload: answers after so many messages.
    taken: usize,
}

enum End {
    Well,
    Failing(Status),
    // As something on the way might leave it.
    Broken(&'static str, Status),
    Never,
}

impl Reply {
    pub fn with<M: Message>(messages: impl IntoIterator<Item = M>) -> Self {
        let messages = messages.into_iter().map(|message| message.encode_to_vec().into()).collect();
        Self { messages, end: End::Well, taken: usize::MAX }
    }

    pub fn failing(status: Status) -> Self {
        Self { messages: Vec::new(), end: End::Failing(status), taken: usize::MAX }
    }

    pub fn never() -> Self {
        Self { messages: Vec::new(), end: End::Never, taken: usize::MAX }
    }

    pub fn then_failing(mut self, status: Status) -> Self {
        self.end = End::Failing(status);
        self
    }

    pub fn then_breaking_off(mut self) -> Self {
        self.end = End::Broken(BROKEN_OFF, Status::unknown("never sent"));
        self
    }

    pub fn failing_with_mangled_details(status: Status) -> Self {
        Self { messages: Vec::new(), end: End::Broken(MANGLED, status), taken: usize::MAX }
    }

    pub fn then_waiting(mut self) -> Self {
        self.end = End::Never;
        self
    }

    pub fn after_taking(mut self, messages: usize) -> Self {
        self.taken = messages;
        self
    }
}

/// One call that came.
#[derive(Clone)]
pub struct Call {
    pub path: String,
    pub metadata: MetadataMap,
    pub messages: Vec<Bytes>,
}

impl Call {
    pub fn message<M: Message + Default>(&self) -> M {
        M::decode(self.messages[0].clone()).unwrap()
    }

    pub fn header(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(|value| value.to_str().unwrap())
    }
}

#[derive(Clone, Default)]
struct Script {
    replies: Arc<Mutex<HashMap<String, VecDeque<Reply>>>>,
    calls: Arc<Mutex<Vec<Call>>>,
}

pub struct Server {
    pub address: String,
    script: Script,
    pauses: Arc<Mutex<Vec<Duration>>>,
}

impl Server {
    pub async fn start() -> Self {
        let script = Script::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let router = tonic::transport::Server::builder()
            .add_service(Memories(script.clone()))
            .add_service(Artifacts(script.clone()))
            .add_service(Events(script.clone()))
            .add_service(Lifecycle(script.clone()))
            .add_service(Snapshots(script.clone()))
            .add_service(Runs(script.clone()))
            .add_service(Slots(script.clone()))
            .add_service(Knowledge(script.clone()))
            .add_service(Audit(script.clone()))
            .add_service(Links(script.clone()))
            .add_service(Spool(script.clone()));
        tokio::spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
        Self { address, script, pauses: Arc::default() }
    }

    /// The next reply to requests of this type.
    pub fn will<R: requests::Request>(&self, reply: Reply) -> &Self {
        self.script.replies.lock().unwrap().entry(R::METHOD.path()).or_default().push_back(reply);
        self
    }

    /// The next answer to requests of this type.
    pub fn will_answer<R: requests::Request>(&self, answer: R::Answer) -> &Self {
        self.will::<R>(Reply::with([answer]))
    }

    /// A client that does not wait, but tells how long it would have.
    pub fn client(&self) -> Client {
        self.builder().connect().unwrap()
    }

    pub fn builder(&self) -> Builder {
        let pauses = Arc::clone(&self.pauses);
        Client::builder().address(&self.address).key("cam_test").agent_id("ada").pause(move |pause| {
            pauses.lock().unwrap().push(pause);
            ready(())
        })
    }

    pub fn pauses(&self) -> Vec<Duration> {
        self.pauses.lock().unwrap().clone()
    }

    /// The calls of this type of request, in their order.
    pub fn calls<R: requests::Request>(&self) -> Vec<Call> {
        let calls = self.script.calls.lock().unwrap();
        calls.iter().filter(|call| call.path == R::METHOD.path()).cloned().collect()
    }

    /// Returns what came in them.
    pub fn requests<R: requests::Request>(&self) -> Vec<R> {
        self.calls::<R>().iter().map(Call::message).collect()
    }
}

type Outcome<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Messages = Pin<Box<dyn Stream<Item = Result<Bytes, Status>> + Send>>;

struct Handler {
    script: Script,
    path: String,
}

impl StreamingService<Bytes> for Handler {
    type Response = Bytes;
    type ResponseStream = Messages;
    type Future = Outcome<Result<Response<Messages>, Status>>;

    fn call(&mut self, request: Request<Streaming<Bytes>>) -> Self::Future {
        let (script, path) = (self.script.clone(), self.path.clone());
        Box::pin(async move {
            let reply = script.replies.lock().unwrap().get_mut(&path).and_then(VecDeque::pop_front);
            let reply = reply.ok_or_else(|| Status::unimplemented(format!("{path} is not scripted")))?;
            let metadata = request.metadata().clone();
            let incoming = request.into_inner().take(reply.taken);
            let messages: Result<Vec<Bytes>, Status> = incoming.collect().await;
            script.calls.lock().unwrap().push(Call { path, metadata, messages: messages.unwrap_or_default() });
            answered(reply)
        })
    }
}

fn answered(reply: Reply) -> Result<Response<Messages>, Status> {
    let messages = tokio_stream::iter(reply.messages.into_iter().map(Ok));
    let mark = if let End::Broken(mark, _) = &reply.end { *mark } else { "" };
    let stream: Messages = match reply.end {
        End::Well => Box::pin(messages),
        End::Failing(status) | End::Broken(_, status) => Box::pin(messages.chain(tokio_stream::once(Err(status)))),
        End::Never => Box::pin(messages.chain(tokio_stream::pending())),
    };
    let mut response = Response::new(stream);
    if !mark.is_empty() {
        response.metadata_mut().insert(MARK, mark.parse().unwrap());
    }
    Ok(response)
}

macro_rules! service {
    ($name:ident, $full_name:literal) => {
        #[derive(Clone)]
        struct $name(Script);

        impl NamedService for $name {
            const NAME: &'static str = $full_name;
        }

        impl tower_service::Service<http::Request<Body>> for $name {
            type Response = http::Response<Body>;
            type Error = Infallible;
            type Future = Outcome<Result<Self::Response, Infallible>>;

            fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
                Poll::Ready(Ok(()))
            }

            fn call(&mut self, request: http::Request<Body>) -> Self::Future {
                let handler = Handler { script: self.0.clone(), path: request.uri().path().to_owned() };
                Box::pin(async move { Ok(broken(Grpc::new(RawCodec).streaming(handler, request).await)) })
            }
        }
    };
}

service!(Memories, "camillo.v1.MemoryService");
service!(Artifacts, "camillo.v1.ArtifactService");
service!(Events, "camillo.v1.EventService");
service!(Lifecycle, "camillo.v1.LifecycleService");
service!(Snapshots, "camillo.v1.SnapshotService");
service!(Runs, "camillo.v1.RunService");
service!(Slots, "camillo.v1.SlotService");
service!(Knowledge, "camillo.v1.KnowledgeService");
service!(Audit, "camillo.v1.AuditService");
service!(Links, "camillo.v1.LinkService");
service!(Spool, "camillo.v1.SpoolService");
