//! A channel that takes details of errors away where something on the way has mangled them: the library above it would
//! panic over what is no base64.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::Frame;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Service;
use tonic::codegen::http::{HeaderMap, HeaderName, Request, Response};
use tonic::metadata::MetadataMap;
use tonic::transport::{Channel, Error};

const DETAILS: &str = "grpc-status-details-bin";

#[derive(Clone)]
pub(crate) struct GuardedChannel(pub Channel);

impl Service<Request<Body>> for GuardedChannel {
    type Response = Response<Body>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let answering = self.0.call(request);
        Box::pin(async move {
            let mut response = answering.await?;
            mend(response.headers_mut());
            Ok(response.map(|body| Body::new(GuardedBody(body))))
        })
    }
}

struct GuardedBody(Body);

impl http_body::Body for GuardedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let mut next = Pin::new(&mut self.0).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &mut next
            && let Some(trailers) = frame.trailers_mut()
        {
            mend(trailers);
        }
        next
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.0.size_hint()
    }
}

/// The code and the message still stand without the details.
fn mend(headers: &mut HeaderMap) {
    let Some(details) = headers.get(DETAILS) else { return };
    let alone: HeaderMap = [(HeaderName::from_static(DETAILS), details.clone())].into_iter().collect();
    if MetadataMap::from_headers(alone).get_bin(DETAILS).is_some_and(|value| value.to_bytes().is_err()) {
        headers.remove(DETAILS);
    }
}
