//! Several recalls in one call, each of which demands the client's own writes for itself.

use tonic::Code;

use crate::client::Client;
use crate::demands::Demands;
use crate::error::{Error, Result};
use crate::failures::from_item;
use crate::reason::Reason;
use crate::requests::UnaryRequest;
use crate::time_zone::Dated;
use crate::v1::batch_recall_result::Outcome;
use crate::v1::{BatchRecallRequest, BatchRecallResponse, BatchRecallResult, RecallRequest, RecallResponse};

const MAX_BATCH: usize = 32;

impl Client {
    /// An answer or an error for each query, in the order given; sent 32 at a time, with the timeout for each batch.
    ///
    /// # Errors
    /// Where a batch fails as a whole.
    pub async fn recall_many<Q: Into<RecallRequest>>(
        &self,
        queries: impl IntoIterator<Item = Q>,
    ) -> Result<Vec<Result<RecallResponse>>> {
        let requests: Vec<RecallRequest> = queries.into_iter().map(|query| query.into().in_local_time_zone()).collect();
        let mut outcomes = Vec::with_capacity(requests.len());
        for batch in requests.chunks(MAX_BATCH) {
            let answer = self.call(BatchRecallRequest { requests: batch.to_vec() }).await?;
            outcomes.extend(answer.results.into_iter().map(outcome));
        }
        Ok(outcomes)
    }
}

fn outcome(result: BatchRecallResult) -> Result<RecallResponse> {
    match result.outcome {
        Some(Outcome::Response(answer)) => Ok(answer),
        Some(Outcome::Error(status)) => Err(from_item(&status)),
        None => Err(Error::local(Code::Internal, "the server did not answer the query")),
    }
}

impl UnaryRequest for BatchRecallRequest {
    fn sent_by(self, client: &Client) -> impl Future<Output = Result<BatchRecallResponse>> + Send {
        recalled(client, self)
    }
}

/// Where a demand of this client's is void, the batch is asked once more.
async fn recalled(client: &Client, mut batch: BatchRecallRequest) -> Result<BatchRecallResponse> {
    let deadline = client.deadline();
    let demands: Vec<Demands> = batch.requests.iter_mut().map(|request| demanding(client, request)).collect();
    let answer = client.called(batch.clone(), deadline).await?;
    let mut is_void = false;
    for ((request, demands), result) in batch.requests.iter_mut().zip(&demands).zip(&answer.results) {
        if demands.is_empty() || is_met(client, demands, result) {
            continue;
        }
        demands.release(&client.written, request);
        is_void = true;
    }
    if is_void { client.called(batch, deadline).await } else { Ok(answer) }
}

fn demanding(client: &Client, request: &mut RecallRequest) -> Demands {
    let agent_id = client.filled_agent(request);
    client.carry(request, &agent_id)
}

/// Whether the server knows the revision that was demanded; remembers the one that it answered from.
fn is_met(client: &Client, demands: &Demands, result: &BatchRecallResult) -> bool {
    match &result.outcome {
        Some(Outcome::Error(status)) => from_item(status).reason() != Some(&Reason::RevisionUnknown),
        Some(Outcome::Response(answer)) => {
            demands.met(&client.written, answer);
            true
        }
        None => true,
    }
}
