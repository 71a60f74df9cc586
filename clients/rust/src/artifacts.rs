//! Artifacts: large outputs, kept out of the context and read back in parts.

use bytes::Bytes;
use tokio_stream::StreamExt;

use crate::artifact_reads::checked;
use crate::client::Client;
use crate::error::Result;
use crate::memory_refs::artifact_id_of;
use crate::streams::Messages;
use crate::texts::decoded;
use crate::upload_source::UploadSource;
use crate::uploads::Upload;
use crate::v1::offload_output_response::Outcome;
use crate::v1::{
    Artifact, ArtifactFilter, ArtifactRange, GetArtifactRequest, GetArtifactResponse, ListArtifactsRequest,
    NewArtifact, OffloadOutputRequest, OffloadOutputResponse, PutArtifactResponse, ReadArtifactRequest,
    ReadArtifactResponse,
};

// In one message; what is longer is sent as a stream.
const MAX_MESSAGE_OUTPUT_BYTES: usize = 3 * 1024 * 1024;

/// Artifacts of the client's agent: [`Client::artifacts`]. Every id may be a whole memory ref.
#[derive(Clone, Debug)]
pub struct Artifacts {
    client: Client,
}

impl Artifacts {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// The text to put before the model in place of a tool's output: `text` of the answer. Short output stands in it as it is,
    /// without its secrets; long output is kept, and a ref, a summary and a preview stand for it.
    ///
    /// # Errors
    /// `QuotaExceeded`, `StorageFull`, `BytesUnavailable`.
    pub async fn offload(&self, output: impl Into<Bytes>, about: NewArtifact) -> Result<OffloadOutputResponse> {
        let output = output.into();
        if output.is_empty() {
            return Ok(OffloadOutputResponse { outcome: Some(Outcome::Inline(String::new())), ..Default::default() });
        }
        if output.len() > MAX_MESSAGE_OUTPUT_BYTES {
            return Ok(kept(self.sent(output.into(), about).await?));
        }
        let request = OffloadOutputRequest { output, artifact: Some(about), ..Default::default() };
        self.client.call(request).await
    }

    /// Stores text, bytes, the file at a path, or what a reader gives, in messages of 256 KiB.
    ///
    /// A source that can be read again goes on after a break where the server holds it, up to three times without progress. There
    /// is no timeout but that of [`Client::with_stream_timeout`], for each connection.
    ///
    /// # Errors
    /// `QuotaExceeded`, `StorageFull`, `BytesUnavailable`; `Unknown` where the source cannot be read.
    pub async fn put(&self, source: impl Into<UploadSource>, about: NewArtifact) -> Result<Artifact> {
        Ok(self.sent(source.into(), about).await?.artifact.unwrap_or_default())
    }

    async fn sent(&self, source: UploadSource, about: NewArtifact) -> Result<PutArtifactResponse> {
        Upload::new(&self.client, source, about).await?.sent().await
    }

    /// The facts about an artifact, and its preview.
    ///
    /// # Errors
    /// `ArtifactNotFound`.
    pub async fn get(&self, artifact_id: impl AsRef<str>) -> Result<GetArtifactResponse> {
        let artifact_id = artifact_id_of(artifact_id.as_ref());
        self.client.call(GetArtifactRequest { artifact_id, ..Default::default() }).await
    }

    /// All bytes of a range at once: `ArtifactRange::all()`, or a part.
    ///
    /// # Errors
    /// As the items of [`Artifacts::stream`].
    pub async fn read(&self, artifact_id: impl AsRef<str>, range: ArtifactRange) -> Result<Vec<u8>> {
        let mut messages = self.stream(artifact_id, range);
        let mut bytes = Vec::new();
        while let Some(message) = messages.next().await {
            bytes.extend_from_slice(&message?.data);
        }
        Ok(bytes)
    }

    /// The text of a range; what is not valid in the artifact's encoding is replaced.
    ///
    /// # Errors
    /// As the items of [`Artifacts::stream`].
    pub async fn read_text(&self, artifact_id: impl AsRef<str>, range: ArtifactRange) -> Result<String> {
        let bytes = self.read(artifact_id.as_ref(), range).await?;
        if bytes.is_ascii() && !bytes.contains(&0) {
            return Ok(decoded(&bytes, ""));
        }
        let known = self.get(artifact_id).await?.artifact.unwrap_or_default();
        Ok(decoded(&bytes, &known.encoding))
    }

    /// The bytes of a range in messages of up to 256 KiB, each checked. Goes on after a break where it ended, up to three
    /// times without progress.
    ///
    /// Fails with `ArtifactNotFound`, `RangePastEnd`, `BytesUnavailable`, `BytesLost`; with the code `DataLoss` and no reason
    /// where bytes came otherwise than they were sent: read them again.
    pub fn stream(&self, artifact_id: impl AsRef<str>, range: ArtifactRange) -> Messages<ReadArtifactResponse> {
        let request = ReadArtifactRequest {
            agent_id: self.client.agent_id.to_string(),
            artifact_id: artifact_id_of(artifact_id.as_ref()),
            range: Some(range).filter(|range| range.range.is_some()),
            ..Default::default()
        };
        checked(self.client.clone(), request)
    }

    /// Artifacts that pass the filter, newest first.
    pub fn list(&self, filter: ArtifactFilter) -> Messages<Artifact> {
        let request = ListArtifactsRequest { filter: Some(filter), ..Default::default() };
        self.client.items(request, |page| page.artifacts)
    }
}

/// The reference to an artifact that was sent as a stream.
fn kept(answer: PutArtifactResponse) -> OffloadOutputResponse {
    let artifact = answer.artifact.unwrap_or_default();
    let preview = answer.preview.clone().unwrap_or_default();
    let titled = |title: &str, text: &str| if text.is_empty() { String::new() } else { format!("--- {title}\n{text}") };
    let mut parts = vec![artifact.memory_ref.clone(), artifact.summary.clone()];
    parts.extend([titled("head", &preview.head), titled("tail", &preview.tail)]);
    parts.retain(|part| !part.is_empty());
    let lines: Vec<&str> = parts.iter().map(|part| part.trim_end_matches('\n')).collect();
    OffloadOutputResponse {
        text: lines.join("\n"),
        outcome: Some(Outcome::Artifact(artifact)),
        preview: answer.preview,
        redactions: answer.redactions,
        field_redactions: answer.field_redactions,
        ..Default::default()
    }
}
