//! The commands of the suite.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use camillo_client::v1::{
    ArtifactRange, BuildBundleRequest, NewArtifact, NewDocument, NewEvent, PublishDocumentHeader, RecallHit,
    RecallRequest,
};
use camillo_client::{Client, FoundItem, Tls, UploadSource, memory_refs};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt;
use tokio_stream::StreamExt;

use crate::calls::Call;
use crate::failures::Failed;
use crate::json_messages::{answer, request};

type Outcome = Result<Value, Failed>;

/// The clients that were made so far.
#[derive(Default)]
pub struct Commands {
    clients: HashMap<String, Client>,
}

impl Commands {
    /// Does what a command says.
    pub async fn run(&mut self, command: &Value) -> Outcome {
        match text(command, "do") {
            "connect" => self.connect(command).await,
            "bind" => self.bind(command),
            "call" => self.named(command)?.unary().await,
            "hits" => self.hits(command).await,
            "recall" => self.recall(command).await,
            "bundle" => self.bundle(command).await,
            "record" => self.record(command).await,
            "pages" => self.named(command)?.pages().await,
            "stream" => self.named(command)?.stream().await,
            "put" => self.put(command).await,
            "publish" => self.publish(command).await,
            "read" => self.read(command).await,
            "offload" => self.offload(command).await,
            "render_ref" => rendered(command),
            "parse_refs" => Ok(parsed(command)),
            "close" => Ok(self.close(command)),
            other => Err(Failed::Command("UNKNOWN_COMMAND", format!("{other:?} is no command"))),
        }
    }

    async fn connect(&mut self, command: &Value) -> Outcome {
        let mut builder = Client::builder();
        if let Some(address) = command["address"].as_str() {
            builder = builder.address(address);
        }
        if let Some(key) = command["key"].as_str() {
            builder = builder.key(key);
        }
        if let Some(timeout) = seconds(&command["timeout_seconds"]) {
            builder = builder.timeout(timeout);
        }
        if let Some(bytes) = command["max_message_bytes"].as_u64() {
            builder = builder.max_message_bytes(usize::try_from(bytes).unwrap_or(usize::MAX));
        }
        if command["tls"].is_object() {
            builder = builder.tls(tls(&command["tls"]).await?);
        }
        let client = builder.agent_id(text(command, "agent_id")).connect()?;
        self.clients.insert(text(command, "client").to_owned(), client);
        Ok(Value::Null)
    }

    fn bind(&mut self, command: &Value) -> Outcome {
        let mut client = self.client(&json!({"client": command["of"]}))?;
        if let Some(user) = command["user"].as_str() {
            client = client.for_user(user)?;
        }
        if let Some(project) = command["project"].as_str() {
            client = client.for_project(project)?;
        }
        if let Some(team) = command["team"].as_str() {
            client = client.for_team(team)?;
        }
        if let Some(space) = command["space"].as_str() {
            client = client.for_space(space)?;
        }
        let read = command["beside"].as_array().into_iter().flatten().filter_map(Value::as_str);
        self.clients.insert(text(command, "client").to_owned(), client.with_spaces(read)?);
        Ok(Value::Null)
    }

    fn named(&self, command: &Value) -> Result<Call, Failed> {
        let mut client = self.client(command)?;
        if let Some(timeout) = seconds(&command["timeout_seconds"]) {
            client = client.with_timeout(timeout).with_stream_timeout(timeout);
        }
        let take = command["take"].as_u64().and_then(|take| usize::try_from(take).ok()).unwrap_or(usize::MAX);
        Ok(Call { client, method: text(command, "method").to_owned(), request: command["request"].clone(), take })
    }

    async fn hits(&self, command: &Value) -> Outcome {
        let asked = request::<RecallRequest>(&command["request"])?;
        let answer = self.client(command)?.call(asked).await?;
        Ok(answer.hits.iter().map(shown).collect())
    }

    async fn recall(&self, command: &Value) -> Outcome {
        let asked = RecallRequest::from(text(command, "text")).in_time_zone(text(command, "time_zone"));
        answer(&self.client(command)?.recall(asked).await?)
    }

