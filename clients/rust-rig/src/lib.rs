//! Conversations of rig in Camillo: see [`CamilloStore`] and the README.

mod records;

use std::io;

use camillo_client::v1::NewSlot;
use camillo_client::{Client, Error, Reason};
use rig_memory::{AsyncStore, LogWriteError, check_name};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::records::{Records, slot_name};

const MAX_TRIES: usize = 1_000;

/// Keeps a session of rig in the space of a client: `CamilloStore::new(camillo.for_user("42")?, "support")`.
///
/// A session is logs, a conversation each, and files. Of several writers that have read a log at one length one writes; the
/// others get [`LogWriteError::Changed`]. A log and its length are written in one transaction. No recall finds them.
/// Clones are cheap and are the same session.
#[derive(Clone, Debug)]
pub struct CamilloStore {
    records: Records,
    root: String,
}

/// A log as it is: its parts are below a name that nobody else has, so that it is replaced as a whole.
struct Head {
    slot_version: i64,
    life: String,
    length: u64,
    parts: u64,
}

impl CamilloStore {
    /// The session of this name, of any text, in the space of a client.
    pub fn new(camillo: Client, session: impl AsRef<str>) -> Self {
        Self { records: Records::new(camillo), root: format!("/rig/{}", slot_name(session.as_ref())) }
    }

    /// Removes the session for good, with its logs and files.
    ///
    /// # Errors
    /// Those of the client. Repeat one that was interrupted: it goes on.
    pub async fn delete(&self) -> camillo_client::Result<()> {
        let all = self.records.below(&self.root).await?;
        self.records.forget(&all).await
    }

    async fn head(&self, key: &str) -> io::Result<Option<Head>> {
        let Some(slot) = self.records.newest(key).await.map_err(io::Error::other)? else { return Ok(None) };
        let bytes = self.records.bytes(&slot).await.map_err(io::Error::other)?.unwrap_or_default();
        Ok(Some(head_of(slot.version, &bytes)?))
    }

    /// Writes the head of a log with what is added to it, if the log is still as long.
    async fn write(&self, name: &str, length: u64, bytes: &[u8], replaces: bool) -> Result<(), LogWriteError> {
        let key = self.log_key(name)?;
        let there = self.head(&key).await?;
        if there.as_ref().map_or(0, |head| head.length) != length {
            return Err(LogWriteError::Changed);
        }
        let version = there.as_ref().map_or(0, |head| head.slot_version);
        let mut head = match &there {
            Some(head) if !replaces => Head { life: head.life.clone(), ..*head },
            _ => Head { slot_version: 0, life: Uuid::new_v4().simple().to_string(), length: 0, parts: 0 },
        };
        let mut slots = Vec::new();
        if !bytes.is_empty() {
            let place = format!("{key}/{}/{:016x}", head.life, head.parts);
            slots.push(self.records.slot(&place, bytes, None).await.map_err(io::Error::other)?);
            head.length += bytes.len() as u64;
            head.parts += 1;
        }
        let stated = json!({"length": head.length, "parts": head.parts, "life": head.life}).to_string();
        slots.push(self.records.slot(&key, stated.as_bytes(), Some(version)).await.map_err(io::Error::other)?);
        match self.records.write(&slots).await {
            Ok(is_kept) => kept(is_kept)?,
            Err(error) => {
                self.records.forget_artifacts(&slots).await.map_err(io::Error::other)?;
                return Err(if is_conflict(&error) { LogWriteError::Changed } else { io::Error::other(error).into() });
            }
        }
        if let Some(old) = there.filter(|_| replaces) {
            let parts = self.records.below(&format!("{key}/{}", old.life)).await.map_err(io::Error::other)?;
            self.records.forget(&parts).await.map_err(io::Error::other)?;
        }
        Ok(())
    }

    fn log_key(&self, name: &str) -> io::Result<String> {
        check_name(name)?;
        if name.contains('/') {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{name:?} is no name of a log")));
        }
        Ok(format!("{}/logs/{}", self.root, slot_name(name)))
    }

    fn file_key(&self, name: &str) -> io::Result<String> {
        check_name(name)?;
        Ok(format!("{}/files/{}", self.root, slot_name(name)))
    }
}

impl AsyncStore for CamilloStore {
    async fn read_log_async(&self, name: &str) -> io::Result<Vec<u8>> {
        let key = self.log_key(name)?;
        loop {
            let head = self.head(&key).await?.ok_or(io::ErrorKind::NotFound)?;
            let mut bytes = Vec::new();
            if head.parts > 0 {
                let parts = self.records.below(&format!("{key}/{}", head.life)).await.map_err(io::Error::other)?;
                for part in parts.iter().take(usize::try_from(head.parts).unwrap_or(usize::MAX)) {
                    bytes.extend(self.records.bytes(part).await.map_err(io::Error::other)?.unwrap_or_default());
                }
            }
            if bytes.len() as u64 == head.length {
                return Ok(bytes);
            }
            // Somebody has replaced the log meanwhile.
            if self.head(&key).await?.is_some_and(|newer| newer.slot_version == head.slot_version) {
                return Err(io::Error::new(io::ErrorKind::InvalidData, format!("parts of the log {name:?} are gone")));
            }
        }
    }

    async fn append_log_async(&self, name: &str, len: u64, bytes: &[u8]) -> Result<(), LogWriteError> {
        self.write(name, len, bytes, false).await
    }

    async fn replace_log_async(&self, name: &str, len: u64, bytes: &[u8]) -> Result<(), LogWriteError> {
        self.write(name, len, bytes, true).await
    }

    async fn read_file_async(&self, name: &str) -> io::Result<Vec<u8>> {
        let key = self.file_key(name)?;
        loop {
            let newest = self.records.newest(&key).await.map_err(io::Error::other)?;
            let slot = newest.ok_or(io::ErrorKind::NotFound)?;
            match self.records.bytes(&slot).await.map_err(io::Error::other)? {
                Some(bytes) => return Ok(bytes),
                // Its artifact went with a newer version.
                None => continue,
            }
        }
    }

    async fn write_file_async(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let key = self.file_key(name)?;
        let mut new: NewSlot = self.records.slot(&key, bytes, None).await.map_err(io::Error::other)?;
        for _ in 0..MAX_TRIES {
            let there = self.records.newest(&key).await.map_err(io::Error::other)?;
            new.if_version = Some(there.as_ref().map_or(0, |slot| slot.version));
            match self.records.write(std::slice::from_ref(&new)).await {
                Ok(is_kept) => {
                    kept(is_kept)?;
                    return self.records.forget_replaced(there.as_ref()).await.map_err(io::Error::other);
                }
                Err(error) if is_conflict(&error) => {}
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Err(io::Error::other(format!("others write the file {name:?} all the time")))
    }
}

fn head_of(slot_version: i64, bytes: &[u8]) -> io::Result<Head> {
    let stated: Value = serde_json::from_slice(bytes)?;
    Ok(Head {
        slot_version,
        life: stated["life"].as_str().unwrap_or_default().to_owned(),
        length: stated["length"].as_u64().unwrap_or_default(),
        parts: stated["parts"].as_u64().unwrap_or_default(),
    })
}

fn kept(is_kept: bool) -> io::Result<()> {
    if is_kept { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidData, "the bytes look like a secret")) }
}

fn is_conflict(error: &Error) -> bool {
    error.reason() == Some(&Reason::VersionConflict)
}
