/**
 * Services of Google's Agent Development Kit (ADK) over Camillo: sessions with their state, and memory.
 *
 * @module
 */
export { CamilloMemoryService } from "./memory.js";
export { CamilloSessionService, SessionExists, SessionNotFound } from "./sessions.js";
