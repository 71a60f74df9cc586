import { readFileSync } from "node:fs";
import type { SecureClientSessionOptions } from "node:http2";

/** Encryption of the connection. With a certificate chain and its private key the client proves who it is. */
export interface Tls {
  /** Default: those that Node comes with. */
  rootCertificates?: Pem;
  certificateChain?: Pem;
  privateKey?: Pem;
  /** The name in the server's certificate, where it is not that of the address. */
  serverName?: string;
}

/** PEM itself, or the `file:` URL of a file that holds it. */
export type Pem = string | Uint8Array | URL;

/** What Node needs for it; reads the files. TypeError if only one of chain and key is given. */
export function sessionOptions(tls: Tls): SecureClientSessionOptions {
  const { rootCertificates, certificateChain, privateKey, serverName } = tls;
  if ((certificateChain === undefined) !== (privateKey === undefined)) {
    throw new TypeError("a certificate chain and a private key go together");
  }
  return {
    ...(rootCertificates === undefined ? {} : { ca: pem(rootCertificates) }),
    ...(certificateChain === undefined ? {} : { cert: pem(certificateChain) }),
    ...(privateKey === undefined ? {} : { key: pem(privateKey) }),
    ...(serverName ? { servername: serverName } : {}),
  };
}

function pem(source: Pem): string | Buffer {
  if (source instanceof URL) {
    return readFileSync(source);
  }
  return typeof source === "string" ? source : Buffer.from(source);
}
