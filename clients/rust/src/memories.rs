//! Remembering, recalling, changing, forgetting.

use crate::batches::{packs, whole};
use crate::client::Client;
use crate::error::{Error, Result};
use crate::failures::from_item;
use crate::memory_fields::Changes;
use crate::resumed_watches::MAX_RECONNECTS;
use crate::streams::Messages;
use crate::time_zone::Dated;
use crate::typed_calls::new_request_id;
use crate::v1::batch_remember_result::Outcome;
use crate::v1::forget_memories_request::Selector;
use crate::v1::{
    BatchRememberRequest, BatchRememberResult, ForgetMemoriesRequest, ForgetMemoriesResponse, GetMemoryRequest,
    ListMemoriesRequest, Memory, MemoryChange, MemoryFilter, MemoryIds, NewMemory, RecallRequest, RecallResponse,
    RememberRequest, RestoreMemoriesRequest, UpdateMemoryRequest, WatchMemoriesRequest,
};
use crate::written::Written;

/// Memories. For what these methods leave out (a request id of one's own, a dry run, secrets that the server took out),
/// send the request itself with [`Client::call`].
impl Client {
    /// Stores one memory, or adds to the one that says exactly the same; `durability` of the answer says where it is.
    ///
    /// # Errors
    /// `InvalidField`, `ValueRejected` for what was forgotten and may not be stated again, `QuotaExceeded`.
    pub async fn remember(&self, memory: impl Into<NewMemory>) -> Result<Written<Memory>> {
        let request = RememberRequest { memory: Some(memory.into()), ..Default::default() };
        Ok(self.call(request).await?.into())
    }

    /// The stored memory or an error for each, in the order given. Sent in batches of up to 1,000, each one transaction
    /// with the timeout for itself.
    ///
    /// # Errors
    /// Where a batch fails as a whole; those before it stay stored. With the `request_id` of the error in
    /// [`Client::remember_many_as`] the same memories can be sent again, and those are not stored twice.
    pub async fn remember_many<M: Into<NewMemory>>(
        &self,
        memories: impl IntoIterator<Item = M>,
    ) -> Result<Vec<Result<Memory>>> {
        self.remembered(&new_request_id(), false, memories).await
    }

    /// As [`Client::remember_many`], by a request id of the caller's own, up to 120 characters.
    ///
    /// # Errors
    /// As there.
    pub async fn remember_many_as<M: Into<NewMemory>>(
        &self,
        request_id: &str,
        memories: impl IntoIterator<Item = M>,
    ) -> Result<Vec<Result<Memory>>> {
        self.remembered(request_id, true, memories).await
    }

    async fn remembered<M: Into<NewMemory>>(
        &self,
        request_id: &str,
        is_repeatable: bool,
        memories: impl IntoIterator<Item = M>,
    ) -> Result<Vec<Result<Memory>>> {
        let mut outcomes = Vec::new();
        for (number, pack) in packs(memories.into_iter().map(Into::into)).into_iter().enumerate() {
            let (sent, own_id) = (pack.len(), numbered(request_id, number));
            let request = BatchRememberRequest { request_id: own_id, memories: pack, ..Default::default() };
            let answer = if is_repeatable { self.call(request).await } else { self.call_first(request).await };
            let results = answer.and_then(|answer| whole(answer.results, sent));
            outcomes.extend(results.map_err(|error| error.with_request_id(request_id))?.into_iter().map(outcome));
        }
        Ok(outcomes)
    }

    /// The memories that answer a query best: a text, or `RecallRequest::from("tea").with_limit(3)`.
    ///
    /// # Errors
    /// `InvalidField`, `RevisionBehind`.
    pub async fn recall(&self, query: impl Into<RecallRequest>) -> Result<RecallResponse> {
        self.call(query.into().in_local_time_zone()).await
    }

