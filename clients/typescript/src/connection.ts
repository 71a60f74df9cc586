import type {
  ClientHttp2Stream,
  ClientSessionRequestOptions,
  Http2Session,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
} from "node:http2";
import { decodeBinaryHeader, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { StatusSchema } from "./generated/google/rpc/status_pb.js";
import { KEEPALIVE_TIMEOUT_MS, type Target, urlOf } from "./target.js";
import { sessionOptions } from "./tls.js";

const DETAILS = "grpc-status-details-bin";
// HTTP/2 lets 64 KiB be on the way unless told otherwise: over a distance, artifacts would come at a trickle.
const WINDOW_BYTES = 4 * 1024 * 1024;

/** A transport that can be closed. */
export interface Connection {
  readonly transport: Transport;
  /** Ends all calls and the connection. */
  close(): void;
}

/** A connection to one server by gRPC over HTTP/2; it is made with the first call, and again after it broke. */
export function openConnection(target: Target): Connection {
  const baseUrl = urlOf(target.address, target.tls !== undefined);
  const sessions = new Sessions(
    baseUrl,
    { pingIntervalMs: target.keepaliveMs, pingTimeoutMs: KEEPALIVE_TIMEOUT_MS },
    {
      settings: { initialWindowSize: WINDOW_BYTES },
      ...(target.tls && sessionOptions(target.tls)),
    },
  );
  const transport = createGrpcTransport({
    baseUrl,
    sessionManager: sessions,
    readMaxBytes: target.maxMessageBytes,
    writeMaxBytes: target.maxMessageBytes,
  });
  return { transport, close: () => sessions.abort() };
}

/** Sessions whose answers tell of a failure at least by its code. */
class Sessions extends Http2SessionManager {
  override async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: Omit<ClientSessionRequestOptions, "signal">,
  ): Promise<ClientHttp2Stream> {
    const stream = await super.request(method, path, headers, options);
    widen(stream.session);
    stream.once("response", dropMangledDetails);
    stream.once("trailers", dropMangledDetails);
    return stream;
  }
}

/** Returns what all streams of a session may have on the way together. */
function widen(session: Http2Session | undefined): void {
  if (session && (session.state.effectiveLocalWindowSize ?? 0) < WINDOW_BYTES) {
    session.setLocalWindowSize(WINDOW_BYTES);
  }
}

/** Connect would not look at code and message of a failure whose details it cannot read. */
function dropMangledDetails(headers: IncomingHttpHeaders): void {
  const details = headers[DETAILS];
  if (details !== undefined && !isStatus(String(details))) {
    delete headers[DETAILS];
  }
}

function isStatus(details: string): boolean {
  try {
    return decodeBinaryHeader(details, StatusSchema).code !== 0;
  } catch {
    return false;
  }
}
