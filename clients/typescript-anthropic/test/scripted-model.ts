import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A model that uses the memory tool as it is told, and then is done. */
export async function scriptedModel(commands: readonly object[]) {
  const asked: { messages: { content: unknown }[] }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) {
      parts.push(part);
    }
    const input = commands[asked.length];
    asked.push(JSON.parse(Buffer.concat(parts).toString()));
    const use = { type: "tool_use", id: `t${asked.length}`, name: "memory", input };
    const content = input ? [use] : [{ type: "text", text: "Done." }];
    const message = { id: "m1", type: "message", role: "assistant", model: "m", content };
    const usage = { input_tokens: 1, output_tokens: 1 };
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ ...message, stop_reason: input ? "tool_use" : "end_turn", usage }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Results of the tool, as the model was told them. */
    results: () => asked.slice(1).map(({ messages }) => JSON.stringify(messages.at(-1)?.content)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
