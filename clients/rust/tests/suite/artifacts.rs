//! Bytes to and from the server.

use std::io::Cursor;

use crate::scripted_server::{Call, Reply, Server, status, unavailable};
use camillo_client::v1::put_artifact_request::Part;
use camillo_client::v1::{
    Artifact, ArtifactRange, GetArtifactRequest, GetArtifactResponse, GetUploadRequest, GetUploadResponse, NewArtifact,
    OffloadOutputRequest, PutArtifactHeader, PutArtifactRequest, PutArtifactResponse, ReadArtifactRequest,
    ReadArtifactResponse,
};
use camillo_client::{Code, Reason, UploadSource};
use prost::Message;
use prost::bytes::Bytes;
use sha2::{Digest, Sha256};

const CHUNK: usize = 256 * 1024;

fn stored() -> PutArtifactResponse {
    let artifact = Artifact { artifact_id: "log_1".into(), ..Default::default() };
    PutArtifactResponse { artifact: Some(artifact), ..Default::default() }
}

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|place| (place % 251) as u8).collect()
}

fn parts(call: &Call) -> Vec<Part> {
    let decode = |message: &prost::bytes::Bytes| PutArtifactRequest::decode(message.clone()).unwrap().part.unwrap();
    call.messages.iter().map(decode).collect()
}

fn header(call: &Call) -> PutArtifactHeader {
    match parts(call).swap_remove(0) {
        Part::Header(header) => header,
        other => panic!("{other:?} came first"),
    }
}

fn data(call: &Call) -> Vec<u8> {
    let of = |part| match part {
        Part::Bytes(bytes) => bytes.data.to_vec(),
        _ => Vec::new(),
    };
    parts(call).into_iter().flat_map(of).collect()
}

fn message(offset: i64, data: &[u8], before: u32, range_bytes: i64) -> ReadArtifactResponse {
    let crc32c = crc32c::crc32c_append(before, data);
    ReadArtifactResponse { data: data.to_vec().into(), offset, crc32c, range_bytes, ..Default::default() }
}

#[tokio::test]
async fn bytes_are_sent_in_messages_with_their_hash_at_the_end() {
    let server = Server::start().await;
    server.will_answer::<PutArtifactRequest>(stored());
    let sent = bytes(CHUNK + 1);
    let artifact = server.client().artifacts().put(sent.clone(), NewArtifact::named("log")).await.unwrap();
    assert_eq!(artifact.artifact_id, "log_1");
    let call = &server.calls::<PutArtifactRequest>()[0];
    let header = header(call);
    assert_eq!((header.agent_id.as_str(), header.size_bytes, header.offset), ("ada", Some(CHUNK as i64 + 1), 0));
    assert_eq!(data(call), sent);
    let Some(Part::Finish(finish)) = parts(call).pop() else { panic!("there is no end") };
    assert_eq!(finish.sha256.to_vec(), Sha256::digest(&sent).to_vec());
    assert_eq!(call.messages.len(), 4);
}

#[tokio::test]
async fn an_upload_goes_on_where_the_server_holds_it() {
    let server = Server::start().await;
    server
        .will::<PutArtifactRequest>(Reply::failing(unavailable()).after_taking(2))
        .will_answer::<GetUploadRequest>(GetUploadResponse { held_bytes: 100, ..Default::default() })
        .will_answer::<PutArtifactRequest>(stored());
    let sent = bytes(CHUNK * 3);
    server.client().artifacts().put(sent.clone(), NewArtifact::default()).await.unwrap();
    let calls = server.calls::<PutArtifactRequest>();
    let (first, second) = (header(&calls[0]), header(&calls[1]));
    assert_eq!((first.upload_id, first.request_id), (second.upload_id, second.request_id));
    assert_eq!(second.offset, 100);
    assert_eq!(second.prefix_sha256.to_vec(), Sha256::digest(&sent[..100]).to_vec());
    assert_eq!(data(&calls[1]), &sent[100..]);
    let Some(Part::Finish(finish)) = parts(&calls[1]).pop() else { panic!("there is no end") };
    assert_eq!(finish.sha256.to_vec(), Sha256::digest(&sent[100..]).to_vec());
}

