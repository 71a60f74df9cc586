/**
 * Memory around clients of OpenAI and Anthropic. That for models of the AI SDK is in `camillo-remembering/ai-sdk`.
 *
 * @module
 */
export { flush, type MemoryOptions } from "./memory.js";
export { type Copyable, remembering } from "./remembering.js";