    async fn bundle(&self, command: &Value) -> Outcome {
        let asked = BuildBundleRequest::from(text(command, "text")).in_time_zone(text(command, "time_zone"));
        answer(&self.client(command)?.context().bundle(asked).await?)
    }

    async fn record(&self, command: &Value) -> Outcome {
        let event = NewEvent::from(text(command, "text")).in_session(text(command, "session_id"));
        answer(&*self.client(command)?.events().record(event).await?)
    }

    async fn put(&self, command: &Value) -> Outcome {
        let artifacts = self.client(command)?.artifacts();
        let source = UploadSource::file(text(command, "path"));
        answer(&artifacts.put(source, NewArtifact::named(text(command, "name"))).await?)
    }

    async fn publish(&self, command: &Value) -> Outcome {
        let categories = command["categories"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let header = PublishDocumentHeader {
            request_id: text(command, "request_id").to_owned(),
            document: Some(NewDocument::from(text(command, "name")).about(categories)),
            expected_version: command["expected_version"].as_i64(),
            ..Default::default()
        };
        let source = UploadSource::file(text(command, "path"));
        answer(&self.client(command)?.documents().publish_as(header, source).await?)
    }

    async fn read(&self, command: &Value) -> Outcome {
        let mut messages = self.client(command)?.artifacts().stream(text(command, "artifact"), ArtifactRange::all());
        let mut file = File::create(text(command, "path")).await?;
        let (mut sha256, mut bytes) = (Sha256::new(), 0);
        while let Some(message) = messages.next().await {
            let data = message?.data;
            file.write_all(&data).await?;
            sha256.update(&data);
            bytes += data.len();
        }
        file.flush().await?;
        let digest: String = sha256.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(json!({"bytes": bytes, "sha256": digest}))
    }

    async fn offload(&self, command: &Value) -> Outcome {
        let about = NewArtifact::default().made_by(text(command, "tool"));
        let output = text(command, "text").to_owned();
        answer(&self.client(command)?.artifacts().offload(output, about).await?)
    }

    fn close(&mut self, command: &Value) -> Value {
        if let Some(client) = self.clients.remove(text(command, "client")) {
            client.close();
        }
        Value::Null
    }

    fn client(&self, command: &Value) -> Result<Client, Failed> {
        let name = text(command, "client");
        self.clients.get(name).cloned().ok_or_else(|| Failed::bad_command(&format!("there is no client {name:?}")))
    }
}

async fn tls(paths: &Value) -> Result<Tls, Failed> {
    let mut tls = Tls::new();
    if let Some(root) = paths["root"].as_str() {
        tls = tls.root_certificates(fs::read(root).await?);
    }
    if let (Some(chain), Some(key)) = (paths["certificate"].as_str(), paths["private_key"].as_str()) {
        tls = tls.identity(fs::read(chain).await?, fs::read(key).await?);
    }
    match paths["server_name"].as_str() {
        Some(name) if !name.is_empty() => Ok(tls.server_name(name)),
        _ => Ok(tls),
    }
}

fn rendered(command: &Value) -> Outcome {
    memory_refs::render(text(command, "artifact_id"), text(command, "description"))
        .map(Value::String)
        .ok_or_else(|| Failed::bad_command("that is no artifact id"))
}

fn parsed(command: &Value) -> Value {
    let told =
        |found: memory_refs::MemoryRef| json!({"artifact_id": found.artifact_id, "description": found.description});
    memory_refs::find_all(text(command, "text")).into_iter().map(told).collect()
}

fn shown(hit: &RecallHit) -> Value {
    let since_1970 = hit.occurred_at().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    json!({
        "text": hit.text(),
        "id": hit.id(),
        "ref": hit.ref_id(),
        "kind": hit.kind(),
        "occurred_at_ms": since_1970.map(|since| since.as_millis()),
        "source": hit.found_in(),
        "citation": hit.citation().map(|citation| citation.document_id.as_str()),
    })
}

fn text<'a>(command: &'a Value, key: &str) -> &'a str {
    command[key].as_str().unwrap_or_default()
}

fn seconds(value: &Value) -> Option<Duration> {
    value.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}
