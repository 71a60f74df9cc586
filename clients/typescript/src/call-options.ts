/** Fields of any call. */
export interface CallOptions {
  /**
   * Milliseconds for the whole call, repetitions included, or for each connection of a stream. Default: the client's; for
   * a stream none.
   */
  timeoutMs?: number;
  /** Whose scope is meant where the request does not say; default: the client's. */
  agentId?: string;
  /** Gives the call up. */
  signal?: AbortSignal;
}

/** Fields of a mutation. */
export interface WriteOptions extends CallOptions {
  /** To be given where the write may be repeated later, after a crash, say; default: a fresh one. */
  requestId?: string;
}

/** Holds what the facade itself knows of a call. */
export interface UnaryOptions extends CallOptions {
  /** The request's id is a fresh one. */
  readonly isNewId?: boolean;
}

/** Returns what of some options is about the call. */
export function callOptions({ timeoutMs, agentId, signal }: CallOptions): CallOptions {
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(signal === undefined ? {} : { signal }),
  };
}
