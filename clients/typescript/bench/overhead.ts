// Recalls by a bare stub and by the client, in turn: reads an order in JSON from a line, answers with one line of how long
// each call took. `python -m bench.clients` asks.
import { createInterface } from "node:readline";
import type { RecallResponse } from "../src/v1.js";
import { bare, facade, type Order, type Recall } from "./contenders.js";

/** Holds what one contender has done. */
interface Taken {
  readonly ns: number[];
  hits: number;
}

interface Outcome {
  readonly bare: Taken;
  readonly facade: Taken;
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as Order;
  console.log(JSON.stringify({ id: order.id, ok: await measured(order) }));
  break;
}

async function measured(order: Order): Promise<Outcome> {
  const stub = bare(order);
  const client = facade(order);
  try {
    await turns(order.queries, stub.recall, client.recall, order.warm_up_blocks);
    return await turns(order.queries, stub.recall, client.recall, order.blocks);
  } finally {
    await stub.close();
    await client.close();
  }
}

/** There and back, so that what disturbs the machine disturbs both. A block is each query once. */
async function turns(
  queries: readonly string[],
  ofStub: Recall,
  ofClient: Recall,
  blocks: number,
): Promise<Outcome> {
  const outcome = { bare: { ns: [], hits: 0 }, facade: { ns: [], hits: 0 } };
  for (let turn = 0; turn < 2 * blocks; turn++) {
    if (turn % 4 === 0 || turn % 4 === 3) {
      await block(queries, ofStub, outcome.bare);
    } else {
      await block(queries, ofClient, outcome.facade);
    }
  }
  return outcome;
}

async function block(queries: readonly string[], recall: Recall, taken: Taken): Promise<void> {
  for (const query of queries) {
    const began = process.hrtime.bigint();
    const answer: RecallResponse = await recall(query);
    taken.ns.push(Number(process.hrtime.bigint() - began));
    taken.hits += answer.hits.length;
  }
}
