//! Holds what hits are about, whatever they were found in.

use std::time::SystemTime;

use crate::to_time;
use crate::v1::recall_hit::Item;
use crate::v1::{DocumentCitation, EventKind, FoundDecision, MemoryKind, NewDecision, RecallHit, Source};

/// Text, id, ref, kind, time and source of what was found, whether it is a memory, a passage of an event or a document, or a
/// decision. All are empty where a newer server found what this client does not know.
pub trait FoundItem {
    /// A memory's content, a passage, or what was decided.
    fn text(&self) -> &str;

    /// Its own id, which no other hit of an answer has.
    fn id(&self) -> &str;

    /// The id of the whole memory, event, document or decision, which `refs` cites; passages of one event have the same.
    fn ref_id(&self) -> &str;

    /// The kind of the memory (`preference`) or of the event (`message`), or `decision`.
    fn kind(&self) -> String;

    /// When it happened.
    fn occurred_at(&self) -> Option<SystemTime>;

    /// Where it was found: `memory`, `event`, `document` and so on.
    fn found_in(&self) -> String;

    /// Where in its document a passage is; None for what is of no document.
    fn citation(&self) -> Option<&DocumentCitation>;
}

impl FoundItem for RecallHit {
    fn text(&self) -> &str {
        match &self.item {
            Some(Item::Memory(memory)) => &memory.content,
            Some(Item::Chunk(chunk)) => &chunk.text,
            None => "",
        }
    }

    fn id(&self) -> &str {
        match &self.item {
            Some(Item::Memory(memory)) => &memory.memory_id,
            Some(Item::Chunk(chunk)) => &chunk.chunk_id,
            None => "",
        }
    }

    fn ref_id(&self) -> &str {
        match &self.item {
            Some(Item::Memory(memory)) => &memory.memory_id,
            Some(Item::Chunk(chunk)) => &chunk.origin_id,
            None => "",
        }
    }

    fn kind(&self) -> String {
        let (value, name, zero) = match &self.item {
            Some(Item::Memory(memory)) => (memory.kind, memory_kind(memory.kind), "MEMORY_KIND_"),
            Some(Item::Chunk(chunk)) if chunk.event_kind != 0 => {
                (chunk.event_kind, event_kind(chunk.event_kind), "EVENT_KIND_")
            }
            Some(Item::Chunk(chunk)) => (chunk.source, source(chunk.source), "SOURCE_"),
            None => return String::new(),
        };
        shown(value, name, zero)
    }

    fn occurred_at(&self) -> Option<SystemTime> {
        let at = match &self.item {
            Some(Item::Memory(memory)) => memory.occurred_at.as_ref(),
            Some(Item::Chunk(chunk)) => chunk.occurred_at.as_ref(),
            None => None,
        };
        at.and_then(to_time)
    }

    fn found_in(&self) -> String {
        if self.source == 0 { String::new() } else { shown(self.source, source(self.source), "SOURCE_") }
    }

    fn citation(&self) -> Option<&DocumentCitation> {
        match &self.item {
            Some(Item::Chunk(chunk)) => chunk.citation.as_ref(),
            _ => None,
        }
    }
}

impl FoundItem for FoundDecision {
    fn text(&self) -> &str {
        stated(self).map_or("", |stated| &stated.decision)
    }

    fn id(&self) -> &str {
        self.decision.as_ref().map_or("", |decision| &decision.decision_id)
    }

    fn ref_id(&self) -> &str {
        self.id()
    }

    fn kind(&self) -> String {
        "decision".to_owned()
    }

    fn occurred_at(&self) -> Option<SystemTime> {
        stated(self)?.decided_at.as_ref().and_then(to_time)
    }

    fn found_in(&self) -> String {
        "decision".to_owned()
    }

    fn citation(&self) -> Option<&DocumentCitation> {
        None
    }
}

/// The name of a value without its prefix, or its number where this client does not know it.
fn shown(value: i32, name: Option<&'static str>, prefix: &str) -> String {
    name.map_or_else(|| value.to_string(), |name| name.trim_start_matches(prefix).to_lowercase())
}