#[tokio::test]
async fn an_upload_whose_answer_was_lost_is_found() {
    let server = Server::start().await;
    let finished = GetUploadResponse { held_bytes: 3, artifact_id: "log_1".into() };
    server
        .will::<PutArtifactRequest>(Reply::failing(unavailable()))
        .will_answer::<GetUploadRequest>(finished)
        .will_answer::<GetArtifactRequest>(GetArtifactResponse { artifact: stored().artifact, ..Default::default() });
    let artifact = server.client().artifacts().put("tea", NewArtifact::default()).await.unwrap();
    assert_eq!(artifact.artifact_id, "log_1");
    assert_eq!(server.calls::<PutArtifactRequest>().len(), 1);
}

#[tokio::test]
async fn an_upload_that_the_server_has_forgotten_begins_anew() {
    let server = Server::start().await;
    server
        .will::<PutArtifactRequest>(Reply::failing(unavailable()))
        .will::<GetUploadRequest>(Reply::failing(status(Code::NotFound, "UPLOAD_NOT_FOUND", None)))
        .will_answer::<PutArtifactRequest>(stored());
    server.client().artifacts().put("tea", NewArtifact::default()).await.unwrap();
    assert_eq!(header(&server.calls::<PutArtifactRequest>()[1]).offset, 0);
}

#[tokio::test]
async fn an_upload_gives_up_after_three_breaks_without_progress() {
    let server = Server::start().await;
    for _ in 0..9 {
        server
            .will::<PutArtifactRequest>(Reply::failing(unavailable()))
            .will_answer::<GetUploadRequest>(GetUploadResponse::default());
    }
    let error = server.client().artifacts().put("tea", NewArtifact::default()).await.unwrap_err();
    assert!(error.is_unavailable());
    let sent = server.calls::<PutArtifactRequest>();
    assert_eq!(sent.len(), 4);
    assert_eq!(error.request_id(), header(&sent[0]).request_id);
}

#[tokio::test]
async fn what_is_read_once_is_sent_once() {
    let server = Server::start().await;
    server.will::<PutArtifactRequest>(Reply::failing(unavailable()));
    let source = UploadSource::reader(Cursor::new(b"tea".to_vec()));
    let error = server.client().artifacts().put(source, NewArtifact::default()).await.unwrap_err();
    assert!(error.is_unavailable());
    let calls = server.calls::<PutArtifactRequest>();
    assert_eq!((calls.len(), header(&calls[0]).size_bytes), (1, None));
    assert_eq!(error.request_id(), header(&calls[0]).request_id);
}

#[tokio::test]
async fn a_file_gives_its_name_and_one_that_is_not_there_is_told() {
    let server = Server::start().await;
    server.will_answer::<PutArtifactRequest>(stored());
    let artifacts = server.client().artifacts();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    artifacts.put(UploadSource::file(path), NewArtifact::default()).await.unwrap();
    let call = &server.calls::<PutArtifactRequest>()[0];
    assert_eq!(header(call).artifact.unwrap().name, "Cargo.toml");
    assert_eq!(data(call), std::fs::read(path).unwrap());
    let error = artifacts.put(UploadSource::file("/no/such/file"), NewArtifact::default()).await.unwrap_err();
    assert!(error.message().starts_with("the source cannot be read"));
}

