//! Answers that something on the way has broken.

use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::Frame;
use prost::bytes::Bytes;
use tonic::Status;
use tonic::body::Body;

/// The header that tells how an answer is to be broken.
pub const MARK: &str = "test-broken";
/// It ends without a status.
pub const BROKEN_OFF: &str = "off";
/// The details of its status are no base64.
pub const MANGLED: &str = "mangled";

/// The answer, broken if it is marked.
pub fn broken(response: http::Response<Body>) -> http::Response<Body> {
    let Some(mark) = response.headers().get(MARK).cloned() else { return response };
    let is_off = mark == BROKEN_OFF;
    response.map(|body| Body::new(BrokenBody { body, is_off }))
}

struct BrokenBody {
    body: Body,
    is_off: bool,
}

impl http_body::Body for BrokenBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let mut next = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &mut next
            && let Some(trailers) = frame.trailers_mut()
        {
            if self.is_off {
                return Poll::Ready(None);
            }
            trailers.insert("grpc-status-details-bin", "this is no base64!".parse().unwrap());
        }
        next
    }
}