fn stated(found: &FoundDecision) -> Option<&NewDecision> {
    found.decision.as_ref()?.stated.as_ref()
}

fn memory_kind(number: i32) -> Option<&'static str> {
    MemoryKind::try_from(number).ok().map(|kind| kind.as_str_name())
}

fn event_kind(number: i32) -> Option<&'static str> {
    EventKind::try_from(number).ok().map(|kind| kind.as_str_name())
}

fn source(number: i32) -> Option<&'static str> {
    Source::try_from(number).ok().map(|source| source.as_str_name())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::to_timestamp;
    use crate::v1::{Chunk, Decision, Memory};

    fn noon() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_777_636_800)
    }

    fn hit(item: Item) -> RecallHit {
        RecallHit { item: Some(item), ..Default::default() }
    }

    fn read(found: &impl FoundItem) -> (&str, &str, &str, String, Option<SystemTime>) {
        (found.text(), found.id(), found.ref_id(), found.kind(), found.occurred_at())
    }

    #[test]
    fn a_memory_and_a_passage_are_read_the_same_way() {
        let occurred_at = Some(to_timestamp(noon()));
        let memory = hit(Item::Memory(Memory {
            memory_id: "m1".into(),
            content: "tea".into(),
            kind: MemoryKind::Preference.into(),
            occurred_at,
            ..Default::default()
        }));
        assert_eq!(read(&memory), ("tea", "m1", "m1", "preference".into(), Some(noon())));
        let said = Chunk {
            chunk_id: "c1".into(),
            origin_id: "e1".into(),
            text: "ada: 茶?".into(),
            event_kind: EventKind::ToolResult.into(),
            occurred_at,
            ..Default::default()
        };
        let decided = Chunk { event_kind: 0, source: Source::Decision.into(), ..said.clone() };
        assert_eq!(read(&hit(Item::Chunk(said))), ("ada: 茶?", "c1", "e1", "tool_result".into(), Some(noon())));
        assert_eq!(hit(Item::Chunk(decided)).kind(), "decision");
    }

    #[test]
    fn a_passage_of_a_document_tells_where_it_is() {
        let citation = DocumentCitation { document_id: "d1".into(), heading: "茶 > 水".into(), ..Default::default() };
        let passage = Chunk {
            chunk_id: "c1".into(),
            origin_id: "d1".into(),
            text: "80 °C".into(),
            source: Source::Document.into(),
            citation: Some(citation.clone()),
            ..Default::default()
        };
        let found = RecallHit { source: Source::Document.into(), ..hit(Item::Chunk(passage)) };
        assert_eq!(read(&found), ("80 °C", "c1", "d1", "document".into(), None));
        assert_eq!((found.found_in().as_str(), found.citation()), ("document", Some(&citation)));
        let memory = RecallHit { source: 77, ..hit(Item::Memory(Memory::default())) };
        assert_eq!((memory.found_in().as_str(), memory.citation()), ("77", None));
        assert_eq!((RecallHit::default().found_in().as_str(), RecallHit::default().citation()), ("", None));
    }

    #[test]
    fn a_decision_that_was_found_is_read_the_same_way() {
        let stated =
            NewDecision { decision: "Order tea".into(), decided_at: Some(to_timestamp(noon())), ..Default::default() };
        let decision = Decision { decision_id: "d1".into(), stated: Some(stated), ..Default::default() };
        let found = FoundDecision { decision: Some(decision), score: 0.5 };
        assert_eq!(read(&found), ("Order tea", "d1", "d1", "decision".into(), Some(noon())));
    }

    #[test]
    fn what_a_newer_server_found_is_empty_and_a_kind_of_it_a_number() {
        assert_eq!(read(&RecallHit::default()), ("", "", "", String::new(), None));
        assert_eq!(read(&FoundDecision::default()), ("", "", "", "decision".into(), None));
        let memory = Memory { kind: 77, ..Default::default() };
        assert_eq!(hit(Item::Memory(memory)).kind(), "77");
    }
}
