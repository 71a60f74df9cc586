/**
 * LangGraph's store and checkpointer on Camillo.
 *
 * @module
 */
export { CamilloSaver } from "./saver.js";
export { CamilloStore, type StoreOptions } from "./store.js";
