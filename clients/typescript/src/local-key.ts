import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { staysHere } from "./plaintext-keys.js";
import { resolvedKey } from "./target.js";
import type { Tls } from "./tls.js";

const ROOT_KEY_FILE = "root.key";

/** A key, and what a caller is told when the server does not take one that the caller did not give. */
export interface Credential {
  readonly key: string;
  readonly refusal: string;
}

/**
 * The key given, else that of CAMILLO_KEY, else the one in this user's data directory for a server on this machine. The last
 * is for callers who show nothing else: it must not travel to whatever an address names.
 */
export function resolvedCredential(
  given: string | undefined,
  address: string,
  tls: Tls | undefined,
  environment = process.env,
): Credential {
  const key = resolvedKey(given, environment);
  if (key || given !== undefined || tls?.certificateChain !== undefined || !staysHere(address)) {
    return { key, refusal: "" };
  }
  return localCredential(address, join(dataDirectory(environment), ROOT_KEY_FILE));
}

function localCredential(address: string, path: string): Credential {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (reason) {
    const code = reason instanceof Error && "code" in reason ? String(reason.code) : String(reason);
    const why = code === "ENOENT" ? `there is none in ${path}` : `${path} cannot be read: ${code}`;
    return { key: "", refusal: `no key was given, and ${why}` };
  }
  const key = content.trim();
  return /^[!-~]+$/.test(key)
    ? { key, refusal: `the server at ${address} does not accept the key in ${path}` }
    : { key: "", refusal: `no key was given, and ${path} holds none` };
}

/** Where a server that this user starts keeps its data. */
export function dataDirectory(environment = process.env): string {
  const home = environment.HOME || homedir();
  const directory = environment.CAMILLO_DATA_DIR;
  if (directory) {
    return directory.startsWith("~/") ? join(home, directory.slice(2)) : directory;
  }
  const share = environment.XDG_DATA_HOME ?? "";
  return join(isAbsolute(share) ? share : join(home, ".local", "share"), "camillo");
}
