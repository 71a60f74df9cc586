import { isIPv6 } from "node:net";

const DEFAULT_HOST = "localhost";
const DEFAULT_PORT = "7070";
const MAX_PORT = 65_535;
/** Names that gRPC resolves itself in other languages: what follows is not looked at here. */
const RESOLVED_BY_GRPC = /^(dns|ipv4|ipv6|unix|unix-abstract|vsock|xds):/i;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/+/i;
const ENCRYPTED = /^(https|grpcs)$/i;
const NO_NAME = /[\s"'<>()[\]{}\\|^`,;%@]/;
const WITHOUT = "an address is a host and a port without";

interface Mistake {
  readonly problem: string;
  readonly use: string;
}

/**
 * TypeError for an address that would be looked up in vain, or lead somewhere else, with what was probably meant. The cases
 * that the clients of all languages share are in addresses.json.
 */
export function checkAddress(address: string): void {
  const mistake = RESOLVED_BY_GRPC.test(address) ? undefined : mistakeIn(address);
  if (mistake) {
    throw new TypeError(`${mistake.problem}: use ${mistake.use}`);
  }
}

function mistakeIn(address: string): Mistake | undefined {
  const [slashes, scheme] = SCHEME.exec(address) ?? [];
  const rest = slashes === undefined ? address.replace(/^\/+/, "") : address.slice(slashes.length);
  const bare = rest.replace(/[/?#].*$/s, "");
  const authority = bare.slice(bare.lastIndexOf("@") + 1);
  const [host, port] = hostAndPort(authority);
  const use = proposed(host, port);
  if (scheme !== undefined) {
    const tls = ENCRYPTED.test(scheme) ? " with TLS" : "";
    return { problem: `${WITHOUT} ${scheme}://`, use: use + tls };
  }
  if (bare !== address) {
    return { problem: `${WITHOUT} a path`, use };
  }
  if (bare !== authority) {
    return { problem: `${WITHOUT} a user`, use };
  }
  const problem = problemOf(address, host, port);
  return problem ? { problem, use: isHost(host) ? use : proposed("", "") } : undefined;
}

function problemOf(address: string, host: string, port: string): string {
  if (!address) {
    return "the address is blank";
  }
  if (!host) {
    return `the address ${address} has no host`;
  }
  if (!isHost(host)) {
    return `the host of ${address} is no name`;
  }
  if (!port) {
    return `the address ${address} has no port`;
  }
  return isPort(port) ? "" : `the port of ${address} is no number from 1 to ${MAX_PORT}`;
}

/** The parts as they are written, an IPv6 address in brackets; empty where there is none. */
function hostAndPort(authority: string): [host: string, port: string] {
  if (isIPv6(authority)) {
    return [`[${authority}]`, ""];
  }
  if (isPort(authority)) {
    return ["", authority];
  }
  if (authority.startsWith("[")) {
    const [host, port] = split(authority, "]");
    return [`${host}]`, port.replace(/^:/, "")];
  }
  return split(authority, ":");
}

/** Returns what is before the first separator and behind it. */
function split(text: string, separator: string): [string, string] {
  const [first = "", ...rest] = text.split(separator);
  return [first, rest.join(separator)];
}

function proposed(host: string, port: string): string {
  return `${host || DEFAULT_HOST}:${isPort(port) ? port : DEFAULT_PORT}`;
}

function isHost(text: string): boolean {
  return text.startsWith("[") ? isIPv6(text.slice(1, -1)) : !NO_NAME.test(text);
}

function isPort(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) > 0 && Number(text) <= MAX_PORT;
}
