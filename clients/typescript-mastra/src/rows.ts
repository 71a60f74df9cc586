import { type Camillo, SlotRecords, VersionConflict } from "camillo-client";
import type { NewSlot, Slot } from "camillo-client/v1";

// Between a read and its write others may write; then it is read again.
const ATTEMPTS = 20;
const AT_ONCE = 8;
// Long records of one batch that fit in its bytes in any case.
export const MAX_BATCH = 40;
const DATES: ReadonlySet<string> = new Set(["createdAt", "updatedAt"]);

/** A row as it was read, with what takes its place; undefined where there is none. */
export interface Change {
  readonly key: string;
  readonly row: object | undefined;
}

/** Rows as JSON under keys of a space. */
export class Rows {
  readonly #records: SlotRecords;

  constructor(camillo: Camillo) {
    this.#records = new SlotRecords(camillo, "mastra");
  }

  async get<T extends object>(key: string): Promise<T | undefined> {
    const slot = await this.#records.newest(key);
    return slot?.valid ? this.#row<T>(slot) : undefined;
  }

  async getAll<T extends object>(keys: readonly string[]): Promise<(T | undefined)[]> {
    return atOnce(keys, (key) => this.get<T>(key));
  }

  /** The rows below a key, in the order of keys. */
  async below<T extends object>(prefix: string): Promise<T[]> {
    return atOnce(await this.#slots(prefix), (slot) => this.#row<T>(slot));
  }

  /**
   * Reads rows, and writes at once what `change` makes of them: all or nothing, and only where they are still those that were read;
   * else again from the beginning. A change without a row removes it for good.
   */
  async change<R>(
    change: (
      read: <T extends object>(key: string) => Promise<T | undefined>,
    ) => Promise<[Change[], R]>,
  ): Promise<R> {
    for (let left = ATTEMPTS; ; left -= 1) {
      const seen = new Map<string, Slot | undefined>();
      const slotAt = async (key: string) => {
        const slot = seen.has(key) ? seen.get(key) : await this.#records.newest(key);
        seen.set(key, slot);
        return slot;
      };
      const [changes, result] = await change(async <T extends object>(key: string) => {
        const slot = await slotAt(key);
        return slot?.valid ? this.#row<T>(slot) : undefined;
      });
      const old = await atOnce(changes, ({ key }) => slotAt(key));
      if (await this.#written(changes, old, left > 1)) {
        return result;
      }
    }
  }

  /** Removes every row below keys for good. */
  async remove(...prefixes: readonly string[]): Promise<void> {
    const slots = await atOnce(prefixes, (prefix) => this.#slots(prefix));
    await this.#records.forget(slots.flat());
  }

  /** Whether the changes were written; they are not where others were faster. */
  async #written(
    changes: readonly Change[],
    old: readonly (Slot | undefined)[],
    mayFail: boolean,
  ): Promise<boolean> {
    const news = (await atOnce(changes, (each, place) => this.#new(each, old[place]))).flat();
    try {
      await this.#records.write(news);
    } catch (error) {
      await this.#records.forgetArtifacts(news);
      if (error instanceof VersionConflict && mayFail) {
        return false;
      }
      throw error;
    }
    const replaced = old.flatMap((slot) => (slot?.valid ? [slot] : []));
    const isGone = (slot: Slot) => changes.some(({ key, row }) => key === slot.key && !row);
    await this.#records.forgetArtifacts(replaced.filter((slot) => !isGone(slot)));
    await this.#records.forget(replaced.filter(isGone));
    return true;
  }

  async #new({ key, row }: Change, old: Slot | undefined): Promise<NewSlot[]> {
    if (row) {
      const data = Buffer.from(JSON.stringify(row));
      return [await this.#records.slot(key, data, old?.version ?? 0n)];
    }
    return old?.valid ? [this.#records.tombstone(old)] : [];
  }

  async #row<T>(slot: Slot): Promise<T> {
    const text = Buffer.from(await this.#records.data(slot)).toString();
    const row = JSON.parse(text);
    for (const name of Object.keys(row)) {
      row[name] = DATES.has(name) ? new Date(row[name]) : row[name];
    }
    return row;
  }

  async #slots(prefix: string): Promise<Slot[]> {
    const slots: Slot[] = [];
    for await (const slot of this.#records.below(prefix, 1_000)) {
      slots.push(slot);
    }
    return slots;
  }
}

/** The results, in the order given; a few at once. */
async function atOnce<T, R>(
  items: readonly T[],
  run: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const work = async () => {
    for (const [place, item] of rest) {
      results[place] = await run(item, place);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