#[tokio::test]
async fn a_read_goes_on_behind_what_has_come() {
    let server = Server::start().await;
    let first = message(0, b"tea ", 0, 8);
    let second = message(4, b"time", first.crc32c, 8);
    let crc32c = first.crc32c;
    server
        .will::<ReadArtifactRequest>(Reply::with([first]).then_failing(unavailable()))
        .will::<ReadArtifactRequest>(Reply::with([second]));
    let ref_text = "[MemoryRef: log_1 - tea]";
    assert_eq!(server.client().artifacts().read(ref_text, ArtifactRange::all()).await.unwrap(), b"tea time");
    let asked = &server.requests::<ReadArtifactRequest>();
    assert_eq!(asked[0].artifact_id, "log_1");
    assert_eq!((asked[1].resume_after_bytes, asked[1].resume_crc32c), (4, crc32c));
}

#[tokio::test]
async fn damaged_bytes_and_missing_ones_are_never_handed_out_as_whole() {
    let server = Server::start().await;
    let damaged = ReadArtifactResponse { crc32c: 7, ..message(0, b"tea ", 0, 8) };
    server
        .will::<ReadArtifactRequest>(Reply::with([damaged]))
        .will::<ReadArtifactRequest>(Reply::with([message(0, b"tea ", 0, 8)]));
    let artifacts = server.client().artifacts();
    for _ in 0..2 {
        let error = artifacts.read("log_1", ArtifactRange::all()).await.unwrap_err();
        assert_eq!((error.code(), error.reason()), (Code::DataLoss, None));
    }
}

#[tokio::test]
async fn a_read_that_is_refused_is_not_begun_again() {
    let server = Server::start().await;
    server.will::<ReadArtifactRequest>(Reply::failing(status(Code::NotFound, "ARTIFACT_NOT_FOUND", None)));
    let error = server.client().artifacts().read_text("log_1", ArtifactRange::head(2)).await.unwrap_err();
    assert_eq!(error.reason(), Some(&Reason::ArtifactNotFound));
    assert!(server.pauses().is_empty());
}

#[tokio::test]
async fn what_has_come_whole_is_not_asked_for_again() {
    let server = Server::start().await;
    let whole = message(0, b"tea time", 0, 8);
    server.will::<ReadArtifactRequest>(Reply::with([whole]).then_failing(unavailable()));
    assert_eq!(server.client().artifacts().read("log_1", ArtifactRange::all()).await.unwrap(), b"tea time");
    assert_eq!(server.calls::<ReadArtifactRequest>().len(), 1);
}

#[tokio::test]
async fn a_text_is_read_as_it_was_written() {
    let server = Server::start().await;
    let bytes = Bytes::from_static(b"th\xe9");
    let message =
        ReadArtifactResponse { crc32c: crc32c::crc32c(&bytes), range_bytes: 3, data: bytes, ..Default::default() };
    let artifact = Artifact { encoding: "windows-1252".into(), ..Default::default() };
    server
        .will_answer::<ReadArtifactRequest>(message)
        .will_answer::<GetArtifactRequest>(GetArtifactResponse { artifact: Some(artifact), ..Default::default() });
    assert_eq!(server.client().artifacts().read_text("log_1", ArtifactRange::all()).await.unwrap(), "thé");
}

#[tokio::test]
async fn of_an_output_without_a_byte_no_server_is_asked() {
    let server = Server::start().await;
    let answer = server.client().artifacts().offload("", NewArtifact::default()).await.unwrap();
    assert_eq!(answer.text, "");
    assert!(server.calls::<OffloadOutputRequest>().is_empty());
}

#[tokio::test]
async fn an_output_that_no_message_holds_is_sent_as_a_stream() {
    let server = Server::start().await;
    let mut answer = stored();
    let artifact = answer.artifact.as_mut().unwrap();
    artifact.memory_ref = "[MemoryRef: log_1 - tea]".into();
    artifact.summary = "much tea\n".into();
    server.will_answer::<PutArtifactRequest>(answer);
    let output = "tea\n".repeat(1024 * 1024);
    let shown = server.client().artifacts().offload(output, NewArtifact::default().made_by("shell")).await.unwrap();
    assert_eq!(shown.text, "[MemoryRef: log_1 - tea]\nmuch tea");
}
