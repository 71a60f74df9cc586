package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.grpc.Metadata;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import org.junit.jupiter.api.Test;

/** The trace of the caller goes on at the server. */
class TraceContextTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final Caller CALLER = new Caller("k-1", "default", "");
  private static final String SPAN = "b7ad6b7169203331";

  @Test
  @SuppressWarnings("try")
  void theActiveSpanIsTold() {
    SpanContext context =
        SpanContext.create(TRACE, SPAN, TraceFlags.getSampled(), TraceState.getDefault());
    try (Scope scope = Span.wrap(context).makeCurrent()) {
      Metadata headers = Headers.of(CALLER, "ada");
      assertEquals("00-" + TRACE + "-" + SPAN + "-01", headers.get(Headers.key("traceparent")));
    }
  }

  @Test
  void withoutASpanNothingIsTold() {
    assertFalse(Headers.of(CALLER, "ada").containsKey(Headers.key("traceparent")));
  }
}
