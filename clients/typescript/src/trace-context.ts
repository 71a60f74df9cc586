// Where the API package is not installed, there is no span to tell of.
const telemetry = import("@opentelemetry/api").catch(() => undefined);

/** The W3C trace context of the active span; nothing where there is none. */
export async function traceHeaders(): Promise<Record<string, string>> {
  const context = (await telemetry)?.trace.getActiveSpan()?.spanContext();
  if (!context || !/^(?!0+$)[0-9a-f]{32}$/.test(context.traceId)) {
    return {};
  }
  const flags = context.traceFlags.toString(16).padStart(2, "0");
  const state = context.traceState?.serialize();
  return {
    traceparent: `00-${context.traceId}-${context.spanId}-${flags}`,
    ...(state ? { tracestate: state } : {}),
  };
}
