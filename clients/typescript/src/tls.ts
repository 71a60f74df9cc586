import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { SecureClientSessionOptions } from "node:http2";
import { createSecureContext, type SecureContext } from "node:tls";

/** Encryption of the connection. With a certificate chain and its private key the client proves who it is. */
export interface Tls {
  /** Default: those that Node comes with. */
  rootCertificates?: Pem;
  /** The client's own, and those above it. */
  certificateChain?: Pem;
  /** Key of the first certificate of the chain. */
  privateKey?: Pem;
  /** The name in the server's certificate, where it is not that of the address. */
  serverName?: string;
}

/** PEM itself, or the `file:` URL of a file that holds it. */
export type Pem = string | Uint8Array | URL;

/** Returns what Node needs for it; reads the files. TypeError for what is no PEM, or if only one of chain and key is given. */
export function sessionOptions(tls: Tls): SecureClientSessionOptions {
  if ((tls.certificateChain === undefined) !== (tls.privateKey === undefined)) {
    throw new TypeError("a certificate chain and a private key go together");
  }
  return {
    secureContext: secureContext(tls),
    ...(tls.serverName ? { servername: tls.serverName } : {}),
  };
}

/** Made at once: a mistake in it is not to look like a server that cannot be reached. */
function secureContext({ rootCertificates, certificateChain, privateKey }: Tls): SecureContext {
  const given = {
    ...(rootCertificates === undefined ? {} : { ca: pem("rootCertificates", rootCertificates) }),
    ...(certificateChain === undefined ? {} : { cert: pem("certificateChain", certificateChain) }),
    ...(privateKey === undefined ? {} : { key: pem("privateKey", privateKey) }),
  };
  try {
    if (given.cert && given.key) {
      checkPair(given.cert, given.key);
    }
    return createSecureContext(given);
  } catch (cause) {
    throw new TypeError(`certificates and private key are of no use: ${cause}`, { cause });
  }
}

/** Node takes a pair of two kinds, such as RSA and EC, and fails when it is used. */
function checkPair(chain: Buffer, key: Buffer): void {
  if (!new X509Certificate(chain).checkPrivateKey(createPrivateKey(key))) {
    throw new TypeError("the private key is not that of the certificate");
  }
}

/** Node would take roots that are no PEM for none. */
function pem(name: keyof Tls, source: Pem): Buffer {
  const read = source instanceof URL ? readFileSync(source) : Buffer.from(source);
  if (!read.includes("-----BEGIN ")) {
    throw new TypeError(`${name} is no PEM: give the text itself, or the URL of a file`);
  }
  return read;
}
