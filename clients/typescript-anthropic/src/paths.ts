export const ROOT = "/memories";
// A path may be encoded more than once; what is still encoded then is a name like any other.
const DECODINGS = 4;

/**
 * The key of a path that a model wrote: without repeated slashes, `.` and `..`, and in Unicode's form C. Error for a path that is not
 * below `/memories`, or would not be if it were decoded.
 */
export function keyOf(path: unknown): string {
  if (typeof path !== "string") {
    throw new Error("A path must be a text");
  }
  if (path !== ROOT && !path.startsWith(`${ROOT}/`)) {
    throw new Error(`Path must start with /memories, got: ${path}`);
  }
  const names: string[] = [];
  for (const name of path.slice(ROOT.length).split("/")) {
    if (isDisguised(name) || (name === ".." && !names.length)) {
      throw new Error(`Path ${path} would escape /memories directory`);
    }
    if (name === "..") {
      names.pop();
    } else if (name && name !== ".") {
      names.push(name);
    }
  }
  return [ROOT, ...names].join("/").normalize("NFC");
}

/** The directories above a key and below `/memories`, the outermost first. */
export function parentsOf(key: string): string[] {
  const names = key.split("/");
  return names.slice(3).map((_, place) => names.slice(0, place + 3).join("/"));
}

/** Whether a name leads upwards once it is decoded: `%2e%2e`, a backslash, or dots of another width. */
function isDisguised(name: string): boolean {
  let plain = name;
  for (let count = 0; count < DECODINGS; count += 1) {
    plain = plain.replace(/(%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll("%", ""), "hex").toString(),
    );
  }
  plain = plain.normalize("NFKC").replaceAll("\\", "/");
  return plain !== name && plain.split("/").includes("..");
}
