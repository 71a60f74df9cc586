"""The clients that have hooks: what they call their events, and in which form they take additional context."""

# Events that `camillo hook` takes as its argument.
SESSION_START = "session-start"
PROMPT = "prompt"
STOP = "stop"
PRE_COMPACT = "pre-compact"
SESSION_END = "session-end"
EVENTS = (SESSION_START, PROMPT, STOP, PRE_COMPACT, SESSION_END)
INJECTING = (SESSION_START, PROMPT)

# The client's own name of each event. Codex has no event for the end of a session: its last turn has ended with `Stop`.
EVENT_NAMES = {
    "claude-code": {
        SESSION_START: "SessionStart",
        PROMPT: "UserPromptSubmit",
        STOP: "Stop",
        PRE_COMPACT: "PreCompact",
        SESSION_END: "SessionEnd",
    },
    "codex": {
        SESSION_START: "SessionStart",
        PROMPT: "UserPromptSubmit",
        STOP: "Stop",
        PRE_COMPACT: "PreCompact",
    },
    "cursor": {
        SESSION_START: "sessionStart",
        PROMPT: "beforeSubmitPrompt",
        STOP: "stop",
        PRE_COMPACT: "preCompact",
        SESSION_END: "sessionEnd",
    },
    "gemini-cli": {
        SESSION_START: "SessionStart",
        PROMPT: "BeforeAgent",
        STOP: "AfterAgent",
        PRE_COMPACT: "PreCompress",
        SESSION_END: "SessionEnd",
    },
}
# Clients that write transcripts and hooks as Claude Code has them, or whose plugins, which are ours, use our own names.
EVENT_NAMES["opencode"] = {each: each for each in (SESSION_START, PROMPT, STOP, PRE_COMPACT)}
EVENT_NAMES["pi"] = {each: each for each in EVENTS}
EVENT_NAMES["copilot-cli"] = EVENT_NAMES["claude-code"]
EVENT_NAMES["qwen-code"] = EVENT_NAMES["claude-code"]
CLIENTS = tuple(EVENT_NAMES)
# Hooks are a module that the client loads.
WITH_PLUGINS = ("opencode", "pi")


def context_output(client: str, event: str, context: str) -> dict[str, object]:
    """The object on standard output from which the client puts the context before the model."""
    if client == "cursor":
        # `continue` is what the prompt's hook decides; the start of a session has nothing to decide.
        decision: dict[str, object] = {"continue": True} if event == PROMPT else {}
        return {**decision, "additional_context": context}
    if client in ("copilot-cli", *WITH_PLUGINS):
        return {"additionalContext": context}
    # `systemMessage` would be shown to the person and not to the model.
    return {
        "hookSpecificOutput": {
            "hookEventName": EVENT_NAMES[client][event],
            "additionalContext": context,
        }
    }
