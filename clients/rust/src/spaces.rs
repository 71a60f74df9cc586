//! A client for one person, project or team, and what it reads beside that.

use tonic::Code;

use crate::client::{Client, SHARED};
use crate::error::{Error, Result};
use crate::requests::Request;
use crate::v1::SpaceRead;

// As `RecallRequest.spaces` allows.
const MAX_PATHS: usize = 7;
const NO_SPACE: &str = "a space is @shared, an agent's id (letters, digits, '.', '_' and '-'), or users/, projects/ or teams/ \
                        and an id, such as users/42";

/// The spaces that reads of a client take in beside its own.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    paths: Vec<String>,
    // The one that the tenant shares.
    with_shared: bool,
}

impl Client {
    /// This client for the memories of one person, whichever agent speaks to them; as [`Client::for_space`].
    ///
    /// # Errors
    /// `Code::InvalidArgument` for an id that is no single part of a path.
    pub fn for_user(&self, user_id: impl AsRef<str>) -> Result<Self> {
        let user_id = user_id.as_ref();
        if user_id.contains('/') {
            return Err(Error::local(Code::InvalidArgument, "the id of a user has no slash"));
        }
        self.for_space(format!("users/{user_id}"))
    }

    /// This client for the memories of one project, such as `shop` or `github.com/acme/shop`; as [`Client::for_space`].
    ///
    /// # Errors
    /// As `for_space`.
    pub fn for_project(&self, project: impl AsRef<str>) -> Result<Self> {
        self.for_space(format!("projects/{}", project.as_ref()))
    }

    /// This client for the memories of one team, such as `eu/ops`; as [`Client::for_space`].
    ///
    /// # Errors
    /// As `for_space`.
    pub fn for_team(&self, team: impl AsRef<str>) -> Result<Self> {
        self.for_space(format!("teams/{}", team.as_ref()))
    }

    /// This client with another space in place of its own agent's: a path such as `users/42`, an agent's id, or [`SHARED`], which
    /// the key has to reach. It shares the connection and costs no call; both see each other's writes.
    ///
    /// # Errors
    /// `Code::InvalidArgument` for a text that names no space, before any call.
    pub fn for_space(&self, space: impl Into<String>) -> Result<Self> {
        Ok(self.for_agent(checked(space.into())?))
    }

    /// This client, whose recalls and bundles read up to seven other spaces, and [`SHARED`] for what the tenant shares, as one
    /// collection with its own, each at least as fresh as this client's own writes there. A request that names an agent or spaces
    /// itself reads what it names.
    ///
    /// # Errors
    /// `Code::InvalidArgument` for a text that names no space, and for too many.
    pub fn with_spaces<S: Into<String>>(&self, read: impl IntoIterator<Item = S>) -> Result<Self> {
        let mut beside = Beside::default();
        for space in read {
            let space = checked(space.into())?;
            if *space == *self.agent_id || beside.paths.contains(&space) {
                continue;
            }
            if space == SHARED {
                beside.with_shared = true;
            } else {
                beside.paths.push(space);
            }
        }
        if beside.paths.len() > MAX_PATHS {
            let message = format!("a client reads up to {MAX_PATHS} spaces beside its own");
            return Err(Error::local(Code::InvalidArgument, message));
        }
        Ok(Self { beside: beside.into(), ..self.clone() })
    }
}

impl Beside {
    /// Names them in a request that can read several spaces and names none.
    pub(crate) fn fill<R: Request>(&self, request: &mut R) {
        let Some(spaces) = request.spaces().filter(|spaces| spaces.is_empty()) else { return };
        spaces.extend(self.paths.iter().map(|path| SpaceRead { space: path.clone(), freshness: None }));
        // Bundles read what the tenant shares in any case.
        if let Some(include_shared) = request.include_shared() {
            *include_shared |= self.with_shared;
        }
    }
}

fn checked(space: String) -> Result<String> {
    let is_space = match space.split_once('/') {
        None => space == SHARED || is_part(&space, b"._-"),
        Some((kind, path)) => {
            ["users", "projects", "teams"].contains(&kind)
                && path.split('/').count() <= 3
                && path.split('/').all(|part| is_part(part, b"._@|+=~-"))
        }
    };
    if is_space { Ok(space) } else { Err(Error::local(Code::InvalidArgument, NO_SPACE)) }
}

fn is_part(part: &str, also: &[u8]) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric();
    let mut bytes = part.bytes();
    part.len() <= 128 && bytes.next().is_some_and(is_plain) && bytes.all(|byte| is_plain(byte) || also.contains(&byte))
}
