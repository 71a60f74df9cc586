import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { connect } from "../src/index.js";
import { MemoryService, type RecallResponse } from "../src/v1.js";

/** Holds what to measure. */
export interface Order {
  readonly id: number;
  readonly address: string;
  readonly key: string;
  readonly agent_id: string;
  readonly queries: readonly string[];
  readonly limit: number;
  readonly warm_up_blocks: number;
  readonly blocks: number;
}

export type Recall = (query: string) => Promise<RecallResponse>;

/** One way to recall, over a connection of its own. */
export interface Contender {
  readonly recall: Recall;
  readonly close: () => Promise<void>;
}

/** Connect's client of the service, with nothing but the credential. */
export function bare(order: Order): Contender {
  const baseUrl = `http://${order.address}`;
  const sessionManager = new Http2SessionManager(baseUrl);
  const stub = createClient(MemoryService, createGrpcTransport({ baseUrl, sessionManager }));
  const headers = { authorization: `Bearer ${order.key}` };
  const { agent_id: agentId, limit } = order;
  return {
    recall: (text) =>
      stub.recall({ agentId, limit, query: { case: "text", value: text } }, { headers }),
    close: async () => sessionManager.abort(),
  };
}

/** The client's short form. */
export function facade(order: Order): Contender {
  const { address, key, agent_id: agentId, limit } = order;
  const camillo = connect({ address, key, agentId });
  return {
    recall: (text) => camillo.recall(text, { limit }),
    close: () => camillo.close(),
  };
}
