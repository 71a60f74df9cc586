import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import { type Context, context, createTraceState, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { MemoryService } from "../src/v1.js";
import { pair } from "./pair.js";

const { recall } = MemoryService.method;
const storage = new AsyncLocalStorage<Context>();
const SPAN = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  traceFlags: 1,
};

context.setGlobalContextManager({
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, call, self, ...args) => storage.run(active, () => call.apply(self, args)),
  bind: (_, target) => target,
  enable() {
    return this;
  },
  disable() {
    return this;
  },
});

test("a call carries the trace context of the active span", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, () => ({}));
  const traceState = createTraceState("tea=1");
  const span = trace.wrapSpanContext({ ...SPAN, traceState });
  await context.with(trace.setSpan(ROOT_CONTEXT, span), () => client.recall("tea"));
  const [call] = server.received(recall);
  assert.equal(call?.metadata.traceparent, `00-${SPAN.traceId}-${SPAN.spanId}-01`);
  assert.equal(call?.metadata.tracestate, "tea=1");
});

test("without an active span there is none", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, () => ({}));
  await client.recall("tea");
  assert.equal(server.received(recall)[0]?.metadata.traceparent, undefined);
});
