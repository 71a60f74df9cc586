//! Storing bytes of any length, in constant memory.

use std::sync::Arc;

use bytes::Bytes;
use futures_core::Stream;
use sha2::{Digest, Sha256};
use tokio_stream::StreamExt;
use tonic::Code;
use uuid::Uuid;

use crate::artifact_reads::{MAX_FAILURES, is_passing};
use crate::client::Client;
use crate::error::{Error, Result};
use crate::failures::from_status;
use crate::reason::Reason;
use crate::requests::UploadRequest;
use crate::typed_calls::{decoded, new_request_id};
use crate::upload_messages::{UploadHeader, unreadable};
use crate::upload_source::UploadSource;
use crate::v1::put_artifact_request::Part;
use crate::v1::{
    ArtifactBytes, GetArtifactRequest, GetUploadRequest, NewArtifact, PutArtifactFinish, PutArtifactHeader,
    PutArtifactRequest, PutArtifactResponse,
};
use crate::wire::Terms;

/// An upload, over all calls that it takes.
pub(crate) struct Upload {
    client: Client,
    source: Arc<UploadSource>,
    size: Option<u64>,
    header: PutArtifactHeader,
    // Whether a call was broken off: the server may hold a part, or all.
    is_resumed: bool,
}

impl Upload {
    pub(crate) async fn new(client: &Client, source: UploadSource, mut artifact: NewArtifact) -> Result<Self> {
        if let Some(name) = source.name().filter(|_| artifact.name.is_empty()) {
            artifact.name = name;
        }
        let size = source.size().await.map_err(|error| unreadable(&error))?;
        let header = PutArtifactHeader {
            request_id: new_request_id(),
            agent_id: client.agent_id.to_string(),
            artifact: Some(artifact),
            upload_id: Uuid::new_v4().to_string(),
            size_bytes: size.and_then(|size| i64::try_from(size).ok()),
            ..Default::default()
        };
        Ok(Self { client: client.clone(), source: Arc::new(source), size, header, is_resumed: false })
    }

    /// Goes on after a break where the server holds it, up to three times without progress.
    pub(crate) async fn sent(mut self) -> Result<PutArtifactResponse> {
        self.resumed().await.map_err(|error| error.with_request_id(&self.header.request_id))
    }

    async fn resumed(&mut self) -> Result<PutArtifactResponse> {
        let mut failures = 0;
        loop {
            let held = self.header.offset;
            let error = match self.attempt().await {
                Err(error) if self.source.can_restart() && can_go_on(&error) => error,
                outcome => return outcome,
            };
            failures = if self.header.offset > held { 1 } else { failures + 1 };
            self.is_resumed = true;
            self.client.pause_or_give_up(error, failures, MAX_FAILURES).await?;
        }
    }

    async fn attempt(&mut self) -> Result<PutArtifactResponse> {
        if self.is_resumed
            && let Some(answer) = self.found().await?
        {
            return Ok(answer);
        }
        self.client.fed(&self.source, self.size, self.header.clone()).await
    }

    /// The artifact, if only the answer was lost; else puts into the header where to go on.
    async fn found(&mut self) -> Result<Option<PutArtifactResponse>> {
        let (agent_id, upload_id) = (self.header.agent_id.clone(), self.header.upload_id.clone());
        let upload = match self.client.call(GetUploadRequest { agent_id: agent_id.clone(), upload_id }).await {
            Err(error) if error.reason() == Some(&Reason::UploadNotFound) => {
                self.header.offset = 0;
                self.header.prefix_sha256 = Bytes::new();
                return Ok(None);
            }
            outcome => outcome?,
        };
        if !upload.artifact_id.is_empty() {
            return self.finished(agent_id, upload.artifact_id).await.map(Some);
        }
        self.check_held(upload.held_bytes)?;
        self.header.prefix_sha256 = self.prefix_sha256(upload.held_bytes).await?;
        self.header.offset = upload.held_bytes;
        Ok(None)
    }

    /// Internal where the server says that it holds more than there is.
    fn check_held(&self, held: i64) -> Result<()> {
        let held = u64::try_from(held).ok().filter(|held| self.size.is_none_or(|size| *held <= size));
        let refused = || Error::local(Code::Internal, "the server says that it holds more bytes than there are");
        held.map(drop).ok_or_else(refused)
    }

    async fn finished(&self, agent_id: String, artifact_id: String) -> Result<PutArtifactResponse> {
        let known = self.client.call(GetArtifactRequest { agent_id, artifact_id, channel: 0 }).await?;
        let (artifact, preview, redactions) = (known.artifact, known.preview, known.redactions);
        Ok(PutArtifactResponse { artifact, preview, redactions, field_redactions: Vec::new() })
    }

    /// The SHA-256 of the first so many bytes; empty for none.
    async fn prefix_sha256(&self, size: i64) -> Result<Bytes> {
        let mut left = usize::try_from(size).unwrap_or_default();
        if left == 0 {
            return Ok(Bytes::new());
        }
        let mut sha256 = Sha256::new();
        let mut chunks = self.source.chunks(0, self.size);
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|error| unreadable(&error))?;
            let taken = left.min(chunk.len());
            sha256.update(&chunk[..taken]);
            left -= taken;
            if left == 0 {
                break;
            }
        }
        Ok(Bytes::from(sha256.finalize().to_vec()))
    }
}

impl Client {
    /// The answer to a stream of messages of any upload of the contract, such as `ImportMemoriesRequest`; the agent is the one
    /// that the first message names. There is no timeout but that of [`Client::with_stream_timeout`].
    ///
    /// # Errors
    /// Whatever the method fails with. Nothing is sent again.
    pub async fn upload<R: UploadRequest>(
        &self,
        messages: impl Stream<Item = R> + Send + 'static,
    ) -> Result<R::Answer> {
        self.uploaded::<R>(messages.map(|message| message.encode_to_vec().into())).await
    }

    pub(crate) async fn uploaded<R: UploadRequest>(
        &self,
        messages: impl Stream<Item = Bytes> + Send + 'static,
    ) -> Result<R::Answer> {
        let terms = Terms { method: R::METHOD, agent_id: &self.agent_id, deadline: self.stream_deadline() };
        let answer = self.calls.wire.upload(terms, messages).await;
        decoded(answer.map_err(|status| from_status(&status, ""))?)
    }
}

impl UploadHeader for PutArtifactHeader {
    type Message = PutArtifactRequest;

    fn start(&self) -> i64 {
        self.offset
    }

    fn begin(self) -> PutArtifactRequest {
        message(Part::Header(self))
    }

    fn bytes(offset: i64, data: Bytes) -> PutArtifactRequest {
        message(Part::Bytes(ArtifactBytes { offset, data }))
    }

    fn finish(sha256: Bytes) -> PutArtifactRequest {
        message(Part::Finish(PutArtifactFinish { sha256 }))
    }
}

fn message(part: Part) -> PutArtifactRequest {
    PutArtifactRequest { part: Some(part) }
}

fn can_go_on(error: &Error) -> bool {
    is_passing(error) || error.reason() == Some(&Reason::UploadOffsetMismatch)
}