    /// Everything that the agent remembers, was done in the tenant, in workflows, or is written in its documents: a recall from memories,
    /// audit entries, workflow steps and documents by the profile `blended`, 5 hits, where the request does not say otherwise.
    ///
    /// # Errors
    /// As [`Client::recall`].
    pub async fn search_my_memories(&self, query: impl Into<RecallRequest>) -> Result<RecallResponse> {
        self.call(query.into().for_my_memories().in_local_time_zone()).await
    }

    /// One memory, archived or not.
    ///
    /// # Errors
    /// `MemoryNotFound`.
    pub async fn get(&self, memory_id: impl Into<String>) -> Result<Memory> {
        let request = GetMemoryRequest { memory_id: memory_id.into(), ..Default::default() };
        Ok(self.call(request).await?.memory.unwrap_or_default())
    }

    /// Changes the fields named.
    ///
    /// # Errors
    /// `VersionConflict` if the memory is no longer at the version that the caller has seen.
    pub async fn update(&self, memory_id: impl Into<String>, version: i64, changes: Changes) -> Result<Memory> {
        let request = UpdateMemoryRequest {
            memory_id: memory_id.into(),
            expected_version: version,
            update_mask: Some(changes.mask()),
            memory: Some(changes.memory),
            ..Default::default()
        };
        Ok(self.call(request).await?.memory.unwrap_or_default())
    }

    /// Removes memories for good, with what was derived from them; what they say may not be stated again. Ids that are
    /// not there are passed over.
    ///
    /// # Errors
    /// `InvalidField` for what is no id.
    pub async fn forget<T: Into<String>>(&self, ids: impl IntoIterator<Item = T>) -> Result<ForgetMemoriesResponse> {
        let selector = Selector::MemoryIds(memory_ids(ids));
        self.call(ForgetMemoriesRequest { selector: Some(selector), ..Default::default() }).await
    }

    /// Takes archived memories back into recall; how many were.
    ///
    /// # Errors
    /// `InvalidField` for what is no id.
    pub async fn restore<T: Into<String>>(&self, ids: impl IntoIterator<Item = T>) -> Result<i64> {
        let request = RestoreMemoriesRequest { memory_ids: Some(memory_ids(ids)), ..Default::default() };
        Ok(self.call(request).await?.restored)
    }

    /// All memories that pass the filter, newest first; `MemoryFilter::default()` lets all pass that are not archived.
    pub fn memories(&self, filter: MemoryFilter) -> Messages<Memory> {
        let request = ListMemoriesRequest { filter: Some(filter), ..Default::default() };
        self.items(request, |page| page.memories)
    }

    /// The changes of the scope in the order of their revisions, checkpoints among them, without end. `start` says where
    /// to begin: at `WatchMemoriesRequest::default()`, with what comes next.
    ///
    /// When the server goes away, the watch goes on behind the last change handed out; it gives up after ten connections
    /// in a row that brought nothing. To go on in another process, keep the `resume_token` of the last change dealt with.
    pub fn watch(&self, start: WatchMemoriesRequest) -> Messages<MemoryChange> {
        use tokio_stream::StreamExt;

        let answers = self.resumed(start, MAX_RECONNECTS);
        Box::pin(answers.filter_map(|answer| answer.map(|answer| answer.change).transpose()))
    }
}

/// The first batch has the id itself.
fn numbered(request_id: &str, number: usize) -> String {
    if number == 0 { request_id.to_owned() } else { format!("{request_id}.{number}") }
}

fn memory_ids<T: Into<String>>(ids: impl IntoIterator<Item = T>) -> MemoryIds {
    MemoryIds { ids: ids.into_iter().map(Into::into).collect() }
}

fn outcome(result: BatchRememberResult) -> Result<Memory> {
    match result.outcome {
        Some(Outcome::Memory(memory)) => Ok(memory),
        Some(Outcome::Error(status)) => Err(from_item(&status)),
        None => Err(Error::local(tonic::Code::Internal, "the server did not say what became of the memory")),
    }
}
