//! The messages of an upload: a header, bytes, and their SHA-256.

use std::sync::{Arc, Mutex, PoisonError};

use async_stream::stream;
use bytes::Bytes;
use futures_core::Stream;
use prost::Message;
use sha2::{Digest, Sha256};
use tokio_stream::StreamExt;
use tonic::Code;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::requests::{Request, UploadRequest};
use crate::upload_source::UploadSource;

/// Returns what an upload begins with, and what its other messages are.
pub(crate) trait UploadHeader: Send + 'static {
    type Message: UploadRequest;

    /// From which byte of the source on it is sent.
    fn start(&self) -> i64 {
        0
    }

    fn begin(self) -> Self::Message;

    fn bytes(offset: i64, data: Bytes) -> Self::Message;

    fn finish(sha256: Bytes) -> Self::Message;
}

impl Client {
    /// The answer to one call of an upload.
    pub(crate) async fn fed<H: UploadHeader>(
        &self,
        source: &Arc<UploadSource>,
        size: Option<u64>,
        header: H,
    ) -> Result<<H::Message as Request>::Answer> {
        let failure = Arc::new(Mutex::new(None));
        let messages = messages(Arc::clone(source), size, header, Arc::clone(&failure));
        let outcome = self.uploaded::<H::Message>(messages).await;
        // The server can tell only that the stream ended; the caller wants to know by what.
        let failure = failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(outcome, Err)
    }
}

/// The messages of one call, made while they are sent; ends early where the source fails.
fn messages<H: UploadHeader>(
    source: Arc<UploadSource>,
    size: Option<u64>,
    header: H,
    failure: Arc<Mutex<Option<Error>>>,
) -> impl Stream<Item = Bytes> + Send + 'static {
    stream! {
        let mut offset = header.start();
        let mut sha256 = Sha256::new();
        let mut chunks = source.chunks(u64::try_from(offset).unwrap_or_default(), size);
        yield encoded(&header.begin());
        while let Some(chunk) = chunks.next().await {
            let data = match chunk {
                Ok(data) => data,
                Err(error) => {
                    *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(unreadable(&error));
                    return;
                }
            };
            let length = i64::try_from(data.len()).unwrap_or_default();
            sha256.update(&data);
            yield encoded(&H::bytes(offset, data));
            offset = offset.saturating_add(length);
        }
        yield encoded(&H::finish(sha256.finalize().to_vec().into()));
    }
}

fn encoded(message: &impl Message) -> Bytes {
    message.encode_to_vec().into()
}

pub(crate) fn unreadable(error: &std::io::Error) -> Error {
    Error::local(Code::Unknown, format!("the source cannot be read: {error}"))
}
