//! Documents: published in parts, read, listed, changed and removed.

use std::time::{Duration, UNIX_EPOCH};

use crate::scripted_server::{Reply, Server, status, unavailable};
use camillo_client::requests::Request;
use camillo_client::v1::get_document_request::Document as Key;
use camillo_client::v1::publish_document_request::Part;
use camillo_client::v1::{
    ArchiveDocumentRequest, ArchiveDocumentResponse, DeleteDocumentRequest, DeleteDocumentResponse, Document,
    DocumentFilter, GetDocumentRequest, GetDocumentResponse, ListDocumentVersionsRequest, ListDocumentVersionsResponse,
    ListDocumentsRequest, ListDocumentsResponse, NewDocument, PublishDocumentHeader, PublishDocumentRequest,
    PublishDocumentResponse, Sensitivity, UpdateDocumentRequest, UpdateDocumentResponse,
};
use camillo_client::{Code, DocumentChanges, Reason, UploadSource, to_json};
use prost::Message;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio_stream::StreamExt;

const NAME: &str = "handbook/出差.md";

fn document(version: i64) -> Document {
    Document { version, ..Default::default() }
}

fn published(version: i64) -> PublishDocumentResponse {
    PublishDocumentResponse { document: Some(document(version)), ..Default::default() }
}

/// Returns what came in one call: the header, the bytes, the largest part, and the digest.
fn taken(server: &Server, call: usize) -> (PublishDocumentHeader, Vec<u8>, usize, Vec<u8>) {
    let (mut header, mut bytes, mut largest, mut sha256) = Default::default();
    for message in &server.calls::<PublishDocumentRequest>()[call].messages {
        match PublishDocumentRequest::decode(message.clone()).unwrap().part.unwrap() {
            Part::Header(sent) => header = sent,
            Part::Data(data) => {
                largest = data.len().max(largest);
                Vec::extend_from_slice(&mut bytes, &data);
            }
            Part::Finish(finish) => sha256 = finish.sha256.to_vec(),
        }
    }
    (header, bytes, largest, sha256)
}

#[tokio::test]
async fn a_document_is_published_in_parts_with_its_digest() {
    let server = Server::start().await;
    server.will_answer::<PublishDocumentRequest>(published(1));
    let content = "# 出差\n\nשלום 🍵 e\u{301}\n".repeat(20_000);
    let about = NewDocument::from(NAME)
        .titled("出差")
        .of_media_type("text/markdown")
        .about(["travel"])
        .with_tags(["茶"])
        .with_sensitivity(Sensitivity::Public)
        .from_url("https://example.com/茶")
        .with_provenance(&json!({"author": "Ada"}))
        .effective_from(UNIX_EPOCH + Duration::from_secs(1))
        .effective_until(UNIX_EPOCH + Duration::from_secs(2));
    let answer = server.client().documents().publish(about.clone(), content.clone()).await.unwrap();
    assert_eq!(answer.document.unwrap().version, 1);
    let (header, bytes, largest, sha256) = taken(&server, 0);
    assert_eq!((header.document, header.expected_version), (Some(about.clone()), None));
    assert!(!header.request_id.is_empty());
    assert_eq!((bytes.as_slice(), largest), (content.as_bytes(), 256 * 1024));
    assert_eq!(sha256, Sha256::digest(&content).to_vec());
    assert_eq!(to_json(&about.provenance.unwrap()), json!({"author": "Ada"}));
}

#[tokio::test]
async fn what_can_be_read_again_is_sent_again_under_the_same_request_id() {
    let server = Server::start().await;
    server
        .will::<PublishDocumentRequest>(Reply::failing(unavailable()))
        .will_answer::<PublishDocumentRequest>(published(1));
    let header = PublishDocumentHeader {
        document: Some(NAME.into()),
        expected_version: Some(0),
        omit_forgotten: true,
        ..Default::default()
    };
    server.client().documents().publish_as(header, "tea").await.unwrap();
    let (first, second) = (taken(&server, 0), taken(&server, 1));
    assert_eq!((first.0.request_id, first.0.expected_version), (second.0.request_id, Some(0)));
    assert_eq!((second.1.as_slice(), second.0.omit_forgotten), ("tea".as_bytes(), true));
    assert_eq!(server.pauses().len(), 1);
}

#[tokio::test]
async fn what_can_be_read_once_is_sent_once() {
    let server = Server::start().await;
    server.will::<PublishDocumentRequest>(Reply::failing(unavailable()));
    let header = PublishDocumentHeader { document: Some(NAME.into()), request_id: "mine".into(), ..Default::default() };
    let once = UploadSource::reader(std::io::Cursor::new("tea"));
    let failed = server.client().documents().publish_as(header, once).await.unwrap_err();
    assert!(failed.is_unavailable());
    assert_eq!((failed.request_id(), server.calls::<PublishDocumentRequest>().len()), ("mine", 1));
}

