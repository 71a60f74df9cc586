"""Logs as builds and tests print them, generated: as long as requested, the same for the same seed."""

import random
from collections.abc import Iterator

_TEMPLATES = (
    "{time} INFO  [{worker}] compiling crate {name} v{a}.{b}.{c} ({path})",
    "{time} DEBUG [{worker}] cache hit for {path} after {ms} ms, key {hex}",
    "tests/{name}/test_{other}.py::test_{name}_{other}[{a}-{b}] PASSED  [ {percent}%]",
    "{time} WARN  [{worker}] retrying request {hex} to https://{name}.example.org/{other}/{a} in {ms} ms",
    "npm http fetch GET 200 https://registry.example.org/{name}-{other} {ms}ms (cache updated)",
    "  added {a} packages, changed {b} packages, and audited {c} packages in {ms}ms",
    '{{"level":"info","time":"{time}","user":"{name}","token_count":{a},"duration_ms":{ms}}}',
    "{time} INFO  [{worker}] 用户 {name} 完成任务 {other} ✅ 耗时 {ms} 毫秒",
)
_WORDS = [
    "parser",
    "lexer",
    "runtime",
    "scheduler",
    "network",
    "storage",
    "index",
    "query",
    "planner",
    "cache",
    "session",
    "token",
    "password",
    "auth",
    "metrics",
    "tracing",
    "config",
    "loader",
    "plugin",
    "widget",
    "render",
    "layout",
    "router",
    "bundle",
    "module",
    "package",
    "resolver",
]


def log_bytes(size: int, seed: int = 1) -> bytes:
    """A log of so many bytes in whole lines; the last one is cut."""
    lines, length = [], 0
    for line in _lines(random.Random(seed)):
        lines.append(line)
        length += len(line)
        if length >= size:
            return b"".join(lines)[:size]
    raise AssertionError


def _lines(chance: random.Random) -> Iterator[bytes]:
    second = 0
    while True:
        second += chance.randint(0, 2)
        values = {
            "time": f"2026-11-21T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}Z",
            "worker": f"worker-{chance.randint(1, 16)}",
            "name": chance.choice(_WORDS),
            "other": chance.choice(_WORDS),
            "a": chance.randint(0, 999),
            "b": chance.randint(0, 99),
            "c": chance.randint(0, 9_999),
            "ms": chance.randint(1, 90_000),
            "percent": chance.randint(0, 100),
            "hex": f"{chance.getrandbits(64):016x}",
            "path": f"/build/{chance.choice(_WORDS)}/src/{chance.choice(_WORDS)}_{chance.randint(1, 400)}.rs",
        }
        yield f"{chance.choice(_TEMPLATES).format(**values)}\n".encode()
