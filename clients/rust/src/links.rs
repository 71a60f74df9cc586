//! Links: what belongs together.

use crate::client::Client;
use crate::error::Result;
use crate::streams::Messages;
use crate::v1::list_related_request::To;
use crate::v1::{
    AddLinksRequest, Entity, EntityType, Link, LinkEnd, LinkType, ListRelatedRequest, NewLink, Related,
    RemoveLinksRequest, Source,
};

/// Links, stated by callers or told by what texts mention: [`Client::links`].
#[derive(Clone, Debug)]
pub struct Links {
    client: Client,
}

impl Links {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// States up to 100 links in one transaction; those that are there already stay as they are.
    ///
    /// # Errors
    /// `RefNotFound` where an end is not there, `QuotaExceeded` where one would have more than 256 links.
    pub async fn add(&self, links: impl IntoIterator<Item = NewLink>) -> Result<Vec<Link>> {
        let request = AddLinksRequest { links: links.into_iter().collect(), ..Default::default() };
        Ok(self.client.call(request).await?.links)
    }

    /// Takes links away; how many were there.
    ///
    /// # Errors
    /// `InvalidField` for what is no link.
    pub async fn remove(&self, links: impl IntoIterator<Item = NewLink>) -> Result<i32> {
        let request = RemoveLinksRequest { links: links.into_iter().collect(), ..Default::default() };
        Ok(self.client.call(request).await?.removed)
    }

    /// The neighbours of something: by links, then by what both mention, the rarest first; where types are given,
    /// only by links of these.
    pub fn related(&self, item: LinkEnd, types: impl IntoIterator<Item = LinkType>) -> Messages<Related> {
        let types = types.into_iter().map(i32::from).collect();
        self.listed(ListRelatedRequest { to: Some(To::Item(item)), types, ..Default::default() })
    }

    /// Mentions of an entity, the newest first.
    pub fn mentioning(&self, entity_type: EntityType, name: impl Into<String>) -> Messages<Related> {
        let entity = Entity { r#type: entity_type.into(), name: name.into() };
        self.listed(ListRelatedRequest { to: Some(To::Entity(entity)), ..Default::default() })
    }

    fn listed(&self, request: ListRelatedRequest) -> Messages<Related> {
        self.client.items(request, |page| page.related)
    }
}

impl LinkEnd {
    /// Something of a source, by its id, or a slot by its key.
    pub fn of(source: Source, id: impl Into<String>) -> Self {
        Self { source: source.into(), id: id.into() }
    }

    /// A memory by its id.
    pub fn memory(id: impl Into<String>) -> Self {
        Self::of(Source::Memory, id)
    }
}

impl NewLink {
    /// From what, what it says, to what.
    pub fn between(from: LinkEnd, link_type: LinkType, to: LinkEnd) -> Self {
        Self { r#type: link_type.into(), from: Some(from), to: Some(to) }
    }
}
