"""What stands before the model in place of an output."""

from camillo_server.domain.summary import Preview
from camillo_server.domain.tokens import count_tokens

# Longer texts are counted in samples: a count of all of it would take longer than storing it.
COUNTED_CHARACTERS = 32 * 1024
SAMPLES = 16
SAMPLE_CHARACTERS = 2 * 1024


def offloaded_text(memory_ref: str, summary: str, preview: Preview) -> str:
    """The ref, the summary, the first and the last lines."""
    lines = [memory_ref, summary]
    if preview.head:
        lines += ["--- head", preview.head]
    if preview.tail:
        lines += ["--- tail", preview.tail]
    return "\n".join(line for line in lines if line)


def estimated_tokens(text: str) -> int:
    """Tokens of a text; of a long one, as many as its parts would have if all were like samples spread over it."""
    if len(text) <= COUNTED_CHARACTERS:
        return count_tokens(text)
    step = (len(text) - SAMPLE_CHARACTERS) // (SAMPLES - 1)
    counted = sum(
        count_tokens(text[at : at + SAMPLE_CHARACTERS]) for at in range(0, SAMPLES * step, step)
    )
    return -(-counted * len(text) // (SAMPLES * SAMPLE_CHARACTERS))
