//! The client against a server that answers what a test says. One program: each would be linked for itself.

mod artifacts;
mod calls;
mod cancelled_calls;
mod contract;
mod foreign_answers;
mod memories;
mod own_writes;
mod scripted_server;
mod slots;
mod streams;
#[cfg(feature = "opentelemetry")]
mod trace_context;
