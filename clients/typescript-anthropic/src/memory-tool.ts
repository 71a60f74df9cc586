import type { MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import type { Camillo } from "camillo-client";
import { Files, file, MAX_BATCH, repeated, textOf, tombstone } from "./files.js";
import { keyOf, ROOT } from "./paths.js";

// Entries that are shown of a directory, and lines that are named for a text that is there more than once.
const [MAX_SHOWN, MAX_LINES_NAMED] = [1_000, 50];

type Command<K extends keyof MemoryToolHandlers> = Parameters<MemoryToolHandlers[K]>[0];

/**
 * Handlers of the memory tool `memory_20250818` for the space of a client: `betaMemoryTool(new CamilloMemoryTool(ada))`.
 *
 * A file is a slot of the same key, its text a JSON string, kept byte for byte: the same that the Python package keeps. Each command
 * is atomic, but for the deletion of more than 100 files. Edits are made on the newest version; none is lost. Throws Errors with what
 * the model can mend, and CamilloErrors.
 */
export class CamilloMemoryTool implements MemoryToolHandlers {
  readonly #files: Files;

  constructor(camillo: Camillo) {
    this.#files = new Files(camillo);
  }

  /** A file with numbered lines, or two levels of a directory. */
  async view({ path, view_range: range }: Command<"view">): Promise<string> {
    const key = keyOf(path);
    const slot = await this.#files.newest(key);
    if (!slot?.valid) {
      return this.#directory(path, key);
    }
    const lines = textOf(slot).split("\n");
    const [first = 1, last = -1] = range?.length === 2 ? range : [];
    const start = Math.max(1, first);
    const shown = lines.slice(start - 1, last === -1 ? lines.length : Math.max(0, last));
    return `Here's the content of ${path} with line numbers:\n${numbered(shown, start)}`;
  }

  /** A new file; its directories come with it. */
  async create({ path, file_text: text }: Command<"create">): Promise<string> {
    const [key, content] = [keyOf(path), argument("file_text", text)];
    return repeated(path, async () => {
      const version = await this.#files.free(path, key, `File ${path} already exists`);
      const note = await this.#files.write(key, content, version);
      return `File created successfully at: ${path}${note}`;
    });
  }

  /** Replaces a text that is in the file once. */
  async str_replace({ path, old_str, new_str }: Command<"str_replace">): Promise<string> {
    const [old, text] = [argument("old_str", old_str), argument("new_str", new_str)];
    return this.#edited(path, (content) => {
      const lines = linesWith(content, old);
      const [line] = lines;
      if (line === undefined) {
        throw new Error(
          `No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`,
        );
      }
      if (lines.length > 1) {
        const found = `Multiple occurrences of old_str \`${old}\` in lines: ${[...new Set(lines)].join(", ")}`;
        throw new Error(`No replacement was performed. ${found}. Please ensure it is unique`);
      }
      const changed = content.replace(old, () => text);
      const first = Math.max(1, line - 2);
      const snippet = numbered(changed.split("\n").slice(first - 1, line + 2), first);
      const title =
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):";
      return [changed, `${title}\n${snippet}`];
    });
  }

  /** Inserts a text after a line; 0 is the beginning. */
  async insert({ path, insert_line: line, insert_text }: Command<"insert">): Promise<string> {
    const text = argument("insert_text", insert_text);
    return this.#edited(path, (content) => {
      const lines = content.split("\n");
      if (!Number.isInteger(line) || line < 0 || line > lines.length) {
        const allowed = `within the range of lines of the file: [0, ${lines.length}]`;
        throw new Error(`Invalid \`insert_line\` parameter: ${line}. It should be ${allowed}`);
      }
      lines.splice(line, 0, text.replace(/\n$/, ""));
      return [lines.join("\n"), `The file ${path} has been edited.`];
    });
  }

  /** Writes tombstones for a file, or for every file of a directory, in batches of 100. */
  async delete({ path }: Command<"delete">): Promise<string> {
    const key = keyOf(path);
    if (key === ROOT) {
      throw new Error("Cannot delete the /memories directory itself");
    }
    if (!(await this.#files.remove(key))) {
      throw new Error(`The path ${path} does not exist`);
    }
    return `Successfully deleted ${path}`;
  }

  /** Moves a file, or a directory of up to 50 files: all at once, or nothing. */
  async rename({ old_path: path, new_path: target }: Command<"rename">): Promise<string> {
    const [old, moved] = [keyOf(path), keyOf(target)];
    if (old === ROOT) {
      throw new Error("Cannot rename the /memories directory itself");
    }
    return repeated(path, async () => {
      await this.#files.free(target, moved, `The destination ${target} already exists`);
      const entries = await this.#files.below(old, MAX_BATCH / 2 + 1);
      if (!entries.length) {
        throw new Error(`The path ${path} does not exist`);
      }
      if (moved.startsWith(`${old}/`)) {
        throw new Error(`Cannot move ${path} into itself`);
      }
      if (entries.length > MAX_BATCH / 2) {
        const problem = `${path} has more than ${MAX_BATCH / 2} files`;
        throw new Error(`${problem}: rename what is in it one by one`);
      }
      const moves = entries.map(async ({ key, slot }) => {
        const place = moved + key.slice(old.length);
        const there = await this.#files.newest(place);
        return file(place, slot?.jsonContent ?? "null", there?.version ?? 0n);
      });
      await this.#files.writeAll([...(await Promise.all(moves)), ...entries.map(tombstone)]);
      return `Successfully renamed ${path} to ${target}`;
    });
  }

  /** Removes every file. */
  async clearAllMemory(): Promise<string> {
    await this.#files.remove(ROOT);
    return "All memory cleared";
  }

  async #edited(path: string, change: (content: string) => [string, string]): Promise<string> {
    const key = keyOf(path);
    return repeated(path, async () => {
      const slot = await this.#files.newest(key);
      if (!slot?.valid) {
        const isThere = await this.#files.isThere(key);
        const problem = isThere ? "is not a file." : "does not exist. Please provide a valid path.";
        throw new Error(`The path ${path} ${problem}`);
      }
      const content = JSON.parse(slot.jsonContent);
      if (typeof content !== "string") {
        throw new Error(
          `${path} holds JSON that another program wrote: it can be viewed, not edited.`,
        );
      }
      const [changed, answer] = change(content);
      return answer + (await this.#files.write(key, changed, slot.version));
    });
  }

  async #directory(path: string, key: string): Promise<string> {
    const level = await this.#level(key);
    // Everything in it may be hidden.
    if (!level.length && !(await this.#files.isThere(key))) {
      throw new Error(`The path ${path} does not exist. Please provide a valid path.`);
    }
    const shown: string[] = [];
    for (const [name, size] of level) {
      shown.push(`${size}\t${path}/${name}`);
      if (name.endsWith("/") && shown.length < MAX_SHOWN) {
        const inner = await this.#level(`${key}/${name.slice(0, -1)}`);
        shown.push(...inner.map(([below, size]) => `${size}\t${path}/${name}${below}`));
      }
    }
    if (shown.length > MAX_SHOWN) {
      const more = "view the directories in it to see the others.";
      shown.splice(MAX_SHOWN, shown.length, `Only ${MAX_SHOWN} entries are shown: ${more}`);
    }
    const title = `Here're the files and directories up to 2 levels deep in ${path}`;
    return [`${title}, excluding hidden items and node_modules:`, `-\t${path}`, ...shown].join(
      "\n",
    );
  }

  /** Names and sizes directly below a key, without hidden ones; the name of a directory ends with a slash. */
  async #level(key: string): Promise<[name: string, size: string][]> {
    const found: [string, string][] = [];
    for (const { key: at, slot, isDirectory } of await this.#files.below(
      key,
      MAX_SHOWN + 1,
      true,
    )) {
      const name = at.slice(key.length + 1);
      if (name && !name.startsWith(".") && name !== "node_modules") {
        if (slot) {
          found.push([name, sizeOf(Buffer.byteLength(textOf(slot)))]);
        }
        if (isDirectory) {
          found.push([`${name}/`, "-"]);
        }
      }
    }
    const plain = (name: string) => name.replace(/\/$/, "");
    return found.sort(([one], [other]) => (plain(one) < plain(other) ? -1 : 1));
  }
}

function argument(name: string, value: unknown): string {
  if (typeof value !== "string") {
    throw new Error(`\`${name}\` must be a text`);
  }
  return value;
}

/** The lines in which a text begins, as often as it does. */
function linesWith(content: string, text: string): number[] {
  const lines: number[] = [];
  let [line, from] = [1, 0];
  for (let at = content.indexOf(text); at >= 0 && lines.length < MAX_LINES_NAMED; ) {
    line += content.slice(from, at).split("\n").length - 1;
    lines.push(line);
    from = at;
    at = at < content.length ? content.indexOf(text, at + 1) : -1;
  }
  return lines;
}

function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, place) => `${String(first + place).padStart(6)}\t${line}`).join("\n");
}

/** Bytes in the SDK's spelling: `0B`, `17B`, `1.5K`. */
function sizeOf(size: number): string {
  if (size < 1024) {
    return `${size}B`;
  }
  return `${size % 1024 ? (size / 1024).toFixed(1) : size / 1024}K`;
}
