// Camillo: written by `camillo install opencode`, removed by its --uninstall.
import { spawn } from "node:child_process"

const PROGRAM = "@PROGRAM@"
const OPTIONS = ["@OPTIONS@"]
// Above the limits that `camillo hook` sets itself.
const SECONDS = 5

// What `camillo hook` prints, or nothing: whatever fails there, the session goes on.
function hook(event, payload) {
  return new Promise((resolve) => {
    const child = spawn(PROGRAM, ["hook", event, ...OPTIONS], { stdio: ["pipe", "pipe", "ignore"], timeout: SECONDS * 1000 })
    let printed = ""
    child.stdout.setEncoding("utf8").on("data", (text) => (printed += text))
    child.on("error", () => resolve(""))
    child.on("close", () => resolve(printed))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(payload))
  })
}

async function context(event, payload) {
  try {
    return JSON.parse(await hook(event, payload)).additionalContext ?? ""
  } catch {
    return ""
  }
}

export const Camillo = async ({ client, directory }) => {
  const started = new Set()
  // Sessions of sub-agents: what they are told is not the person's.
  const children = new Map()

  async function isChild(id) {
    if (!children.has(id)) {
      const found = await client.session.get({ path: { id } }).catch(() => undefined)
      children.set(id, Boolean(found?.data?.parentID))
    }
    return children.get(id)
  }

  async function record(event, id) {
    if (await isChild(id)) return
    const found = await client.session.messages({ path: { id } }).catch(() => undefined)
    const messages = found?.data?.map((message) => ({ id: message.info.id, ...message }))
    if (messages) await hook(event, { session_id: id, cwd: directory, messages })
  }

  return {
    "chat.message": async ({ sessionID }, output) => {
      if (await isChild(sessionID)) return
      const prompt = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
      const payload = { session_id: sessionID, cwd: directory, prompt }
      const found = await Promise.all([
        started.has(sessionID) ? "" : context("session-start", payload),
        context("prompt", payload),
      ])
      started.add(sessionID)
      for (const text of found.filter(Boolean)) {
        // Parts are in the order of their ids; a synthetic one is shown to the model, and is nobody's words.
        const id = `prt_zz${Date.now().toString(16)}${Math.random().toString(36).slice(2)}`
        output.parts.push({ id, sessionID, messageID: output.message.id, type: "text", text, synthetic: true })
      }
    },
    "experimental.session.compacting": ({ sessionID }) => record("pre-compact", sessionID),
    event: async ({ event }) => {
      if (event.type === "session.idle") await record("stop", event.properties.sessionID)
      // The model has just lost its conversation.
      if (event.type === "session.compacted") started.delete(event.properties.sessionID)
    },
  }
}
