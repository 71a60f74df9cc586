"""Hooks of an agent, which do what `camillo hook` does for Claude Code."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

import anyio
from claude_agent_sdk import HookContext, HookInput, HookMatcher
from claude_agent_sdk.types import HookCallback, HookEvent, HookJSONOutput

# The hooks of the SDK, and the events of `camillo hook`. Calls of tools are in the transcript, so none has a hook.
EVENTS: Mapping[HookEvent, str] = {"UserPromptSubmit": "prompt", "Stop": "stop", "PreCompact": "pre-compact"}
RECORDING = ("Stop", "PreCompact")
# The command ends by itself before.
MAX_SECONDS = 130.0

logger = logging.getLogger(__name__)


def camillo_hooks(
    space: str = "", *, waits: bool = False, environ: Mapping[str, str] | None = None
) -> dict[HookEvent, list[HookMatcher]]:
    """Hooks for `ClaudeAgentOptions(hooks=camillo_hooks("users/42"))`.

    At a prompt the model gets what is remembered about it; when the agent stops, and before a compaction, what is new
    in its transcript is recorded. `space` is an agent or a space; empty: the project's of the working directory, and
    the person's for what holds everywhere. With `waits` a hook ends when everything is recorded, else at once.
    `environ` overrides variables such as CAMILLO_KEY and CAMILLO_HTTP_ADDRESS. Errors of memory are logged, and never
    stop the agent."""
    where = ["--agent", space] if space else ["--space", "auto"]
    variables = {**os.environ, **(environ or {})}
    hooks = dict[HookEvent, list[HookMatcher]]()
    for event, name in EVENTS.items():
        is_awaited = waits and event in RECORDING
        words = [name, *where, *(["--wait"] if is_awaited else [])]
        hooks[event] = [HookMatcher(hooks=[_hook(words, variables)], timeout=MAX_SECONDS if is_awaited else None)]
    return hooks


def _hook(words: list[str], environ: Mapping[str, str]) -> HookCallback:
    command = [sys.executable, "-m", "camillo_cli", "hook", *words, "--client", "claude-code"]

    async def hook(input: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        try:
            return await _output(command, input, environ)
        except Exception as error:  # noqa: BLE001
            logger.warning("a hook of memory failed: %s", type(error).__name__)
            return {}

    return hook


async def _output(command: list[str], input: HookInput, environ: Mapping[str, str]) -> HookJSONOutput:
    """The command's answer to the agent; nothing where it has none."""
    with anyio.fail_after(MAX_SECONDS):
        done = await anyio.run_process(
            command, input=json.dumps(input).encode(), env=environ, check=False, start_new_session=True
        )
    if said := done.stderr.decode(errors="replace").strip():
        logger.warning("%s", said)
    output: Any = json.loads(done.stdout) if done.stdout.strip() else {}
    return output
