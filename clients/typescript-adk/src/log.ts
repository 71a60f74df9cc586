import { randomUUID } from "node:crypto";
import {
  createSession,
  type Event,
  type GetSessionConfig,
  mergeStates,
  type Session,
} from "@google/adk";
import { type Camillo, SlotRecords, slotName, VersionConflict } from "camillo-client";
import type { NewSlot, Slot } from "camillo-client/v1";
import * as json from "./stored.js";
import { milliseconds, partsOf, type Values } from "./stored.js";

const MAX_COUNT = 2 ** 32 - 1;
const MAX_PAGE = 100;

/** How many events a session has: its slot changes with each of them. */
interface Head {
  readonly slot: Slot;
  readonly run: string;
  readonly id: string;
  readonly count: number;
  /** When the last event happened, in seconds. */
  readonly time: number;
}

/** A write that takes the place of slots. */
interface Change {
  readonly slots: NewSlot[];
  readonly replaced: Slot[];
}

/** Sessions as slots: one for each event, one for the state, and a head that counts events; as the Python package has them. */
export class SessionLog {
  readonly #camillo: Camillo;
  // Users of whom the project of an app has a note: lists of all sessions begin with it.
  readonly #noted = new Set<string>();

  constructor(camillo: Camillo) {
    this.#camillo = camillo;
  }

  /** Whether the session was not there yet, and is now. */
  async create(app: string, user: string, id: string, state: Values, time: number) {
    const [records, key, parts] = [this.#user(user), keyOf(app, "sessions", id), partsOf(state)];
    const [note, project] = [keyOf(app, "users", user), this.#project(app)];
    if (!this.#noted.has(note)) {
      await project.write([await project.slot(note, json.encoded({ user }))]);
      this.#noted.add(note);
    }
    if ((await records.newest(key))?.valid) {
      return false;
    }
    await this.#mergeApp(app, parts.app);
    return repeated(async () => {
      const old = await records.newest(key);
      if (old?.valid) {
        return false;
      }
      const run = randomUUID().replaceAll("-", "");
      const body = await records.slot(`${key}/${run}`, json.encoded(parts.session));
      const ofUser = await merged(records, keyOf(app, "user"), parts.user);
      const count = json.encoded({ run, id, count: 0, time });
      const head = await records.slot(key, count, old?.version ?? 0n);
      await write(records, { ...ofUser, slots: [body, ...ofUser.slots, head] });
      return true;
    });
  }

  async get(app: string, user: string, id: string, config: GetSessionConfig = {}) {
    const [records, key] = [this.#user(user), keyOf(app, "sessions", id)];
    const { head, bodies } = await current(records, key);
    const body = bodies.find((slot) => slot.key === `${key}/${head?.run}`);
    if (!head || !body) {
      return undefined;
    }
    const [events, own, ofApp, ofUser] = await Promise.all([
      eventsOf(records, head, config),
      records.data(body),
      read(this.#project(app), keyOf(app, "state")),
      read(records, keyOf(app, "user")),
    ]);
    const state = mergeStates(ofApp.values, ofUser.values, json.decoded(own));
    return { ...sessionOf(app, user, head), events, state };
  }

  /** Sessions without events and state. */
  async list(app: string, user?: string): Promise<Session[]> {
    const users = user === undefined ? await this.#users(app) : [user];
    const root = keyOf(app, "sessions");
    const found = await Promise.all(
      users.map(async (each) => {
        const sessions: Session[] = [];
        const records = this.#user(each);
        for await (const slot of records.below(root, MAX_PAGE)) {
          if (slot.key.lastIndexOf("/") === root.length) {
            sessions.push(sessionOf(app, each, await headOf(records, slot)));
          }
        }
        return sessions;
      }),
    );
    return found.flat();
  }

  /** Whether the session is there, and now has the event, which takes the place of one with its id. */
  async append({ appName: app, userId: user, id }: Session, event: Event): Promise<boolean> {
    const [records, key] = [this.#user(user), keyOf(app, "sessions", id)];
    const [parts, tags] = [partsOf(event.actions?.stateDelta), [`event:${json.digest(event.id)}`]];
    const [data, time] = [json.stored(event), event.timestamp / 1_000];
    return repeated(async () => {
      const { head } = await current(records, key);
      if (!head) {
        return false;
      }
      const same = (await all(records.below(eventsKey(head), MAX_PAGE, tags))).at(-1);
      // Before, so that an event that is there has all of its state.
      await this.#mergeApp(app, parts.app);
      const number = (MAX_COUNT - head.count).toString(16).padStart(8, "0");
      const place = same?.key ?? `${eventsKey(head)}/${number}`;
      const changes: Change[] = [
        {
          slots: [await records.slot(place, data, same?.version, tags)],
          replaced: same ? [same] : [],
        },
        await merged(records, `${key}/${head.run}`, parts.session),
        await merged(records, keyOf(app, "user"), parts.user),
      ];
      const count = { run: head.run, id, count: head.count + (same ? 0 : 1), time };
      const slots = changes.flatMap((each) => each.slots);
      slots.push(await records.slot(key, json.encoded(count), head.slot.version));
      await write(records, { slots, replaced: changes.flatMap((each) => each.replaced) });
      return true;
    });
  }

  /** Removes a session for good. Another one may have its id by then. */
  async delete(app: string, user: string, id: string): Promise<void> {
    const [records, key] = [this.#user(user), keyOf(app, "sessions", id)];
    await repeated(async () => {
      const { head } = await current(records, key);
      await records.write(head ? [records.tombstone(head.slot)] : []);
    });
    const { head, bodies } = await current(records, key);
    for (const body of bodies.filter((slot) => slot.key !== `${key}/${head?.run}`)) {
      const events = body.key.replace("/sessions/", "/events/");
      await records.forget(await all(records.below(events, 1_000)));
      await records.forget([body]);
    }
  }

  async #mergeApp(app: string, delta: Values): Promise<void> {
    const project = this.#project(app);
    await repeated(async () => write(project, await merged(project, keyOf(app, "state"), delta)));
  }

  async #users(app: string): Promise<string[]> {
    const project = this.#project(app);
    const notes = await all(project.below(keyOf(app, "users"), 1_000));
    return Promise.all(
      notes.map(async (slot) => String(json.decoded(await project.data(slot)).user)),
    );
  }

  #user(user: string): SlotRecords {
    return new SlotRecords(this.#camillo.forUser(user), "adk");
  }

  #project(app: string): SlotRecords {
    return new SlotRecords(this.#camillo.forProject(app), "adk");
  }
}

/** The result of an attempt that nobody else came before: each conflict is a write of somebody. */
async function repeated<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof VersionConflict)) {
        throw error;
      }
    }
  }
}

