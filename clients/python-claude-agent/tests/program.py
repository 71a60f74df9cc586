"""The program that the SDK starts, as its own interface for another one has it: it calls the hooks, and says what it is
told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import anyio
from claude_agent_sdk import Transport

SESSION = "5d0c1f4e-6f0b-4a8e-9a43-0c7c6f0e2b11"


class Program(Transport):
    """Answers each prompt by the next text. `asked` is what a model would get: the prompts, with what hooks added."""

    def __init__(self, directory: Path, answers: Sequence[str], *, session_id: str) -> None:
        self.asked: list[str] = []
        self._answers = iter(answers)
        self._base = {
            "session_id": session_id,
            "transcript_path": str(directory / f"{session_id}.jsonl"),
            "cwd": str(directory),
        }
        self._callbacks: dict[str, list[str]] = {}
        self._sent, self._messages = anyio.create_memory_object_stream[dict[str, Any]](100)
        self._replies: dict[str, dict[str, Any]] = {}
        self._replied = anyio.Condition()
        self._number = 0

    async def connect(self) -> None:
        """Nothing to do."""

    async def write(self, data: str) -> None:
        message = json.loads(data)
        if message["type"] == "control_request":
            hooks = message["request"].get("hooks") or {}
            for event, matchers in hooks.items():
                self._callbacks[event] = [each for matcher in matchers for each in matcher["hookCallbackIds"]]
            answer = {"subtype": "success", "request_id": message["request_id"], "response": {}}
            await self._sent.send({"type": "control_response", "response": answer})
        elif message["type"] == "control_response":
            async with self._replied:
                self._replies[message["response"]["request_id"]] = message["response"]
                self._replied.notify_all()
        else:
            self._running = asyncio.create_task(self._turn(message["message"]["content"]))

    async def _turn(self, prompt: str) -> None:
        added = await self.hook("UserPromptSubmit", prompt=prompt)
        self.asked.append("\n".join([prompt, *added]))
        answer = next(self._answers)
        self._note("user", prompt)
        self._note("assistant", [{"type": "text", "text": answer}])
        await self.hook("Stop", stop_hook_active=False, last_assistant_message=answer)
        base = {"session_id": self._base["session_id"], "uuid": f"r{self._number}"}
        numbers = {"duration_ms": 1, "duration_api_ms": 1, "num_turns": 1, "is_error": False}
        await self._sent.send({"type": "result", "subtype": "success", **base, **numbers, "result": answer})

    async def hook(self, event: str, **fields: Any) -> list[str]:
        """Calls the hooks of an event; returns the context that they add."""
        added = []
        for callback in self._callbacks.get(event, ()):
            self._number += 1
            name = f"hook-{self._number}"
            given = {**self._base, "hook_event_name": event, **fields}
            request = {"subtype": "hook_callback", "callback_id": callback, "input": given, "tool_use_id": None}
            await self._sent.send({"type": "control_request", "request_id": name, "request": request})
            async with self._replied:
                while name not in self._replies:
                    await self._replied.wait()
            reply = self._replies.pop(name)
            assert reply["subtype"] == "success", reply
            added.append(reply["response"].get("hookSpecificOutput", {}).get("additionalContext", ""))
        return added

    def _note(self, role: str, content: Any) -> None:
        """A line of the transcript, as the program writes it."""
        self._number += 1
        line = {"type": role, "uuid": f"line-{self._number}", "message": {"role": role, "content": content}}
        with Path(self._base["transcript_path"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        async for message in self._messages:
            yield message

    async def end_input(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        self._sent.close()

    def is_ready(self) -> bool:
        return True
