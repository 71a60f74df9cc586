//! Documents: what the tenant knows, found in passages.

use crate::client::Client;
use crate::document_fields::DocumentChanges;
use crate::error::Result;
use crate::streams::Messages;
use crate::upload_source::UploadSource;
use crate::v1::{
    ArchiveDocumentRequest, DeleteDocumentRequest, DeleteDocumentResponse, Document, DocumentFilter,
    GetDocumentRequest, GetDocumentResponse, ListDocumentVersionsRequest, ListDocumentsRequest, NewDocument,
    PublishDocumentHeader, PublishDocumentResponse, UpdateDocumentRequest,
};

/// Documents of the tenant: [`Client::documents`]. To write them takes a key that reaches every agent; a recall from
/// [`Source::Document`](crate::v1::Source::Document) finds them.
#[derive(Clone, Debug)]
pub struct Documents {
    client: Client,
}

impl Documents {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Stores the document of a name, or its next version, in messages of 256 KiB; the same again stores nothing. Takes text,
    /// bytes, the file at a path, or what a reader gives.
    ///
    /// A source that can be read again is sent again after a break, under the same request id, up to three times. There is no timeout
    /// but that of [`Client::with_stream_timeout`], for each connection.
    ///
    /// # Errors
    /// `DocumentUnreadable` where it is not what it says it is, or more than the server reads; `ValueRejected`,
    /// `QuotaExceeded`; `Unknown` where the source cannot be read.
    pub async fn publish(
        &self,
        document: impl Into<NewDocument>,
        source: impl Into<UploadSource>,
    ) -> Result<PublishDocumentResponse> {
        let document = Some(document.into());
        self.publish_as(PublishDocumentHeader { document, ..Default::default() }, source).await
    }

    /// As [`Documents::publish`], with all that a header can say.
    ///
    /// # Errors
    /// `VersionConflict` where the document is not at `expected_version`; 0 is that of a name without one.
    pub async fn publish_as(
        &self,
        header: PublishDocumentHeader,
        source: impl Into<UploadSource>,
    ) -> Result<PublishDocumentResponse> {
        self.client.published(header, source.into()).await
    }

    /// A document by its id, with its text.
    ///
    /// # Errors
    /// `DocumentNotFound`.
    pub async fn get(&self, document_id: impl Into<String>) -> Result<GetDocumentResponse> {
        self.get_as(GetDocumentRequest::of(document_id)).await
    }

    /// A document by its name, with its text.
    ///
    /// # Errors
    /// `DocumentNotFound`.
    pub async fn get_by_name(&self, name: impl Into<String>) -> Result<GetDocumentResponse> {
        self.get_as(GetDocumentRequest::named(name)).await
    }

    /// As [`Documents::get`], of a version, a part of the text, or for a channel.
    ///
    /// # Errors
    /// `DocumentNotFound`, `RangePastEnd`.
    pub async fn get_as(&self, request: GetDocumentRequest) -> Result<GetDocumentResponse> {
        self.client.call(request).await
    }

    /// Documents that pass the filter, by name; `DocumentFilter::default()` lets all pass that are not archived.
    pub fn list(&self, filter: DocumentFilter) -> Messages<Document> {
        self.list_as(ListDocumentsRequest { filter: Some(filter), ..Default::default() })
    }

    /// As [`Documents::list`], with all that a request can say.
    pub fn list_as(&self, request: ListDocumentsRequest) -> Messages<Document> {
        self.client.items(request, |page| page.documents)
    }

    /// Changes what is said of a document, as a version of its own.
    ///
    /// # Errors
    /// `VersionConflict` if it is no longer at the version that the caller has seen.
    pub async fn update(
        &self,
        document_id: impl Into<String>,
        version: i64,
        changes: DocumentChanges,
    ) -> Result<Document> {
        let request = UpdateDocumentRequest {
            document_id: document_id.into(),
            expected_version: version,
            update_mask: Some(changes.mask()),
            document: Some(changes.document),
            ..Default::default()
        };
        Ok(self.client.call(request).await?.document.unwrap_or_default())
    }

    /// Takes a document out of what is found; it keeps its versions.
    ///
    /// # Errors
    /// `DocumentNotFound`.
    pub async fn archive(&self, document_id: impl Into<String>) -> Result<Document> {
        self.archived(document_id.into(), false).await
    }

    /// Takes an archived document back into what is found.
    ///
    /// # Errors
    /// `DocumentNotFound`.
    pub async fn restore(&self, document_id: impl Into<String>) -> Result<Document> {
        self.archived(document_id.into(), true).await
    }

    async fn archived(&self, document_id: String, restore: bool) -> Result<Document> {
        let request = ArchiveDocumentRequest { document_id, restore, ..Default::default() };
        Ok(self.client.call(request).await?.document.unwrap_or_default())
    }

    /// Removes a document with every version and passage. Its name may be used again.
    ///
    /// # Errors
    /// `DocumentNotFound`.
    pub async fn delete(&self, document_id: impl Into<String>) -> Result<DeleteDocumentResponse> {
        self.client.call(DeleteDocumentRequest { document_id: document_id.into(), ..Default::default() }).await
    }

    /// The versions of a document without their texts, the newest first.
    pub fn versions(&self, document_id: impl Into<String>) -> Messages<Document> {
        let request = ListDocumentVersionsRequest { document_id: document_id.into(), ..Default::default() };
        self.client.items(request, |page| page.versions)
    }
}
