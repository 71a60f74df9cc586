/**
 * Mastra's memory storage on Camillo.
 *
 * @module
 */
export { CamilloMemory } from "./memory.js";
