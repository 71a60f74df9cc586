//! Skills: instructions that an agent loads by name.

use crate::client::Client;
use crate::error::Result;
use crate::streams::Messages;
use crate::v1::{DeleteSkillRequest, GetSkillRequest, ListSkillsRequest, PutSkillRequest, PutSkillResponse, Skill};

/// Skills for the client's agent, a SKILL.md each: [`Client::skills`].
#[derive(Clone, Debug)]
pub struct Skills {
    client: Client,
}

impl Skills {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Stores a skill of the agent's own, or its next version; the same text stores nothing.
    ///
    /// # Errors
    /// `InvalidField` for a text without a name and a description, or with a secret in it.
    pub async fn put(&self, text: impl Into<String>) -> Result<PutSkillResponse> {
        self.put_as(PutSkillRequest { text: text.into(), ..Default::default() }).await
    }

    /// As [`Skills::put`], with all that a request can say: a level, a name for a text that has none.
    ///
    /// # Errors
    /// `VersionConflict` where the skill is not at `expected_version`; 0 is that of a name without one.
    pub async fn put_as(&self, request: PutSkillRequest) -> Result<PutSkillResponse> {
        self.client.call(request).await
    }

    /// A skill by its name, with its text: the agent's own, else the tenant's, else the global one.
    ///
    /// # Errors
    /// `SkillNotFound`.
    pub async fn get(&self, name: impl Into<String>) -> Result<Skill> {
        self.get_as(GetSkillRequest { name: name.into(), ..Default::default() }).await
    }

    /// As [`Skills::get`], of a level or a version.
    ///
    /// # Errors
    /// `SkillNotFound`.
    pub async fn get_as(&self, request: GetSkillRequest) -> Result<Skill> {
        Ok(self.client.call(request).await?.skill.unwrap_or_default())
    }

    /// The skills of the agent, without their texts, by name: each name once.
    pub fn list(&self) -> Messages<Skill> {
        self.list_as(ListSkillsRequest::default())
    }

    /// As [`Skills::list`], of one level.
    pub fn list_as(&self, request: ListSkillsRequest) -> Messages<Skill> {
        self.client.items(request, |page| page.skills)
    }

    /// Removes a skill of the agent's own, with its versions.
    ///
    /// # Errors
    /// `SkillNotFound`.
    pub async fn delete(&self, name: impl Into<String>) -> Result<()> {
        self.delete_as(DeleteSkillRequest { name: name.into(), ..Default::default() }).await
    }

    /// As [`Skills::delete`], of one level.
    ///
    /// # Errors
    /// `SkillNotFound`.
    pub async fn delete_as(&self, request: DeleteSkillRequest) -> Result<()> {
        self.client.call(request).await.map(drop)
    }
}
