//! Events: what an agent is told and does.

use tokio_stream::StreamExt;
use tonic::Code;

use crate::batches::{packs, whole};
use crate::client::Client;
use crate::error::{Error, Result};
use crate::failures::from_item;
use crate::resumed_watches::MAX_RECONNECTS;
use crate::streams::Messages;
use crate::typed_calls::new_request_id;
use crate::v1::forget_events_request::Selector;
use crate::v1::recorded_event_result::Outcome;
use crate::v1::{
    BatchRecordEventsRequest, Event, EventChange, EventFilter, EventIds, ForgetEventsRequest, ForgetEventsResponse,
    GetEventRequest, GetEventResponse, ListEventsRequest, NewEvent, RecordEventRequest, RecordedEvent,
    RecordedEventResult, WatchEventsRequest,
};
use crate::written::Written;

/// Events of the client's agent: [`Client::events`].
#[derive(Clone, Debug)]
pub struct Events {
    client: Client,
}

impl Events {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Stores one event: a text, the call or the result of a tool, or a JSON object; `durability` of the answer says where it
    /// is.
    ///
    /// # Errors
    /// `InvalidField`, `RefNotFound` for what is cited and is not there.
    pub async fn record(&self, event: impl Into<NewEvent>) -> Result<Written<RecordedEvent>> {
        let request = RecordEventRequest { event: Some(event.into()), ..Default::default() };
        Ok(self.client.call(request).await?.into())
    }

    /// The outcome of each, in the order given. Sent in batches of up to 1,000 with the timeout for each.
    ///
    /// # Errors
    /// Where a batch fails as a whole; those before it stay stored.
    pub async fn record_many<E: Into<NewEvent>>(
        &self,
        events: impl IntoIterator<Item = E>,
    ) -> Result<Vec<Result<RecordedEvent>>> {
        let first_id = new_request_id();
        let mut outcomes = Vec::new();
        for (number, events) in packs(events.into_iter().map(Into::into)).into_iter().enumerate() {
            let request_id = format!("{first_id}.{number}");
            let sent = events.len();
            let request = BatchRecordEventsRequest { request_id, events, ..Default::default() };
            let answer = self.client.call_first(request).await?;
            outcomes.extend(whole(answer.results, sent)?.into_iter().map(outcome));
        }
        Ok(outcomes)
    }

    /// One event and the ids of its chunks.
    ///
    /// # Errors
    /// `EventNotFound`.
    pub async fn get(&self, event_id: impl Into<String>) -> Result<GetEventResponse> {
        self.client.call(GetEventRequest { event_id: event_id.into(), ..Default::default() }).await
    }

    /// Events that pass the filter, in the order of recording.
    pub fn list(&self, filter: EventFilter) -> Messages<Event> {
        self.list_as(ListEventsRequest { filter: Some(filter), ..Default::default() })
    }

    /// As [`Events::list`], with all that a request can say.
    pub fn list_as(&self, request: ListEventsRequest) -> Messages<Event> {
        self.client.items(request, |page| page.events)
    }

    /// Events as they are recorded, checkpoints among them, without end; goes on by itself as [`Client::watch`].
    pub fn watch(&self, start: WatchEventsRequest) -> Messages<EventChange> {
        let answers = self.client.resumed(start, MAX_RECONNECTS);
        Box::pin(answers.filter_map(|answer| answer.map(|answer| answer.change).transpose()))
    }

    /// Removes events for good, with what was derived from them.
    ///
    /// # Errors
    /// `InvalidField` for what is no id.
    pub async fn forget<T: Into<String>>(&self, ids: impl IntoIterator<Item = T>) -> Result<ForgetEventsResponse> {
        let ids = EventIds { ids: ids.into_iter().map(Into::into).collect() };
        let selector = Some(Selector::EventIds(ids));
        self.client.call(ForgetEventsRequest { selector, ..Default::default() }).await
    }
}

fn outcome(result: RecordedEventResult) -> Result<RecordedEvent> {
    match result.outcome {
        Some(Outcome::Recorded(recorded)) => Ok(recorded),
        Some(Outcome::Error(status)) => Err(from_item(&status)),
        None => Err(Error::local(Code::Internal, "the server did not say what became of the event")),
    }
}
