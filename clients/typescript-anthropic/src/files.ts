import { type Camillo, newSlot, SlotNotFound, VersionConflict } from "camillo-client";
import { type NewSlot, type Slot, type SlotEntry, SlotService } from "camillo-client/v1";
import { parentsOf, ROOT } from "./paths.js";

// Bytes of a file as JSON.
const MAX_FILE_BYTES = 65_536;
/** Slots that are written together. */
export const MAX_BATCH = 100;
// Slots of a page.
const MAX_PAGE = 1_000;
// Between a read and its write others may write; then it is read again.
const ATTEMPTS = 10;
const SOURCE = { kind: "agent", name: "memory tool" } as const;
const LEFT_OUT =
  "\nNote: it is stored without its secrets and escape sequences of terminals. View it to see the rest.";

/** The files of a space: the same slots that the Python package keeps. */
export class Files {
  readonly #camillo: Camillo;

  constructor(camillo: Camillo) {
    this.#camillo = camillo;
  }

  /** The newest version at a key, which may be a tombstone. */
  async newest(key: string): Promise<Slot | undefined> {
    if (key === ROOT) {
      return undefined;
    }
    try {
      const { listSlotHistory } = SlotService.method;
      return (await this.#camillo.call(listSlotHistory, { key, pageSize: 1 })).versions[0];
    } catch (error) {
      if (error instanceof SlotNotFound) {
        return undefined;
      }
      throw error;
    }
  }

  /** At most so many slots at and below a key, or entries of one level. */
  async below(key: string, most: number, oneLevel = false): Promise<SlotEntry[]> {
    const found: SlotEntry[] = [];
    const pageSize = Math.min(most, MAX_PAGE);
    for await (const entry of this.#camillo.slots.list(key, { oneLevel, pageSize })) {
      if (found.push(entry) === most) {
        break;
      }
    }
    return found;
  }

  /** Whether something is at a key or below it. */
  async isThere(key: string): Promise<boolean> {
    return key === ROOT || (await this.below(key, 1)).length > 0;
  }

  /** The version that a write to a key has to find there; Error if it is taken, or a file is above it. */
  async free(path: string, key: string, taken: string): Promise<bigint> {
    if (await this.isThere(key)) {
      throw new Error(taken);
    }
    for (const parent of parentsOf(key)) {
      if ((await this.newest(parent))?.valid) {
        throw new Error(`Cannot write ${path}: ${parent} is a file, not a directory`);
      }
    }
    const newest = await this.newest(key);
    // Somebody may have written it since the first look.
    if (newest?.valid) {
      throw new Error(taken);
    }
    return newest?.version ?? 0n;
  }

  /** Writes a file; a note if the server left something out of it. */
  async write(key: string, content: string, ifVersion: bigint): Promise<string> {
    if (!content.isWellFormed()) {
      throw new Error("The text is not valid Unicode: it has half of a surrogate pair");
    }
    const text = JSON.stringify(content);
    const size = Buffer.byteLength(text);
    if (size > MAX_FILE_BYTES) {
      const allowed = `at most ${MAX_FILE_BYTES} are stored. Split it into several files.`;
      throw new Error(`The file would have ${size} bytes as JSON; ${allowed}`);
    }
    const [written] = await this.writeAll([file(key, text, ifVersion)]);
    return written?.jsonContent === text ? "" : LEFT_OUT;
  }

  /** Writes slots all at once, or none. */
  async writeAll(slots: readonly NewSlot[]): Promise<Slot[]> {
    return this.#camillo.slots.setMany(slots);
  }

  /** Whether there was something to remove, which is done in batches of 100. */
  async remove(key: string): Promise<boolean> {
    for (let wasThere = false; ; wasThere = true) {
      const isMore = await repeated(key, async () => {
        const entries = await this.below(key, MAX_BATCH);
        await this.writeAll(entries.map(tombstone));
        return entries.length > 0;
      });
      if (!isMore) {
        return wasThere;
      }
    }
  }
}

/** A slot that holds a file's text as JSON. */
export function file(key: string, json: string, ifVersion: bigint): NewSlot {
  return newSlot(key, json, SOURCE, { ifVersion });
}

export function tombstone({ key, slot }: SlotEntry): NewSlot {
  return newSlot(key, null, SOURCE, { ifVersion: slot?.version ?? 0n });
}

/** The text of a file; of other content its JSON. */
export function textOf({ jsonContent }: Slot): string {
  const content = JSON.parse(jsonContent);
  return typeof content === "string" ? content : jsonContent;
}

/** Tries again while others are faster. */
export async function repeated<T>(path: string, attempt: () => Promise<T>): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof VersionConflict)) {
        throw error;
      }
    }
  }
  throw new Error(`Others keep changing ${path}: nothing was done. View it, and try again.`);
}
