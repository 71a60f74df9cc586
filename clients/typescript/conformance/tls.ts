import { pathToFileURL } from "node:url";
import type { Tls } from "../src/index.js";

/** Returns what a command says about TLS: paths of PEM files, and the server's name. */
export function tlsOf(told: unknown): Tls | undefined {
  if (typeof told !== "object" || told === null) {
    return undefined;
  }
  const { root, certificate, private_key, server_name } = told as Record<
    string,
    string | undefined
  >;
  return {
    ...(root ? { rootCertificates: pathToFileURL(root) } : {}),
    ...(certificate ? { certificateChain: pathToFileURL(certificate) } : {}),
    ...(private_key ? { privateKey: pathToFileURL(private_key) } : {}),
    ...(server_name ? { serverName: server_name } : {}),
  };
}
