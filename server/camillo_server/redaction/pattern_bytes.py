"""Patterns counted in bytes: RE2 counts characters, of up to four each."""

import re

# One step of a pattern, with how often it may come.
_STEP = re.compile(
    r"(?P<step>\(\?s:\.\)|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\.|[^.\\\[])"
    r"(?:\{(?P<least>\d+)(?P<to>,(?P<most>\d*))?\}|(?P<sign>[*+?]))?",
    re.DOTALL,
)
_BYTES_OF_CHARACTER = 4


def in_bytes(pattern: str) -> str:
    """The pattern for an engine that counts bytes: what one character may be, up to four bytes may be."""
    return _STEP.sub(_step_in_bytes, pattern)


def _step_in_bytes(step: re.Match[str]) -> str:
    text, sign = step["step"], step["sign"]
    if not _may_be_wide(text):
        return step.group()
    if text.startswith(("\\", "[")) and re.search(r"\\[SWD]", text):
        # Which spaces there are differs between engines.
        text = "(?s:.)"
    if sign in ("*", "+"):
        return text + sign
    least, most = (step["least"] or "1", step["most"] or step["least"] or "1")
    if sign == "?":
        least = "0"
    if step["to"] == ",":
        return f"{text}{{{least},}}"
    return f"{text}{{{least},{int(most) * _BYTES_OF_CHARACTER}}}"


def _may_be_wide(step: str) -> bool:
    if step.startswith(("[^", "(")) and len(step) > 1:
        return True
    return step == "." or (step.startswith(("\\", "[")) and bool(re.search(r"\\[SWD]", step)))


def most_bytes(pattern: str) -> int | None:
    """No match is longer; None if there is no end to it. Rather far too much than too little."""
    total, repeated = 0, 1
    for step in _STEP.finditer(pattern):
        if step["sign"] in ("*", "+") or step["to"] == ",":
            return None
        most = int(step["most"] or step["least"] or "1")
        if step["step"] == ")":
            repeated *= most
        total += most * _BYTES_OF_CHARACTER
    return total * repeated
