import { checkAddress } from "./addresses.js";
import type { Tls } from "./tls.js";

const DEFAULT_HOST = "localhost";
const DEFAULT_PORT = "7070";
const MEBIBYTE = 1024 * 1024;

/** Milliseconds for a unary call, repetitions included, unless the client or the call says otherwise. */
export const DEFAULT_TIMEOUT_MS = 10_000;
/** Bytes of one message, in either direction. */
export const MAX_MESSAGE_BYTES = 64 * MEBIBYTE;
// gRPC servers allow a ping in 5 minutes without data and close connections of clients that ping more often;
// load balancers forget connections that are idle for about 6.
export const KEEPALIVE_MS = 330_000;
export const KEEPALIVE_TIMEOUT_MS = 20_000;

/** A server, and the properties of the connection to it. */
export interface Target {
  readonly address: string;
  readonly tls: Tls | undefined;
  readonly maxMessageBytes: number;
  readonly keepaliveMs: number;
}

/** The address given, else that of CAMILLO_ADDRESS, else the local default; TypeError for one that is no host and port. */
export function resolvedAddress(address: string | undefined, environment = process.env): string {
  const found = address || environment.CAMILLO_ADDRESS || `${DEFAULT_HOST}:${DEFAULT_PORT}`;
  // As with keys: a line end would be taken for a part of the name.
  const stripped = found.trim();
  checkAddress(stripped);
  return stripped;
}

/** The key given, else that of CAMILLO_KEY, else none; TypeError, without the key in it, where no header can hold it. */
export function resolvedKey(key: string | undefined, environment = process.env): string {
  // Keys are read from files and pipes, and a line end in a header fails without saying why.
  const resolved = (key ?? environment.CAMILLO_KEY ?? "").trim();
  if (!/^[ -~]*$/.test(resolved)) {
    throw new TypeError("the key has characters that no header can hold");
  }
  return resolved;
}

/** The URL of an address such as `host:7070`, `[::1]:7070` or `dns:///host:7070`; TypeError where it is none. */
export function urlOf(address: string, isEncrypted: boolean): string {
  const authority = address.replace(/^dns:(\/\/[^/]*\/)?/, "");
  const hasPort = /:\d+$/.test(authority.replace(/^\[.*\]/, ""));
  const url = `${isEncrypted ? "https" : "http"}://${authority}${hasPort ? "" : `:${DEFAULT_PORT}`}`;
  const isPlain = URL.canParse(url) && /^[^/?#@\s]+$/.test(authority);
  if (!isPlain) {
    throw new TypeError(`${JSON.stringify(address)} is no address: give a host and a port`);
  }
  return url;
}
