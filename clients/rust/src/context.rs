//! Context for the model next, under a budget of tokens.

use crate::client::Client;
use crate::error::Result;
use crate::time_zone::Dated;
use crate::v1::{
    BuildBundleRequest, BuildDigestRequest, BuildSnapshotRequest, BuildWorkingMemoryRequest, Bundle, Channel, Turn,
};

/// Context for the client's agent: [`Client::context`].
#[derive(Clone, Debug)]
pub struct Context {
    client: Client,
}

impl Context {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Context for the next call of a model: `prompt` is ready to be sent. Takes a text that is asked, or
    /// `BuildBundleRequest::from("…").in_session("s1").within(2_000)`.
    ///
    /// # Errors
    /// `BudgetTooSmall` where what may not be cut takes more tokens.
    pub async fn bundle(&self, request: impl Into<BuildBundleRequest>) -> Result<Bundle> {
        Ok(self.client.call(request.into().in_local_time_zone()).await?.bundle.unwrap_or_default())
    }

    /// Context at the start of a run: what answers the trigger, what is recent, what is pinned.
    ///
    /// # Errors
    /// As [`Context::bundle`].
    pub async fn snapshot(&self, trigger_event: impl Into<String>) -> Result<Bundle> {
        let request = BuildSnapshotRequest { trigger_event: trigger_event.into(), ..Default::default() };
        Ok(self.client.call(request.in_local_time_zone()).await?.bundle.unwrap_or_default())
    }

    /// The agent's slots in brief, a line each, the newest first: `prompt` is ready to be sent.
    ///
    /// # Errors
    /// `InvalidField` for a limit or a tag that is none.
    pub async fn digest(&self, request: BuildDigestRequest) -> Result<Bundle> {
        Ok(self.client.call(request).await?.bundle.unwrap_or_default())
    }

    /// Context for one tick of an engine that holds the conversation itself, oldest turn first.
    ///
    /// # Errors
    /// As [`Context::bundle`].
    pub async fn working_memory(&self, system_prompt: impl Into<String>, turns: Vec<Turn>) -> Result<Bundle> {
        let request = BuildWorkingMemoryRequest { system_prompt: system_prompt.into(), turns, ..Default::default() };
        Ok(self.client.call(request.in_local_time_zone()).await?.bundle.unwrap_or_default())
    }
}

/// Holds what is asked.
impl From<&str> for BuildBundleRequest {
    fn from(query: &str) -> Self {
        query.to_owned().into()
    }
}

/// As of a `&str`.
impl From<String> for BuildBundleRequest {
    fn from(query_text: String) -> Self {
        Self { query_text, ..Self::default() }
    }
}

/// Everything is optional; what the contract says of each field holds.
impl BuildBundleRequest {
    /// The conversation, whose last turns belong to the context.
    pub fn in_session(mut self, session_id: impl Into<String>) -> Self {
        self.session_id = session_id.into();
        self
    }

    /// At most so many tokens; default: the recipe's.
    pub fn within(mut self, max_tokens: i32) -> Self {
        self.max_tokens = Some(max_tokens);
        self
    }

    /// By this recipe; default: `active_context`.
    pub fn by_recipe(mut self, name: impl Into<String>) -> Self {
        self.recipe = name.into();
        self
    }

    /// With these skills, whole; `SkillNotFound` for one that is not there.
    pub fn with_skills<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.skills = names.into_iter().map(Into::into).collect();
        self
    }

    /// Where it will be shown; default: private.
    pub fn shown_in(mut self, channel: Channel) -> Self {
        self.set_channel(channel);
        self
    }

    /// In which the days of the query begin and end, such as `Europe/Madrid`; default: the machine's.
    pub fn in_time_zone(mut self, name: impl Into<String>) -> Self {
        self.time_zone = name.into();
        self
    }
}
