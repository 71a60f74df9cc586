import { createHash } from "node:crypto";
import { traceHeaders } from "./trace-context.js";
import { VERSION } from "./version.js";

/** By it proxies send the calls of one scope to one replica, whose memory then holds the scope. */
export const SCOPE_HEADER = "camillo-scope";
const SCOPE_DIGITS = 16;

/** What every call of a client carries. */
export class RequestHeaders {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** The headers of a call about this agent's scope; those given go before. */
  async of(agentId: string, given?: HeadersInit): Promise<Headers> {
    const headers = new Headers(await traceHeaders());
    if (this.#key) {
      headers.set("authorization", `Bearer ${this.#key}`);
    }
    headers.set("user-agent", `camillo-client/${VERSION} typescript`);
    headers.set(SCOPE_HEADER, scopeOf(this.#key, agentId));
    new Headers(given).forEach((value, name) => {
      headers.set(name, value);
    });
    return headers;
  }
}

/** What stands for a scope in headers: nothing of the key can be read from it. */
export function scopeOf(key: string, agentId: string): string {
  const digest = createHash("sha256").update(`${key}\0${agentId}`).digest("hex");
  return digest.slice(0, SCOPE_DIGITS);
}