/** The newest events in order: keys sort the newest first. */
async function eventsOf(records: SlotRecords, head: Head, config: GetSessionConfig) {
  const { numRecentEvents: most = 0, afterTimestamp: after = 0 } = config;
  const found: Event[] = [];
  const pageSize = most > 0 ? Math.min(most + 8, MAX_PAGE) : MAX_PAGE;
  for await (const slot of records.below(eventsKey(head), pageSize)) {
    const number = MAX_COUNT - Number.parseInt(slot.key.slice(slot.key.lastIndexOf("/") + 1), 16);
    if (number < head.count) {
      const event = json.eventOf(await records.data(slot));
      if (after && event.timestamp < after) {
        break;
      }
      if (found.push(event) === most) {
        break;
      }
    }
  }
  return found.reverse();
}

/** The write that merges values, if there are any, into those at a key. */
async function merged(records: SlotRecords, key: string, delta: Values): Promise<Change> {
  if (!Object.keys(delta).length) {
    return { slots: [], replaced: [] };
  }
  const { slot, bytes } = await read(records, key);
  const values = { ...(bytes ? json.rewritable(bytes) : {}), ...delta };
  const made = await records.slot(key, json.encoded(values), slot?.version ?? 0n);
  return { slots: [made], replaced: slot ? [slot] : [] };
}

/** Writes slots, and removes the artifacts that nothing has behind that. */
async function write(records: SlotRecords, { slots, replaced }: Change): Promise<void> {
  try {
    await records.write(slots);
  } catch (error) {
    if (error instanceof VersionConflict) {
      await records.forgetArtifacts(slots);
    }
    throw error;
  }
  await records.forgetArtifacts(replaced);
}

async function read(records: SlotRecords, key: string) {
  const [slot] = await all(records.below(key, 1));
  const bytes = slot && (await records.data(slot));
  return { slot, bytes, values: bytes ? json.decoded(bytes) : {} };
}

/** The head of a session, and states: one that the head does not name was deleted. */
async function current(records: SlotRecords, key: string) {
  const slots = await all(records.below(key));
  const slot = slots.find((each) => each.key === key);
  const bodies = slots.filter((each) => each !== slot);
  return { head: slot && (await headOf(records, slot)), bodies };
}

async function headOf(records: SlotRecords, slot: Slot): Promise<Head> {
  return { slot, ...(json.decoded(await records.data(slot)) as unknown as Omit<Head, "slot">) };
}

function sessionOf(appName: string, userId: string, { id, time }: Head): Session {
  return createSession({ id, appName, userId, lastUpdateTime: milliseconds(time) });
}

function keyOf(app: string, part: string, ...names: string[]): string {
  return ["/adk", slotName(app), part, ...names.map(slotName)].join("/");
}

function eventsKey({ slot, run }: Head): string {
  return `${slot.key.replace("/sessions/", "/events/")}/${run}`;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
  }
  return taken;
}
