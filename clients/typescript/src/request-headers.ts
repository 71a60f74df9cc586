import { createHash } from "node:crypto";
import { traceHeaders } from "./trace-context.js";
import { VERSION } from "./version.js";

/** By it proxies send the calls of one scope to one replica, whose memory then holds the scope. */
export const SCOPE_HEADER = "camillo-scope";
const SCOPE_DIGITS = 16;

/** Names, in place of an agent, the scope that all agents of the tenant share. */
export const SHARED = "@shared";
/** The agent of calls that name none, with a key that may act for any, unless CAMILLO_AGENT names one. */
export const DEFAULT_AGENT = "default";
const DEFAULT_AGENT_HEADER = "camillo-default-agent";

/** State that every call of a client carries. */
export class RequestHeaders {
  readonly #key: string;
  readonly #defaultAgent: string;

  constructor(key: string, environment = process.env) {
    this.#key = key;
    this.#defaultAgent = resolvedDefaultAgent(environment);
  }

  /** The headers of a call about this agent's scope; those given go before. */
  async of(agentId: string, given?: HeadersInit): Promise<Headers> {
    const headers = new Headers(await traceHeaders());
    if (this.#key) {
      headers.set("authorization", `Bearer ${this.#key}`);
    }
    headers.set(DEFAULT_AGENT_HEADER, this.#defaultAgent);
    headers.set("user-agent", `camillo-client/${VERSION} typescript`);
    headers.set(SCOPE_HEADER, scopeOf(this.#key, agentId));
    new Headers(given).forEach((value, name) => {
      headers.set(name, value);
    });
    return headers;
  }
}

/** The agent of CAMILLO_AGENT, else the default one; TypeError where no header can hold it. */
export function resolvedDefaultAgent(environment = process.env): string {
  const found = environment.CAMILLO_AGENT?.trim() || DEFAULT_AGENT;
  if (!/^[ -~]*$/.test(found)) {
    throw new TypeError("CAMILLO_AGENT has characters that no header can hold");
  }
  return found;
}

/** Returns what stands for a scope in headers: nothing of the key can be read from it. */
export function scopeOf(key: string, agentId: string): string {
  const digest = createHash("sha256").update(`${key}\0${agentId}`).digest("hex");
  return digest.slice(0, SCOPE_DIGITS);
}
