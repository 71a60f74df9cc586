"""The summary of an output: what it is, in one line and in some."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from camillo_server.outputs.summary.findings import Findings, findings
from camillo_server.outputs.summary.log import failure_lines, log_lines, outcome, ran
from camillo_server.outputs.summary.recognize import recognized
from camillo_server.outputs.summary.sample import ContentKind, Recognized, Sample
from camillo_server.outputs.summary.shorten import counted, one_line, shortened
from camillo_server.outputs.summary.text import OutputText, output_text

BINARY_MEDIA = re.compile(
    r"(?:image/(?!svg)|video/|audio/|font/)|application/(?:pdf|zip|gzip|x-tar|x-bzip2|x-7z|vnd\.|x-executable|x-sharedlib|wasm|msword)"
)
BINARY_NAMES = re.compile(
    r"(?i)\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|zst|7z|tar|jar|class|so|dll|exe|o|a|pyc|whl|woff2?|ttf|mp[34]|wav|avi|mov|sqlite3?|db|parquet|npy|npz|pkl|pt|onnx)$"
)
UNDECODED = re.compile(r"[\x00-\x06\x0e-\x1a\x1c-\x1f\ufffd]")
MAX_TEXT, MAX_DESCRIPTION = 1_500, 120
MAX_NAME = 40


def is_binary(sample: Sample) -> bool:
    """By its media type, its name, or the share of characters that no text has."""
    start = sample.head[:4_096]
    strange = len(UNDECODED.findall(start))
    if strange > 0.1 * len(start) or start.count("\x00") > 2:
        return True
    named = BINARY_MEDIA.match(sample.media_type) or BINARY_NAMES.search(sample.name)
    return (bool(named) and strange > 0) or (bool(named) and not sample.head)


def binary(sample: Sample) -> Recognized:
    """Nothing but its type and size is known."""
    kind = sample.media_type or (
        f"of type {sample.name.rpartition('.')[2]}" if "." in sample.name else ""
    )
    ending = f"binary content{', ' + kind if kind else ''}, {counted(sample.size, 'byte')}"
    return Recognized(ContentKind.BINARY, ending, (ending,))


@dataclass(frozen=True, slots=True)
class Summary:
    """`text` has at most 1,500 characters; `description` is one line of at most 120."""

    kind: ContentKind
    text: str
    description: str


def content_kind(sample: Sample) -> ContentKind:
    """The kind of an output; UNSPECIFIED where it is empty."""
    if not sample.size:
        return ContentKind.UNSPECIFIED
    return ContentKind.BINARY if is_binary(sample) else recognized(sample, output_text(sample)).kind


def summarize(sample: Sample) -> Summary:
    """Failures, outcome and contents; deterministic for the same output."""
    if not sample.size:
        return _empty(sample)
    if is_binary(sample):
        form, text, found = binary(sample), None, Findings()
    else:
        text = output_text(sample)
        form = recognized(sample, text)
        failed = sample.exit_code not in (None, 0)
        found = (
            findings(text, form.contents, sample.exit_code == 0)
            if form.holds_messages or failed
            else Findings()
        )
    ending = "\n".join(_lines(sample, form, text, found))
    return Summary(form.kind, shortened(ending, MAX_TEXT), _description(sample, form, found))


def _empty(sample: Sample) -> Summary:
    failed = f", failed with exit code {sample.exit_code}" if sample.exit_code else ""
    ending = f"{_name(sample)}no output{failed}"
    return Summary(ContentKind.UNSPECIFIED, ending, ending)


def _lines(
    sample: Sample, form: Recognized, text: OutputText | None, found: Findings
) -> Iterator[str]:
    facts = [f"exit code {sample.exit_code}"] if sample.exit_code is not None else []
    if form.kind is not ContentKind.BINARY:
        facts.append(f"{counted(sample.line_count, 'line')}, {counted(sample.size, 'byte')}")
    if facts:
        yield f"{_name(sample)}{', '.join(facts)}"
    if text is not None and form.kind is ContentKind.LOG and not form.lines:
        yield from log_lines(sample, text, found)
    else:
        if text is not None and (found.is_failure or sample.exit_code not in (None, 0)):
            yield from failure_lines(text, found)
        yield from form.lines


def _description(sample: Sample, form: Recognized, found: Findings) -> str:
    name = _name(sample)
    ended = outcome(sample, found, MAX_DESCRIPTION - len(name))
    tells = form.kind is ContentKind.LOG or found.is_failure or sample.exit_code not in (None, 0)
    ending = ended if ended and tells else form.headline
    return shortened(one_line(name + ending), MAX_DESCRIPTION)


def _name(sample: Sample) -> str:
    name = one_line(ran(sample) or sample.name.rpartition("/")[2])
    return f"{shortened(name, MAX_NAME)}, " if name else ""
