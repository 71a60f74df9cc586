//! The client against a server that answers what a test says. One program: each would be linked for itself.

mod artifacts;
mod audit;
mod calls;
mod cancelled_calls;
mod contract;
mod documents;
mod foreign_answers;
mod links;
mod memories;
mod own_writes;
mod scripted_server;
mod shared_reads;
mod skills;
mod slots;
mod spaces;
mod spool;
mod spooled_writes;
mod streams;
mod supersession;
#[cfg(feature = "opentelemetry")]
mod trace_context;
mod workflows;
