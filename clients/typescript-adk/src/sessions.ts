import { randomUUID } from "node:crypto";
import {
  type AppendEventRequest,
  BaseSessionService,
  type CreateSessionRequest,
  type DeleteSessionRequest,
  type Event,
  type GetSessionRequest,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type Session,
} from "@google/adk";
import type { Camillo } from "camillo-client";
import { SessionLog } from "./log.js";

/** There is a session with this id. Nothing was changed. */
export class SessionExists extends Error {}

/** There is no session with this id. Nothing was changed. */
export class SessionNotFound extends Error {}

/**
 * Keeps sessions and user state in the space of their user, and app state in the project of the app's name, as the Python package does:
 * agents in both languages go on with each other's sessions.
 *
 * Events come back as they were, in the order of appending, whoever appends. The event and its state are one transaction, but for app
 * state, which is written before. Methods throw CamilloErrors, and TypeError for a user id with a slash or a value that JSON cannot have.
 */
export class CamilloSessionService extends BaseSessionService {
  readonly #log: SessionLog;

  /** Takes a client whose key may act for any agent. */
  constructor(camillo: Camillo) {
    super();
    this.#log = new SessionLog(camillo);
  }

  /** SessionExists where the id is taken. */
  override async createSession(request: CreateSessionRequest): Promise<Session> {
    const { appName, userId, state = {} } = request;
    const sessionId = request.sessionId || randomUUID();
    if (!(await this.#log.create(appName, userId, sessionId, state, Date.now() / 1_000))) {
      throw new SessionExists(`Session with id ${sessionId} already exists.`);
    }
    const session = await this.getSession({ appName, userId, sessionId });
    if (!session) {
      throw new SessionNotFound(`Session ${sessionId} was deleted when it had been made.`);
    }
    return session;
  }

  override async getSession(request: GetSessionRequest): Promise<Session | undefined> {
    return this.#log.get(request.appName, request.userId, request.sessionId, request.config);
  }

  /** One of several that ask at once makes the session. */
  override async getOrCreateSession(request: CreateSessionRequest): Promise<Session> {
    try {
      return await super.getOrCreateSession(request);
    } catch (error) {
      if (error instanceof SessionExists) {
        return super.getOrCreateSession(request);
      }
      throw error;
    }
  }

  override async listSessions(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { appName, userId, limit, offset = 0, page, order } = request;
    const found = await this.#log.list(appName, userId);
    const sign = order === "desc" ? -1 : 1;
    found.sort((a, b) => {
      return sign * (a.lastUpdateTime - b.lastUpdateTime) || a.id.localeCompare(b.id);
    });
    const totalItems = found.length;
    const begin = limit !== undefined && page !== undefined ? (page - 1) * limit : offset;
    const size = limit ?? totalItems;
    const counted = limit ? Math.floor(begin / limit) + 1 : 1;
    return {
      sessions: found.slice(begin, begin + size),
      page: limit === undefined ? 1 : (page ?? counted),
      limit: size,
      totalItems,
      totalPages: size ? Math.ceil(totalItems / size) : 0,
    };
  }

  /** Removes a session for good. Repeat one that was interrupted: it goes on. */
  override async deleteSession(request: DeleteSessionRequest): Promise<void> {
    await this.#log.delete(request.appName, request.userId, request.sessionId);
  }

  /** Appends an event to the session that is stored, then to this copy; one with its id is replaced. SessionNotFound. */
  override async appendEvent({ session, event }: AppendEventRequest): Promise<Event> {
    if (event.partial) {
      return event;
    }
    if (!(await this.#log.append(session, event))) {
      throw new SessionNotFound(`Session ${session.id} not found.`);
    }
    const appended = await super.appendEvent({ session, event });
    session.lastUpdateTime = event.timestamp;
    return appended;
  }
}
