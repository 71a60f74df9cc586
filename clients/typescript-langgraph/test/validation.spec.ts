// LangGraph's own suite for checkpointers, as vitest runs it; validation.test.ts starts that, and tells the outcomes.
import {
  type CheckpointSaverTestInitializer,
  deltaChannelHistoryTests,
  validate,
} from "@langchain/langgraph-checkpoint-validation";
import type { Camillo } from "camillo-client";
import { CamilloSaver } from "../src/index.js";
import { newPerson } from "./spaces.js";

const clients = new WeakMap<CamilloSaver, Camillo>();

const initializer: CheckpointSaverTestInitializer<CamilloSaver> = {
  checkpointerName: "CamilloSaver",
  createCheckpointer() {
    const client = newPerson();
    const saver = new CamilloSaver(client);
    clients.set(saver, client);
    return saver;
  },
  destroyCheckpointer: (saver) => clients.get(saver)?.close(),
};

validate(initializer);
deltaChannelHistoryTests(initializer);
