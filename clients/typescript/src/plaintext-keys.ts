import { isIPv4 } from "node:net";
import { type Target, urlOf } from "./target.js";

/** Warns, by a warning of the process, of a key that would leave this machine as it is. */
export function warnOfPlaintext(target: Target, key: string): void {
  if (key && !target.tls && !staysHere(target.address)) {
    const told = `the key goes to ${target.address} unencrypted: connect with tls`;
    process.emitWarning(told, "KeyUnprotected");
  }
}

/** Whether what is sent to an address stays on this machine. */
export function staysHere(address: string): boolean {
  const host = new URL(urlOf(address, false)).hostname;
  const isLocalName = host === "localhost" || host.endsWith(".localhost");
  return isLocalName || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}
