"""`camillo hook`: one event of a client. Whatever goes wrong, the client goes on: exit code 0, and one line on standard
error."""

import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence

from camillo_cli.hooks.clients import CLIENTS, EVENTS, INJECTING
from camillo_cli.hooks.endpoint import HookError, endpoint_of
from camillo_cli.hooks.figures import ANSWERED, EMPTY, FAILED, MISSED, UNRECORDED, count
from camillo_cli.hooks.http_call import ServerAway
from camillo_cli.hooks.payload import HookPayload, read_payload

# However a call hangs: a person waits for the first, and nobody for the second.
INJECTION_SECONDS = 2.0
CAPTURE_SECONDS = 120.0
MAX_INPUT_BYTES = 64 * 1024 * 1024
USAGE = (
    f"usage: camillo hook {'|'.join(EVENTS)} --client {'|'.join(CLIENTS)} [--agent NAME] [--space auto] [--wait], "
    "or camillo hook status [--json]"
)
STATUS = "status"


class HookArguments:
    """The command line. `is_awaited`: record before the command ends, and not behind it."""

    __slots__ = ("agent", "client", "event", "is_awaited", "space")

    def __init__(self, event: str, client: str, agent: str, space: str, *, is_awaited: bool) -> None:
        self.event = event
        self.client = client
        self.agent = agent
        self.space = space
        self.is_awaited = is_awaited


def run(arguments: Sequence[str]) -> int:
    """Runs a hook. Returns 0."""
    try:
        if arguments[:1] == [STATUS]:
            from camillo_cli.hooks.status import show_status

            show_status(arguments[1:])
        else:
            _hook(parse(arguments), os.environ)
    except Exception as error:  # noqa: BLE001 (the outermost place; a hook must never stop its client)
        report(error)
    return 0


def report(error: Exception) -> None:
    """Prints the one line of a failure."""
    known = isinstance(error, (HookError, OSError))
    text = str(error) if known else f"this is a bug, please report it: {error!r}"
    _say(" ".join(text.split()))


def parse(arguments: Sequence[str]) -> HookArguments:
    """The arguments of the command. Raises HookError."""
    options = {"--client": "", "--agent": "", "--space": ""}
    events: list[str] = []
    is_awaited = False
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, separator, value = word.partition("=")
        if word == "--wait":
            is_awaited = True
        elif name in options and (separator or rest):
            options[name] = value if separator else rest.pop(0)
        else:
            events.append(word)
    if len(events) != 1 or events[0] not in EVENTS or options["--client"] not in CLIENTS:
        raise HookError(USAGE)
    named = (options["--client"], options["--agent"], options["--space"])
    return HookArguments(events[0], *named, is_awaited=is_awaited)


def _hook(arguments: HookArguments, environ: Mapping[str, str]) -> None:
    is_injecting = arguments.event in INJECTING
    missed = MISSED if is_injecting else UNRECORDED
    _limit(INJECTION_SECONDS, environ, arguments.client, missed)
    payload = read_payload(sys.stdin.buffer.read(MAX_INPUT_BYTES))
    if is_injecting:
        _inject(arguments, payload, environ)
    elif arguments.is_awaited:
        _limit(CAPTURE_SECONDS, environ, arguments.client, missed)
        _capture(arguments, payload, environ)
    else:
        _detached(arguments, payload, environ)


def _inject(arguments: HookArguments, payload: HookPayload, environ: Mapping[str, str]) -> None:
    from camillo_cli.hooks.injection import deadline_seconds, injected

    client = arguments.client
    # A deadline of the person's own may be longer.
    _limit(max(INJECTION_SECONDS, deadline_seconds(environ) + 1), environ, client, MISSED)
    try:
        endpoint = endpoint_of(environ, payload.directory, arguments.agent, arguments.space)
        output = injected(client, arguments.event, payload, endpoint, environ)
    except (HookError, OSError) as error:
        count(environ, client, MISSED if isinstance(error, ServerAway) else FAILED)
        raise
    if output is not None:
        sys.stdout.write(json.dumps(output) + "\n")
        sys.stdout.flush()
    count(environ, client, EMPTY if output is None else ANSWERED)


def _detached(arguments: HookArguments, payload: HookPayload, environ: Mapping[str, str]) -> None:
    """Records in a process that outlives this one: clients end the hooks of a session that ends, and wait for
    others."""
    from camillo_cli.hooks.sessions import SessionFiles
    from camillo_cli.hooks.status import nothing_recorded

    sessions = SessionFiles(environ)
    if failure := sessions.take_failure():
        _say(f"an earlier recording failed, what it left is recorded now: {failure}")
    if line := nothing_recorded(environ, arguments.client):
        _say(line)
    if os.fork():
        return
    # The child. Nothing of it may reach the client, which waits for the end of these streams.
    code = 0
    try:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        _limit(CAPTURE_SECONDS, environ, arguments.client, UNRECORDED)
        _capture(arguments, payload, environ)
    except Exception as error:  # noqa: BLE001 (the outermost place of the child)
        sessions.keep_failure(" ".join(str(error).split())[:500])
        code = 1
    os._exit(code)


def _capture(arguments: HookArguments, payload: HookPayload, environ: Mapping[str, str]) -> None:
    from camillo_cli.hooks.capture import record_transcript

    endpoint = endpoint_of(environ, payload.directory, arguments.agent, arguments.space)
    with payload.transcript():
        for line in record_transcript(arguments.client, payload, endpoint, environ):
            _say(line)


def _limit(seconds: float, environ: Mapping[str, str], client: str, letter: str) -> None:
    """Ends this process after so many seconds, whatever it does, and counts that: a capture goes on where it was, at
    the next event."""

    def end(*_: object) -> None:
        os.write(2, f"camillo hook: not done after {seconds:g} s\n".encode())
        count(environ, client, letter)
        os._exit(0)

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _say(line: str) -> None:
    sys.stderr.write(f"camillo hook: {line}\n")
