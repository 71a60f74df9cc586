//! The W3C trace context of the active span, so that the server's spans belong to it.

use tonic::metadata::MetadataMap;

/// Adds `traceparent` and `tracestate`, if there is an active span.
#[cfg(feature = "opentelemetry")]
pub(crate) fn put_into(metadata: &mut MetadataMap) {
    use opentelemetry::trace::TraceContextExt;

    let context = opentelemetry::Context::current();
    let span = context.span();
    let told = span.span_context();
    if !told.is_valid() {
        return;
    }
    let parent = format!("00-{}-{}-{:02x}", told.trace_id(), told.span_id(), told.trace_flags().to_u8());
    if let Ok(parent) = parent.parse() {
        metadata.insert("traceparent", parent);
    }
    let state = told.trace_state().header();
    if !state.is_empty()
        && let Ok(state) = state.parse()
    {
        metadata.insert("tracestate", state);
    }
}

#[cfg(not(feature = "opentelemetry"))]
pub(crate) fn put_into(_metadata: &mut MetadataMap) {}
