// The client as the conformance suite drives it: a command in JSON on each line of the input, its answer on each of the
// output, in order, until the input ends.
import { createInterface } from "node:readline";
import { type Command, Commands } from "./commands.js";

const commands = new Commands();
for await (const line of createInterface({
  input: process.stdin,
  crlfDelay: Number.POSITIVE_INFINITY,
})) {
  if (line.trim()) {
    const answer = await commands.answer(JSON.parse(line) as Command);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
await commands.close();
