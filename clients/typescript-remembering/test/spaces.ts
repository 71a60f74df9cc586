import { randomUUID } from "node:crypto";
import { type Camillo, connect, enumName } from "camillo-client";
import { ActorTypeSchema } from "camillo-client/v1";
import { flush } from "../src/index.js";

/** What was recorded in a session: who said something, and its text. */
export async function recorded(camillo: Camillo, sessionId = "chat"): Promise<string[][]> {
  await flush();
  const found: string[][] = [];
  for await (const { stated } of camillo.events.list({ sessionId })) {
    const { actor, content } = stated ?? {};
    const name = actor && enumName(ActorTypeSchema, actor.type) === "human" ? actor.id : "";
    found.push([name, content?.case === "text" ? content.value : ""]);
  }
  return found;
}

/** A client of a person nobody has heard of; `close` ends it. */
export function newPerson(): Camillo {
  return connect({ timeoutMs: 60_000 }).forUser(randomUUID());
}
