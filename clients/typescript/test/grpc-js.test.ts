import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { grpcJsServiceDefinition } from "../src/grpc-js.js";
import {
  GetMemoryRequestSchema,
  type GetMemoryResponse,
  MemoryService,
  WatchMemoriesRequestSchema,
  type WatchMemoriesResponse,
} from "../src/v1.js";
import { all, pair } from "./pair.js";

test("the messages of the contract can be sent with grpc-js, too", async (t) => {
  const { server } = await pair(t);
  const { getMemory, watchMemories } = MemoryService.method;
  server.answer(getMemory, ({ memoryId }) => ({ memory: { memoryId } }));
  server.stream(watchMemories, async function* () {
    yield { change: { resumeToken: "1" } };
  });
  const Client = grpc.makeGenericClientConstructor(
    grpcJsServiceDefinition(MemoryService),
    "Memories",
  );
  const client = new Client(server.address, grpc.credentials.createInsecure());
  t.after(() => client.close());
  const answer = await new Promise<GetMemoryResponse>((resolve, reject) => {
    const request = create(GetMemoryRequestSchema, { memoryId: "m1" });
    client.getMemory?.(request, (error: Error | null, value: GetMemoryResponse) =>
      error ? reject(error) : resolve(value),
    );
  });
  assert.equal(answer.memory?.memoryId, "m1");
  const stream: AsyncIterable<WatchMemoriesResponse> = client.watchMemories?.(
    create(WatchMemoriesRequestSchema),
  );
  assert.deepEqual(
    (await all(stream)).map(({ change }) => change?.resumeToken),
    ["1"],
  );
});
