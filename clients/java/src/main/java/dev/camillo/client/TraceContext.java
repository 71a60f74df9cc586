package dev.camillo.client;

import io.grpc.Metadata;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;

/** The W3C trace context of the active span, where OpenTelemetry is there. */
final class TraceContext {
  private static final boolean IS_THERE = isThere();

  private TraceContext() {}

  /** Puts it into the metadata, if there is an active span. */
  static void inject(Metadata headers) {
    if (IS_THERE) {
      OpenTelemetry.inject(headers);
    }
  }

  private static boolean isThere() {
    try {
      Class.forName("io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator");
      return true;
    } catch (ClassNotFoundException | LinkageError missing) {
      return false;
    }
  }

  /** A class of its own, so that it is loaded only where the package is there. */
  private static final class OpenTelemetry {
    static void inject(Metadata headers) {
      W3CTraceContextPropagator.getInstance()
          .inject(
              Context.current(), headers, (to, name, value) -> to.put(Headers.key(name), value));
    }
  }
}
