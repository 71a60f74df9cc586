"""The summary of an output: what it is, in one line and in some."""

from collections.abc import Iterator
from dataclasses import dataclass

from camillo_server.domain.content_kind import ContentKind
from camillo_server.domain.summary.binary_content import binary, is_binary
from camillo_server.domain.summary.findings import Findings, findings
from camillo_server.domain.summary.log_summary import failure_lines, log_lines, outcome, ran
from camillo_server.domain.summary.output_text import OutputText, output_text
from camillo_server.domain.summary.recognize import recognized
from camillo_server.domain.summary.recognized import Recognized
from camillo_server.domain.summary.sample import Sample
from camillo_server.domain.summary.shorten import counted, one_line, shortened

LONGEST_TEXT, LONGEST_DESCRIPTION = 1_500, 120
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Summary:
    """`text` has at most 1,500 characters; `description` is one line of at most 120."""

    kind: ContentKind
    text: str
    description: str


def content_kind(sample: Sample) -> ContentKind:
    """What an output holds; UNSPECIFIED where it is empty."""
    if not sample.size:
        return ContentKind.UNSPECIFIED
    return ContentKind.BINARY if is_binary(sample) else recognized(sample, output_text(sample)).kind


def summarize(sample: Sample) -> Summary:
    """What failed, how it ended and what it holds, always the same for the same output."""
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
    told = "\n".join(_lines(sample, form, text, found))
    return Summary(form.kind, shortened(told, LONGEST_TEXT), _description(sample, form, found))


def _empty(sample: Sample) -> Summary:
    failed = f", failed with exit code {sample.exit_code}" if sample.exit_code else ""
    told = f"{_name(sample)}no output{failed}"
    return Summary(ContentKind.UNSPECIFIED, told, told)


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
    ended = outcome(sample, found, LONGEST_DESCRIPTION - len(name))
    tells = form.kind is ContentKind.LOG or found.is_failure or sample.exit_code not in (None, 0)
    told = ended if ended and tells else form.headline
    return shortened(one_line(name + told), LONGEST_DESCRIPTION)


def _name(sample: Sample) -> str:
    name = one_line(ran(sample) or sample.name.rpartition("/")[2])
    return f"{shortened(name, LONGEST_NAME)}, " if name else ""
