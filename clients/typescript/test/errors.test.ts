import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { BY_REASON } from "../src/errors/classes.js";
import { errorOf } from "../src/errors/transport-failures.js";
import {
  AlreadyExists,
  BudgetTooSmall,
  CamilloError,
  errorOfStatus,
  InternalError,
  InvalidArgument,
  InvalidField,
  MemoryNotFound,
  MethodUnknown,
  NotFound,
  ResourceExhausted,
  Unavailable,
  UploadOffsetMismatch,
  VersionConflict,
} from "../src/index.js";
import { ErrorReasonSchema, MemoryService } from "../src/v1.js";
import { pair } from "./pair.js";
import { type Refusal, refuse, rpcStatus } from "./refusals.js";

const { recall } = MemoryService.method;

async function failure(refusal: Refusal, test: Parameters<typeof pair>[0]): Promise<CamilloError> {
  const { server, client } = await pair(test);
  server.answer(recall, refuse(refusal));
  return client.recall("tea").then(
    () => assert.fail("it did not fail"),
    (error: CamilloError) => error,
  );
}

test("every reason of the contract has a class", () => {
  const reasons = ErrorReasonSchema.values.filter(({ number }) => number !== 0);
  assert.deepEqual([...BY_REASON.keys()].sort(), reasons.map(({ localName }) => localName).sort());
});

test("a failed call tells what the server said", async (t) => {
  const error = await failure(
    {
      code: "ABORTED",
      message: "moved on",
      reason: "VERSION_CONFLICT",
      metadata: { expected_version: "9007199254740993", actual_version: "3" },
    },
    t,
  );
  assert.ok(error instanceof VersionConflict);
  assert.deepEqual([error.expected, error.actual], [9007199254740993n, 3n]);
  assert.deepEqual(
    [error.code, error.reason, error.message],
    ["ABORTED", "VERSION_CONFLICT", "moved on"],
  );
  assert.equal(error.name, "VersionConflict");
  assert.equal(String(error), "VERSION_CONFLICT: moved on");
});

test("invalid fields are named", async (t) => {
  const fields = { "memory.content": "1 to 2,000 characters" };
  const error = await failure({ code: "INVALID_ARGUMENT", reason: "INVALID_FIELD", fields }, t);
  assert.ok(error instanceof InvalidField);
  assert.deepEqual(error.fieldViolations, [
    { field: "memory.content", description: "1 to 2,000 characters" },
  ]);
  assert.match(String(error), /; memory.content: 1 to 2,000 characters$/);
});

test("an unknown reason is kept, and the type is that of the code", async (t) => {
  const error = await failure({ code: "NOT_FOUND", reason: "TEAPOT_NOT_FOUND" }, t);
  assert.equal(error.constructor, NotFound);
  assert.equal(error.reason, "TEAPOT_NOT_FOUND");
});

test("a reason of another domain is not ours", async (t) => {
  const error = await failure(
    { code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND", domain: "other" },
    t,
  );
  assert.equal(error.constructor, NotFound);
});

test("details that are no message leave code and message as they are", async (t) => {
  const error = await failure({ code: "NOT_FOUND", message: "gone", mangled: true }, t);
  assert.equal(error.constructor, NotFound);
  assert.deepEqual([error.code, error.message, error.reason], ["NOT_FOUND", "gone", ""]);
});

test("a failure without details goes by its code", async (t) => {
  const error = await failure({ code: "INTERNAL", message: "broken" }, t);
  assert.equal(error.constructor, InternalError);
  assert.equal((await failure({ code: "DATA_LOSS" }, t)).constructor, CamilloError);
});

test("a method that the server does not know is told so", async (t) => {
  const error = await failure({ code: "UNIMPLEMENTED", message: "unknown method" }, t);
  assert.ok(error instanceof MethodUnknown);
  assert.match(error.message, /^not supported by this server/);
});

test("a stream that was reset on its way is unavailable, and a defect is not", () => {
  const reset = "http/2 stream closed with error code INTERNAL_ERROR (0x2)";
  assert.ok(errorOf(new ConnectError(reset, Code.Internal)) instanceof Unavailable);
  assert.ok(errorOf(new ConnectError("broken", Code.Internal)) instanceof InternalError);
});

test("a request that is no message is no defect of the server", async (t) => {
  const { server, client } = await pair(t);
  const { updateMemory } = MemoryService.method;
  const failing = client.call(updateMemory, { expectedVersion: 2n ** 70n });
  await assert.rejects(failing, InvalidArgument);
  assert.equal(server.calls.length, 0);
});

test("a reason is caught with its group", () => {
  const memory = errorOfStatus(rpcStatus({ code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND" }));
  assert.ok(memory instanceof MemoryNotFound && memory instanceof NotFound);
  const taken = errorOfStatus(rpcStatus({ code: "ALREADY_EXISTS", reason: "MEMORY_ID_TAKEN" }));
  assert.ok(
    taken instanceof AlreadyExists && taken instanceof CamilloError && taken instanceof Error,
  );
});

test("an upload that does not follow tells where to go on", () => {
  const metadata = { expected_offset: "16", actual_offset: "wherever" };
  const error = errorOfStatus(
    rpcStatus({ code: "ABORTED", reason: "UPLOAD_OFFSET_MISMATCH", metadata }),
  );
  assert.ok(error instanceof UploadOffsetMismatch);
  assert.deepEqual([error.expected, error.actual], [16n, undefined]);
});

test("a budget that is too small tells what is needed, by section", () => {
  const metadata = { max_tokens: "50", needed_tokens: "120", sections: "system=100, task=20" };
  const error = errorOfStatus(
    rpcStatus({ code: "FAILED_PRECONDITION", reason: "BUDGET_TOO_SMALL", metadata }),
  );
  assert.ok(error instanceof BudgetTooSmall);
  assert.deepEqual([error.maxTokens, error.neededTokens], [50, 120]);
  assert.deepEqual(error.sections, { system: 100, task: 20 });
});

test("the time to wait is in seconds", () => {
  const status = rpcStatus({
    code: "UNAVAILABLE",
    reason: "SERVER_DRAINING",
    retryAfterSeconds: 1.25,
  });
  assert.equal(errorOfStatus(status).retryAfterSeconds, 1.25);
});

test("nobody waits backwards", () => {
  const status = rpcStatus({ code: "UNAVAILABLE", retryAfterSeconds: -2 });
  assert.equal(errorOfStatus(status).retryAfterSeconds, 0);
});

test("a field that the message names is not named again", () => {
  const message = "invalid: memory.content: is empty";
  const fields = { "memory.content": "is empty", "memory.kind": "is none" };
  const error = errorOfStatus(rpcStatus({ code: "INVALID_ARGUMENT", message, fields }));
  assert.equal(String(error), `INVALID_ARGUMENT: ${message}; memory.kind: is none`);
});

test("a number of a status that is no code is unknown", () => {
  assert.equal(errorOfStatus({ ...rpcStatus({ code: "INTERNAL" }), code: 99 }).code, "UNKNOWN");
});

test("an answer above the limit is a typed error", async (t) => {
  const { server, client } = await pair(t, { maxMessageBytes: 1024 });
  server.answer(recall, () => ({ modelId: "m".repeat(2048) }));
  await assert.rejects(client.recall("tea"), ResourceExhausted);
});
