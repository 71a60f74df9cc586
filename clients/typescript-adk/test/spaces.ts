import { randomUUID } from "node:crypto";
import { type Camillo, connect } from "camillo-client";

/** A client of a person nobody has heard of; `close` ends it. */
export function newPerson(): Camillo {
  return connect({ timeoutMs: 60_000 }).forUser(randomUUID());
}

/** All of an iterable. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
  }
  return taken;
}
