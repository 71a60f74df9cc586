"""Escape sequences of terminals: colours, titles, links, cursor moves."""

import re

# Characters that follow an escape: of CSI, of strings (OSC, DCS, SOS, PM, APC), of character sets, and of two
# characters. Bounded, so that text full of openings without ends stays linear.
AFTER_ESCAPE = (
    r"\[[0-?]{0,64}[ -/]{0,4}[@-~]|[\]PX^_][^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)"
    r"|[ ()*+#%-/][0-9A-Za-z]|[0-9:-?@A-Z\\^_`a-z{|}~]"
)
_SEQUENCE = re.compile(
    rf"\x1b(?:{AFTER_ESCAPE})?|\x9b[0-?]{{0,64}}[ -/]{{0,4}}[@-~]"
    r"|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)|[\x80-\x84\x86-\x9f]"
)
_C1 = re.compile("[\x80-\x84\x86-\x9f]")
# In UTF-8 they begin with this byte, and so do few others. It is found several times as fast as they are.
_BEGINNING_OF_C1 = b"\xc2"


def has_terminal_sequences(text: str) -> bool:
    """Whether a terminal would take a part of the text for a command."""
    if "\x1b" in text:
        return True
    if text.isascii() or _BEGINNING_OF_C1 not in text.encode("utf-8", "surrogatepass"):
        return False
    return _C1.search(text) is not None


def without_terminal_sequences(text: str) -> str:
    """The text as a terminal shows it, without colours: `FAILED` of `\\x1b[31mFAILED\\x1b[0m`."""
    return _SEQUENCE.sub("", text) if has_terminal_sequences(text) else text
