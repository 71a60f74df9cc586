// Camillo: written by `camillo install pi`, removed by its --uninstall.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

const PROGRAM = "@PROGRAM@"
const OPTIONS = ["@OPTIONS@"]
const SERVER = ["@SERVER@"]
const ENVIRONMENT = { "@ENVIRONMENT@": "" }
// Above the limits that `camillo hook` sets itself.
const HOOK_SECONDS = 5
const TOOL_SECONDS = 120

// What `camillo hook` prints, or nothing: whatever fails there, the session goes on.
function hook(event: string, payload: object): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(PROGRAM, ["hook", event, ...OPTIONS], { stdio: ["pipe", "pipe", "ignore"], timeout: HOOK_SECONDS * 1000 })
    let printed = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text))
    child.on("error", () => resolve(""))
    child.on("close", () => resolve(printed))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(payload))
  })
}

async function context(event: string, payload: object): Promise<string> {
  try {
    return JSON.parse(await hook(event, payload)).additionalContext ?? ""
  } catch {
    return ""
  }
}

// pi knows no MCP: this is what its tools need of it, over standard input and output of `camillo mcp`.
class Server {
  private child = spawn(PROGRAM, SERVER, { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, ...ENVIRONMENT } })
  private waiting = new Map<number, { resolve: (result: any) => void; reject: (error: Error) => void }>()
  private number = 0

  constructor() {
    createInterface({ input: this.child.stdout }).on("line", (line) => this.take(line))
    this.child.on("error", () => this.end())
    this.child.on("close", () => this.end())
    this.child.stdin.on("error", () => {})
    // pi ends when it is done, and this with it.
    this.child.unref()
    for (const stream of [this.child.stdin, this.child.stdout]) (stream as any).unref?.()
  }

  request(method: string, params: object): Promise<any> {
    const id = ++this.number
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("memory did not answer")), TOOL_SECONDS * 1000)
      const done = (act: (value: any) => void) => (value: any) => (clearTimeout(timer), act(value))
      this.waiting.set(id, { resolve: done(resolve), reject: done(reject) })
      this.send({ id, method, params })
    })
  }

  send(message: object) {
    this.child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n")
  }

  close() {
    this.child.kill()
  }

  private take(line: string) {
    const message = JSON.parse(line)
    const caller = this.waiting.get(message.id)
    this.waiting.delete(message.id)
    if (message.error) caller?.reject(new Error(message.error.message))
    else caller?.resolve(message.result)
  }

  private end() {
    for (const caller of this.waiting.values()) caller.reject(new Error("memory has ended"))
    this.waiting.clear()
  }
}

async function addTools(pi: any, server: Server) {
  const client = { name: "pi", version: "1" }
  await server.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: client })
  server.send({ method: "notifications/initialized" })
  const { tools } = await server.request("tools/list", {})
  for (const tool of tools) {
    pi.registerTool({
      name: `camillo_${tool.name}`,
      label: tool.title ?? tool.name,
      description: tool.description,
      parameters: tool.inputSchema,
      execute: async (_id: string, params: object) => {
        const result = await server.request("tools/call", { name: tool.name, arguments: params })
        if (result.isError) throw new Error(result.content.map((part: any) => part.text).join("\n"))
        return { content: result.content, details: {} }
      },
    })
  }
}

export default async function (pi: any) {
  const server = new Server()
  // "startup" and the like; nothing once it was told of.
  let source = "startup"
  const session = (ctx: any) => ({
    session_id: ctx.sessionManager.getSessionId(),
    transcript_path: ctx.sessionManager.getSessionFile() ?? "",
    cwd: ctx.cwd,
  })

  pi.on("session_start", (event: any) => void (source = event.reason ?? "startup"))
  pi.on("before_agent_start", async (event: any, ctx: any) => {
    const payload = { ...session(ctx), prompt: event.prompt, source }
    const found = await Promise.all([source ? context("session-start", payload) : "", context("prompt", payload)])
    source = ""
    const content = found.filter(Boolean).join("\n\n")
    if (content) return { message: { customType: "camillo", content, display: false } }
  })
  pi.on("agent_end", (_event: any, ctx: any) => hook("stop", session(ctx)).then(() => {}))
  pi.on("session_before_compact", (_event: any, ctx: any) => hook("pre-compact", session(ctx)).then(() => {}))
  // The model has just lost its conversation.
  pi.on("session_compact", () => void (source = "compact"))
  pi.on("session_shutdown", async (_event: any, ctx: any) => {
    await hook("session-end", session(ctx))
    server.close()
  })
  await addTools(pi, server).catch(() => {})
}
