//! A write, and where it is by the time that it is answered.

use std::ops::Deref;

use crate::v1::{Durability, RecordEventResponse, RememberResponse, SetMemoryResponse};
use crate::v1::{Memory, RecordedEvent, Slot};

/// A memory, an event or a slot as it was written; its fields can be read as if it were that itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Written<T> {
    /// Holds what was written; of a write that was dropped, it may be empty.
    pub value: T,
    /// Where it is; unspecified where the server does not know of it.
    pub durability: Durability,
    /// Names a write that was spooled.
    pub spool_id: Option<String>,
}

impl<T: Default> Written<T> {
    fn new(value: Option<T>, durability: Durability, spool_id: String) -> Self {
        let spool_id = Some(spool_id).filter(|id| !id.is_empty());
        Self { value: value.unwrap_or_default(), durability, spool_id }
    }
}

impl<T> Deref for Written<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl From<RememberResponse> for Written<Memory> {
    fn from(answer: RememberResponse) -> Self {
        let durability = answer.durability();
        Self::new(answer.memory, durability, answer.spool_id)
    }
}

impl From<RecordEventResponse> for Written<RecordedEvent> {
    fn from(answer: RecordEventResponse) -> Self {
        let durability = answer.durability();
        Self::new(answer.recorded, durability, answer.spool_id)
    }
}

impl From<SetMemoryResponse> for Written<Slot> {
    fn from(answer: SetMemoryResponse) -> Self {
        let durability = answer.durability();
        Self::new(answer.slot, durability, answer.spool_id)
    }
}
