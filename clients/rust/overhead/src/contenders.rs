//! The generated stub over a channel of its own, and the client.

use camillo_client::Client;
use camillo_client::v1::memory_service_client::MemoryServiceClient;
use camillo_client::v1::recall_request::Query;
use camillo_client::v1::{RecallRequest, RecallResponse};
use serde_json::Value;
use tonic::Request;
use tonic::metadata::AsciiMetadataValue;
use tonic::transport::Channel;

pub(crate) type Failure = Box<dyn std::error::Error>;

/// The stub, with nothing but the credential.
pub(crate) struct Bare {
    stub: MemoryServiceClient<Channel>,
    authorization: AsciiMetadataValue,
    agent_id: String,
    limit: i32,
}

impl Bare {
    pub(crate) async fn connected(order: &Value) -> Result<Self, Failure> {
        Ok(Self {
            stub: MemoryServiceClient::connect(format!("http://{}", text(order, "address"))).await?,
            authorization: format!("Bearer {}", text(order, "key")).parse()?,
            agent_id: text(order, "agent_id").to_owned(),
            limit: limit(order)?,
        })
    }

    pub(crate) async fn recall(&mut self, query: &str) -> Result<RecallResponse, Failure> {
        let mut request = Request::new(RecallRequest {
            agent_id: self.agent_id.clone(),
            query: Some(Query::Text(query.to_owned())),
            limit: self.limit,
            ..Default::default()
        });
        request.metadata_mut().insert("authorization", self.authorization.clone());
        Ok(self.stub.recall(request).await?.into_inner())
    }
}

/// The client's short form.
pub(crate) struct Facade {
    camillo: Client,
    limit: i32,
}

impl Facade {
    pub(crate) fn connected(order: &Value) -> Result<Self, Failure> {
        let client = Client::builder().address(text(order, "address")).key(text(order, "key"));
        Ok(Self { camillo: client.agent_id(text(order, "agent_id")).connect()?, limit: limit(order)? })
    }

    pub(crate) async fn recall(&self, query: &str) -> Result<RecallResponse, Failure> {
        Ok(self.camillo.recall(RecallRequest::from(query).with_limit(self.limit)).await?)
    }
}

fn text<'a>(order: &'a Value, name: &str) -> &'a str {
    order[name].as_str().unwrap_or_default()
}

fn limit(order: &Value) -> Result<i32, Failure> {
    Ok(i32::try_from(order["limit"].as_i64().unwrap_or_default())?)
}
