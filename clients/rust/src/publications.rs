//! Publishing documents of any length, in constant memory.

use std::sync::Arc;

use bytes::Bytes;

use crate::artifact_reads::{MAX_FAILURES, is_passing};
use crate::client::{Client, SHARED};
use crate::error::Result;
use crate::typed_calls::new_request_id;
use crate::upload_messages::{UploadHeader, unreadable};
use crate::upload_source::UploadSource;
use crate::v1::publish_document_request::Part;
use crate::v1::{PublishDocumentFinish, PublishDocumentHeader, PublishDocumentRequest, PublishDocumentResponse};

impl Client {
    /// Sends everything; after a break from the beginning, under the same request id, up to three times.
    pub(crate) async fn published(
        &self,
        mut header: PublishDocumentHeader,
        source: UploadSource,
    ) -> Result<PublishDocumentResponse> {
        let is_repeatable = !header.request_id.is_empty();
        if !is_repeatable {
            header.request_id = new_request_id();
        }
        let ticket = self.written.begin(SHARED);
        let sent = self.published_under(&header, &Arc::new(source)).await;
        let answer = sent.map_err(|error| error.with_request_id(&header.request_id))?;
        if let Some(revision) = &answer.shared_revision {
            self.written.wrote(&ticket, revision, is_repeatable);
        }
        Ok(answer)
    }

    async fn published_under(
        &self,
        header: &PublishDocumentHeader,
        source: &Arc<UploadSource>,
    ) -> Result<PublishDocumentResponse> {
        let size = source.size().await.map_err(|error| unreadable(&error))?;
        let mut failures = 0;
        loop {
            let error = match self.fed(source, size, header.clone()).await {
                Err(error) if source.can_restart() && is_passing(&error) => error,
                outcome => return outcome,
            };
            failures += 1;
            self.pause_or_give_up(error, failures, MAX_FAILURES).await?;
        }
    }
}

impl UploadHeader for PublishDocumentHeader {
    type Message = PublishDocumentRequest;

    fn begin(self) -> PublishDocumentRequest {
        message(Part::Header(self))
    }

    fn bytes(_: i64, data: Bytes) -> PublishDocumentRequest {
        message(Part::Data(data))
    }

    fn finish(sha256: Bytes) -> PublishDocumentRequest {
        message(Part::Finish(PublishDocumentFinish { sha256 }))
    }
}

fn message(part: Part) -> PublishDocumentRequest {
    PublishDocumentRequest { part: Some(part) }
}
