"""Errors as compilers, linters, package managers, servers and shells write them on one line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from camillo_server.lib.outputs.summary.sample import Line, OutputText
from camillo_server.lib.text.pattern_scan import FittingRules, LineRules

PATH = r"(?P<where>(?:[A-Za-z]:)?[^\s:()\[\]'\"<>|,]{1,200}"
# A message that says no more than its level is followed by others that do.
EMPTY = re.compile(r"(?:Failures|Errors|ERRORS)?[\W\d]*$")
HARMLESS = re.compile(
    r"(?i)\b(?:0|no|without|zero)(?: \w{1,12})? "
    r"(?:errors?|failures?|failed|problems)\b|\b(?:errors?|failures?|failed)[=:] ?(?:0|\[\]|null|none|false)\b"
    r"|errors? handl|error rate|\.\.\. ok$|PASSED|^\s*(?:✓|✔|√|ok \d)|^-- (?:Looking|Performing|Detecting)"
)
NO_ERRORS = (
    "warn", "npm warn", "[warn", "w: ", "note:", "deprecat", "____", "====", "----", "!!!!",
)  # fmt: skip
MAX_FRAMES = 120
PYTHON_OPENING = "Traceback (most recent call last)"
PYTHON_FRAME = re.compile(r"\s*(?:\|\s*)?File \"(?P<file>[^\"]{1,300})\", line (?P<line>\d+)")
PYTEST_LOCATION = re.compile(r"(?P<file>[^\s:]{1,200}\.py):(?P<line>\d+): (?:in |\w+(?:Error|Exception)?$)")
JAVA_FRAME = re.compile(r"\s+at [\w.$<>/@ ]{1,300}\((?P<file>[\w$]{1,100}\.\w{1,8}):(?P<line>\d+)\)")
NODE_FRAME = re.compile(
    r"\s+at (?:.{0,200}\()?(?:file://)?(?P<file>(?:[A-Za-z]:)?[^():\s]{1,300}):(?P<line>\d+):\d+\)?$"
)
GO_FRAME = re.compile(r"\s+(?P<file>/\S{1,300}\.go):(?P<line>\d+)(?: \+0x|$)")
RUST_LOCATION = re.compile(r"\s+--> (?P<file>[^\s:]{1,300}):(?P<line>\d+)")
RUST_PANIC = re.compile(r"panicked at (?:.*, )?(?P<file>[^\s:',]{1,300}):(?P<line>\d+):\d+:?$")
FRAMES = (JAVA_FRAME, NODE_FRAME, GO_FRAME, RUST_LOCATION)
# Files of languages and libraries: the fault is seldom there.
FOREIGN = re.compile(
    r"site-packages|dist-packages|node_modules|/lib/python|<frozen|node:|/usr/local/go/|\.cargo/registry|/rustc/|^(?:Method|Thread|ThreadPoolExecutor|NativeMethodAccessorImpl)\.java"
)


class Weight(IntEnum):
    """The order in which errors are listed."""

    EXCEPTION = 0
    LOCATED = 1
    MESSAGE = 2
    LOGGED = 3
    HINT = 4


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """A message, and its location: `src/a.c:12:5`, or empty where the line has none."""

    message: str
    where: str
    weight: Weight


# Each with words of which a line, in lower case, must have one; the first that matches decides.
RULES = LineRules(
    (words.split("|"), (re.compile(pattern), weight))
    for words, pattern, weight in (
        # gcc, clang, javac, mypy, swift, tsc --pretty and others; then tsc and MSBuild; then Maven
        ("error", PATH + r":\d+(?::\d+)?):?\s+(?:- )?(?P<what>(?:fatal |internal compiler |syntax "
                         r")?[Ee]rror\b.*)", Weight.LOCATED),
        ("error", r"\s*" + PATH + r"\(\d+(?:,\d+){0,3}\))\s?: (?P<what>(?:fatal )?error .*)", Weight.LOCATED),
        (": ", PATH + r":\d+:\d+): (?P<what>[A-Z]{1,5}\d{2,5}:? .*)", Weight.LOCATED),
        ("[error]", r"\[ERROR\] " + PATH + r":\[\d+,\d+\]) (?P<what>.*)", Weight.LOCATED),
        (".go:", PATH + r"\.go:\d+(?::\d+)?):? (?P<what>[a-z\"].*)", Weight.LOCATED),
        (".kt:", r"e: (?:file://)?" + PATH + r"\.kts?:\d+(?::\d+)?):? (?P<what>.*)", Weight.LOCATED),
        (" reference ", r".{0,200}?" + PATH + r"\.\w{1,4}:(?:\(\.\w+\+\w+\)|\d+)): (?P<what>undefined reference to "
                                              r".*)", Weight.LOCATED),
        ("error", PATH + r" line \d+): (?P<what>.*[Ee]rror.*)", Weight.LOCATED),
        # exceptions with a type
        ("error|undefined|syntax", r"(?P<what>[A-Z]{1,3}\d{3,4}:? [A-Za-z`'].*)", Weight.MESSAGE),
        ("error|exception", r"\s{0,40}(?:E {1,7}|Caused by: |Exception in thread \"[^\"]*\" |Uncaught (?:Exception:? "
                            r")?|\[?Unhandled \w+:? |(?:PHP )?Fatal error: +(?:Uncaught "
                            r")?)?(?P<what>(?:[A-Za-z_$][\w$]{0,80}(?:\.|::|\\)){0,12}[A-Z][\w$]{0,80}(?:Error|Exception|Interrupt|Exit|Timeout|Failure)(?: \[\w+\])?(?:: .*|:?$))", Weight.EXCEPTION),  # noqa: E501
        ("e   ", r"E {3}(?P<what>[A-Za-z_][\w.]{0,200}(?:: \S.*|$))", Weight.EXCEPTION),
        ("e   ", r"E {3}(?P<what>assert .*)", Weight.LOCATED),
        ("caused by: ", r"Caused by: (?P<what>\S.*)", Weight.EXCEPTION),
        ("exception in thread", r"Exception in thread \"[^\"]{0,100}\" (?P<what>.*)", Weight.EXCEPTION),
        ("panic: ", r"(?P<what>panic: .*)", Weight.EXCEPTION),
        ("panicked at", r"(?P<what>thread '[^']{0,200}' (?:\(\d+\) )?panicked at .*)", Weight.EXCEPTION),
        ("fatal error:", r"(?P<what>fatal error: .*)", Weight.EXCEPTION),
        ("error[e", r"(?P<what>error\[E\d+\]: .*)", Weight.LOCATED),
        # programs that begin with their own word
        ("npm", r"npm (?:ERR!|error) (?P<what>code \S+)$", Weight.LOGGED),
        ("npm", r"npm (?:ERR!|error) (?!A complete log|Log files|While resolving|Found:|node_modules/|\S*$|path "
                r"|errno |syscall |dest )(?P<what>\S.*)", Weight.MESSAGE),
        ("npm", r"npm (?:ERR!|error)(?P<what>)", Weight.HINT),
        ("***", r"(?P<what>(?:g?make|mingw32-make|ninja)(?:\[\d+\])?: \*\*\* .*)", Weight.MESSAGE),
        ("curl: (", r"(?P<what>curl: \(\d+\) .*)", Weight.MESSAGE),
        ("http/", r"[<* ]{0,3}(?P<what>HTTP/[\d.]{1,3} [45]\d\d\b.*)", Weight.MESSAGE),
        ("conflict", r"(?P<what>CONFLICT \(.*)", Weight.MESSAGE),
        ("error", r"(?P<what>[Ee]rror: (?!test failed|could not compile|aborting due).*)", Weight.MESSAGE),
        ("error", r"(?P<what>ERROR: .*)", Weight.MESSAGE),
        ("e: ", r"(?P<what>E: .*)", Weight.MESSAGE),
        ("fatal", r"(?P<what>(?:fatal|FATAL|Fatal)(?: error)?: .*)", Weight.MESSAGE),
        ("error|fatal|critical|severe|panic|emerg|crit", r"[^a-z\"]{0,80}?.{0,60}?\b(?P<level>ERROR|FATAL|CRITICAL|SEVERE|PANIC|EMERG)\b[\]:|>\s-]{0,10}(?P<what>.*)", Weight.LOGGED),  # noqa: E501
        ("\"level\"", r".*\"level\": ?\"(?:error|fatal|critical|ERROR|FATAL|CRITICAL)\"(?P<what>.*)", Weight.LOGGED),
        ("level=", r".*\blevel=(?:error|fatal|panic|critical) (?P<what>.*)", Weight.LOGGED),
        ("error", r"(?P<what>[\w./-]{1,80}(?:\[\d+\])?: (?:[\w ]{0,40} )?[Ee]rror:? .*)", Weight.MESSAGE),
        # the shell and the system
        ("not found|no such file|permission denied|not permitted|unrecognized|invalid option|cannot |can't "
         "open", r"(?P<what>[^\s:]{1,100}: .{0,300}?(?:not found|No such file or directory|[Pp]ermission "
                 r"denied|Operation not permitted|unrecognized option.*|invalid option.*|cannot .*|Can't open "
                 r".*)\.?)$", Weight.MESSAGE),
        ("segmentation fault|core dumped|out of memory|killed|aborted|bus "
         "error", r"(?P<what>.{0,200}?\b(?:Segmentation fault|core dumped|[Oo]ut of memory|Killed|Aborted|Bus "
                  r"error)\b.*)", Weight.MESSAGE),
        ("timed out|timeout", r"(?P<what>.{0,200}?(?:\btimed out\b|TIMED OUT|\b[Tt]imeout "
                              r"(?:of|after|exceeded|expired|reached)\b).*)", Weight.MESSAGE),
        ("refused|could not|couldn't|unable to|failed "
         "to|cannot ", r"(?P<what>.{0,200}?(?:[Cc]onnection refused|\b(?:[Cc]ould not|[Cc]ouldn't|[Uu]nable "
                       r"to|[Ff]ailed to|[Cc]annot) .*).*)", Weight.HINT),
        (" ", r"(?P<what>[A-Z]{1,3}\d{3,4} (?:\[\*\] )?[A-Za-z`'].*)", Weight.HINT),
        ("error|fail", r"(?P<what>.{0,300}?(?<![/._\w-])(?:[A-Za-z]{0,60}Errors?|error|errors|ERRORS?|failed|FAILED|[Ff]ailure|FAILURE|FAIL)(?![\w/_=-]|\.\w).*)", Weight.HINT),  # noqa: E501
    )
)  # fmt: skip


def error_line(line: str, rules: FittingRules[tuple[re.Pattern[str], Weight]] = RULES) -> ErrorLine | None:
    """The error that a line tells."""
    low = line.lower()
    if low.startswith(NO_ERRORS):
        return None
    for pattern, weight in rules.fitting(low):
        if found := pattern.match(line):
            if weight >= Weight.LOGGED and HARMLESS.search(line):
                return None
            groups = found.groupdict()
            message = groups["what"].strip()
            if not message:
                return None
            if EMPTY.match(message):
                continue
            return ErrorLine(message, (groups.get("where") or "").strip(), weight)
    return None


def exception_lines(text: OutputText, most: int) -> Iterator[tuple[Line, str]]:
    """The last lines of Python's tracebacks, the last traceback first, each with the location of its own code's
    frame."""
    position = len(text.text)
    for _ in range(most):
        position = text.text.rfind(PYTHON_OPENING, 0, position)
        if position < 0:
            return
        if (found := _end_of_traceback(text, text.line_at(position))) is not None:
            yield found


def _end_of_traceback(text: OutputText, opening: Line) -> tuple[Line, str] | None:
    """The first line after the frames that stands as far left as the opening does."""
    own, last = "", ""
    margin = opening.text.find(PYTHON_OPENING)
    # A prefix that a log prints is not repeated before the frames; the bars of groups are.
    margin = 0 if opening.text[:margin].strip(" |") else margin
    for line in text.lines_after(opening, MAX_FRAMES):
        content = line.text[margin:]
        if found := PYTHON_FRAME.match(content):
            last = _location(found)
            own = own if FOREIGN.search(found["file"]) else last
        elif content and not content[0].isspace() and not content.startswith(("[", "Traceback ", "+-", "|")):
            return Line(line.start + margin, content), own or last
    return None


def location_of(text: OutputText, line: Line) -> str:
    """The location that stands near an exception's line: in it, in the frames after it, or before it as pytest has
    it."""
    if found := RUST_PANIC.search(line.text):
        return _location(found)
    first = ""
    for following in text.lines_after(line, 12):
        matches = (frame.match(following.text) for frame in FRAMES)
        if found := next(filter(None, matches), None):
            if not FOREIGN.search(found["file"]):
                return _location(found)
            first = first or _location(found)
        elif line.text.startswith("E ") and (found := PYTEST_LOCATION.match(following.text)):
            return _location(found)
        elif (
            following.text
            and not following.text.startswith((" ", "\t", "goroutine", "E ", "["))
            and "(" not in following.text
        ):
            break
    return first


def _location(found: re.Match[str]) -> str:
    return f"{found['file']}:{found['line']}"
