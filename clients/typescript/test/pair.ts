import type { TestContext } from "node:test";
import { type Camillo, type ConnectOptions, connect } from "../src/index.js";
import { ScriptedServer } from "./scripted-server.js";

/** A server and a client of it, both ended with the test; the client's pauses take no time and are kept. */
export interface Pair {
  readonly server: ScriptedServer;
  readonly client: Camillo;
  /** Milliseconds of each pause that the client would have made. */
  readonly pauses: number[];
}

export async function pair(test: TestContext, options: ConnectOptions = {}): Promise<Pair> {
  const server = await ScriptedServer.start();
  test.after(() => server.stop());
  const pauses: number[] = [];
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
  };
  const client = connect({
    address: server.address,
    key: "secret",
    agentId: "ada",
    pause,
    ...options,
  });
  test.after(() => client.close());
  return { server, client, pauses };
}

/** All of an iterable. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
  }
  return taken;
}

/** The first so many. */
export async function first<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === count) {
      break;
    }
  }
  return taken;
}