#[tokio::test]
async fn a_source_that_cannot_be_read_and_a_document_that_cannot_are_told_apart() {
    let server = Server::start().await;
    let unreadable = status(Code::FailedPrecondition, "DOCUMENT_UNREADABLE", None);
    server.will::<PublishDocumentRequest>(Reply::failing(unreadable));
    let documents = server.client().documents();
    let refused = documents.publish("a.pdf", "%PDF").await.unwrap_err();
    assert_eq!(refused.reason(), Some(&Reason::DocumentUnreadable));
    let missing = documents.publish("a.pdf", UploadSource::file("/is/not/there")).await.unwrap_err();
    assert_eq!((missing.code(), missing.reason()), (Code::Unknown, None));
}

#[tokio::test]
async fn a_document_is_read_by_id_or_name_whole_or_in_part() {
    let server = Server::start().await;
    let part = GetDocumentResponse { text: "茶".into(), byte_from: 3, byte_until: 6, ..Default::default() };
    server
        .will_answer::<GetDocumentRequest>(part.clone())
        .will_answer::<GetDocumentRequest>(GetDocumentResponse::default())
        .will::<GetDocumentRequest>(Reply::failing(status(Code::NotFound, "DOCUMENT_NOT_FOUND", None)));
    let documents = server.client().documents();
    let request = GetDocumentRequest::of("d1").bytes(3, 6).at_version(2);
    assert_eq!(documents.get_as(request).await.unwrap(), part);
    documents.get("d1").await.unwrap();
    let missing = documents.get_by_name(NAME).await.unwrap_err();
    assert_eq!(missing.reason(), Some(&Reason::DocumentNotFound));
    let sent = server.requests::<GetDocumentRequest>();
    assert_eq!((sent[0].document.clone(), sent[0].version), (Some(Key::DocumentId("d1".into())), Some(2)));
    assert_eq!((sent[0].byte_from, sent[0].byte_until, sent[0].agent_id.as_str()), (3, 6, "ada"));
    assert_eq!((sent[1].version, sent[2].document.clone()), (None, Some(Key::Name(NAME.into()))));
}

#[tokio::test]
async fn documents_and_their_versions_are_listed_over_all_pages() {
    let server = Server::start().await;
    let page = |version, next: &str| ListDocumentsResponse {
        documents: vec![document(version)],
        next_page_token: next.into(),
    };
    let versions = |version, next: &str| ListDocumentVersionsResponse {
        versions: vec![document(version)],
        next_page_token: next.into(),
    };
    server
        .will_answer::<ListDocumentsRequest>(page(1, "p2"))
        .will_answer::<ListDocumentsRequest>(page(2, ""))
        .will_answer::<ListDocumentVersionsRequest>(versions(4, "p2"))
        .will_answer::<ListDocumentVersionsRequest>(versions(3, ""));
    let documents = server.client().documents();
    let filter = DocumentFilter { name_prefix: "handbook/".into(), ..Default::default() };
    let all: Vec<_> = documents.list(filter.clone()).chain(documents.versions("d1")).collect().await;
    let numbers: Vec<i64> = all.into_iter().map(|document| document.unwrap().version).collect();
    assert_eq!(numbers, [1, 2, 4, 3]);
    let sent = server.requests::<ListDocumentsRequest>().remove(1);
    assert_eq!((sent.filter, sent.page_token.as_str()), (Some(filter), "p2"));
}

#[tokio::test]
async fn what_is_said_of_a_document_is_changed_by_name() {
    let server = Server::start().await;
    let answer = UpdateDocumentResponse { document: Some(document(3)), ..Default::default() };
    server.will_answer::<UpdateDocumentRequest>(answer);
    let changes = DocumentChanges::new().title("").tags(["茶"]).effective_until(None).title("Tea");
    assert_eq!(server.client().documents().update("d1", 2, changes).await.unwrap().version, 3);
    let sent = server.requests::<UpdateDocumentRequest>().remove(0);
    assert_eq!(sent.update_mask.unwrap().paths, ["title", "tags", "effective_until"]);
    let said = sent.document.unwrap();
    assert_eq!((sent.expected_version, said.title.as_str(), said.tags), (2, "Tea", vec!["茶".to_owned()]));
}

#[tokio::test]
async fn a_document_is_archived_taken_back_and_removed() {
    let server = Server::start().await;
    let answer = |archived| ArchiveDocumentResponse {
        document: Some(Document { archived, ..Default::default() }),
        ..Default::default()
    };
    server
        .will_answer::<ArchiveDocumentRequest>(answer(true))
        .will_answer::<ArchiveDocumentRequest>(answer(false))
        .will_answer::<DeleteDocumentRequest>(DeleteDocumentResponse { passages: 7, ..Default::default() });
    let documents = server.client().documents();
    assert!(documents.archive("d1").await.unwrap().archived);
    assert!(!documents.restore("d1").await.unwrap().archived);
    assert_eq!(documents.delete("d1").await.unwrap().passages, 7);
    let restored: Vec<bool> = server.requests::<ArchiveDocumentRequest>().iter().map(|sent| sent.restore).collect();
    assert_eq!(restored, [false, true]);
    assert!(server.requests::<DeleteDocumentRequest>().remove(0).request_id().is_some_and(|id| !id.is_empty()));
}
