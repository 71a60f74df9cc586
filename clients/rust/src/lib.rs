//! Client of Camillo, the memory service for AI agents.
//!
//! ```no_run
//! use camillo_client::{Client, FoundItem};
//! use camillo_client::v1::{MemoryFilter, MemoryKind, NewMemory, RecallRequest};
//! use tokio_stream::StreamExt;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> camillo_client::Result<()> {
//! let camillo = Client::builder().connect()?; // CAMILLO_ADDRESS, CAMILLO_KEY
//! let tea = NewMemory::from("Ada prefers tea to coffee").of_kind(MemoryKind::Preference).with_tags(["drinks"]);
//! camillo.remember(tea).await?;
//! for hit in camillo.recall(RecallRequest::from("tea").with_limit(3)).await?.hits {
//!     println!("{:.2} {} {}", hit.score, hit.kind(), hit.text());
//! }
//! let mut drinks = camillo.memories(MemoryFilter { tags_any: vec!["drinks".into()], ..Default::default() });
//! while let Some(memory) = drinks.next().await {
//!     println!("{}", memory?.content);
//! }
//! # Ok(()) }
//! ```
//!
//! Messages are those of the contract, in [`v1`]; some have builders of their own. Every unary call carries the key, has a
//! timeout, is asked again where that does no harm, and sees what this client wrote before, on whichever replica it lands:
//! what was spooled, see [`Written`], once it is stored.
//! See the README for what else the client does by itself.

mod addresses;
mod artifact_checks;
mod artifact_fields;
mod artifact_reads;
mod artifacts;
mod audit;
mod back_off;
mod batch_recalls;
mod batches;
mod builder;
mod calls;
mod client;
mod connection_thread;
mod context;
mod credentials;
mod demands;
mod document_fields;
mod documents;
mod error;
mod event_fields;
mod events;
mod failures;
mod found_items;
#[allow(clippy::all, clippy::pedantic, missing_docs, rustdoc::all)]
mod generated;
mod guarded_channel;
mod links;
mod local_key;
mod memories;
mod memory_fields;
pub mod memory_refs;
pub mod methods;
mod plaintext_keys;
mod publications;
mod reason;
mod recall_options;
pub mod requests;
mod resumed_watches;
mod retry_policies;
mod revisions;
mod runs;
mod skills;
mod slots;
mod spaces;
mod spool;
mod streams;
mod supersession;
mod target;
mod texts;
mod time_zone;
mod tls;
mod trace_context;
mod typed_calls;
mod upload_messages;
mod upload_source;
mod uploads;
mod values;
mod wire;
mod workflows;
mod written;

pub use artifacts::Artifacts;
pub use audit::Audit;
pub use builder::Builder;
pub use client::{Client, SHARED};
pub use context::Context;
pub use credentials::Authorization;
pub use document_fields::DocumentChanges;
pub use documents::Documents;
pub use error::{Error, FieldViolation, Result};
pub use events::Events;
pub use found_items::FoundItem;
pub use generated::camillo::v1;
pub use generated::google;
pub use links::Links;
pub use memory_fields::Changes;
pub use memory_refs::MemoryRef;
pub use reason::Reason;
pub use runs::Runs;
pub use skills::Skills;
pub use slots::Slots;
pub use spool::Spool;
pub use streams::Messages;
pub use tls::Tls;
pub use tonic::Code;
pub use upload_source::UploadSource;
pub use values::{to_json, to_struct, to_time, to_timestamp};
pub use workflows::Workflows;
pub use written::Written;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
