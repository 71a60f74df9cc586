/**
 * Sessions of the OpenAI Agents SDK over Camillo.
 *
 * @module
 */
export { ItemTooLarge } from "./items.js";
export { CamilloSession, type SessionOptions } from "./session.js";
