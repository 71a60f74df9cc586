/**
 * The memory tool of Anthropic's SDK over Camillo: files under `/memories` are slots of a space.
 *
 * @module
 */
export { CamilloMemoryTool } from "./memory-tool.js";
