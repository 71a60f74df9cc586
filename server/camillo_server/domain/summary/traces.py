"""Stack traces: where the exception came from that a line names."""

import re
from collections.abc import Iterator

from camillo_server.domain.summary.output_text import Line, OutputText

MOST_FRAMES = 120
PYTHON_OPENING = "Traceback (most recent call last)"
PYTHON_FRAME = re.compile(r"\s*(?:\|\s*)?File \"(?P<file>[^\"]{1,300})\", line (?P<line>\d+)")
PYTEST_PLACE = re.compile(
    r"(?P<file>[^\s:]{1,200}\.py):(?P<line>\d+): (?:in |\w+(?:Error|Exception)?$)"
)
JAVA_FRAME = re.compile(
    r"\s+at [\w.$<>/@ ]{1,300}\((?P<file>[\w$]{1,100}\.\w{1,8}):(?P<line>\d+)\)"
)
NODE_FRAME = re.compile(
    r"\s+at (?:.{0,200}\()?(?:file://)?(?P<file>(?:[A-Za-z]:)?[^():\s]{1,300}):(?P<line>\d+):\d+\)?$"
)
GO_FRAME = re.compile(r"\s+(?P<file>/\S{1,300}\.go):(?P<line>\d+)(?: \+0x|$)")
RUST_PLACE = re.compile(r"\s+--> (?P<file>[^\s:]{1,300}):(?P<line>\d+)")
RUST_PANIC = re.compile(r"panicked at (?:.*, )?(?P<file>[^\s:',]{1,300}):(?P<line>\d+):\d+:?$")
PLACE_AFTER = (JAVA_FRAME, NODE_FRAME, GO_FRAME, RUST_PLACE)
FOREIGN = re.compile(
    r"site-packages|dist-packages|node_modules|/lib/python|<frozen|node:|/usr/local/go/|\.cargo/registry|/rustc/|^(?:Method|Thread|ThreadPoolExecutor|NativeMethodAccessorImpl)\.java"
)


def exception_lines(text: OutputText, most: int) -> Iterator[tuple[Line, str]]:
    """The last lines of Python's tracebacks, the last traceback first, each with the place of its own code's frame."""
    place = len(text.text)
    for _ in range(most):
        place = text.text.rfind(PYTHON_OPENING, 0, place)
        if place < 0:
            return
        if (found := _end_of_traceback(text, text.line_at(place))) is not None:
            yield found


def _end_of_traceback(text: OutputText, opening: Line) -> tuple[Line, str] | None:
    """The first line after the frames that stands as far left as the opening does."""
    own, any_place = "", ""
    margin = opening.text.find(PYTHON_OPENING)
    # What a log prints before it is not repeated before the frames; the bars of groups are.
    margin = 0 if opening.text[:margin].strip(" |") else margin
    for line in text.lines_after(opening, MOST_FRAMES):
        content = line.text[margin:]
        if found := PYTHON_FRAME.match(content):
            any_place = f"{found['file']}:{found['line']}"
            own = own if FOREIGN.search(found["file"]) else any_place
        elif (
            content
            and not content[0].isspace()
            and not content.startswith(("[", "Traceback ", "+-", "|"))
        ):
            return Line(line.start + margin, content), own or any_place
    return None


def place_of(text: OutputText, line: Line) -> str:
    """The place that stands near an exception's line: in it, in the frames after it, or before it as pytest has it."""
    if found := RUST_PANIC.search(line.text):
        return f"{found['file']}:{found['line']}"
    any_place = ""
    for following in text.lines_after(line, 12):
        for pattern in PLACE_AFTER:
            if found := pattern.match(following.text):
                any_place = any_place or f"{found['file']}:{found['line']}"
                if not FOREIGN.search(found["file"]):
                    return f"{found['file']}:{found['line']}"
                break
        else:
            if (found := PYTEST_PLACE.match(following.text)) and line.text.startswith("E "):
                return f"{found['file']}:{found['line']}"
            if (
                following.text
                and not following.text.startswith((" ", "\t", "goroutine", "E ", "["))
                and "(" not in following.text
            ):
                break
    return any_place
