"""Characters: Unicode's normal forms, in time that grows with the length of a text alone; and whether bytes are
text."""

import codecs

import numpy as np

# Bytes that no text in windows-1252 has: those without a character, and controls other than white space, backspace
# and escape.
_NOT_IN_TEXT = bytes({0x81, 0x8D, 0x8F, 0x90, 0x9D, 0x7F} | (set(range(32)) - set(b"\t\n\v\f\r\b\x1b")))
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# The bytes at the beginning that are checked for such bytes even if they are UTF-8.
_OPENING_BYTES = 64 * 1024
_NEWLINE = ord(b"\n")
# For fewer bytes, numpy takes longer to begin than to count.
_FEW_BYTES = 4_096
# A character has up to three bytes after its first.
LONGEST_REST = 3
_REST = range(0x80, 0xC0)


class TextDetector:
    """Is told every part in its order."""

    def __init__(self) -> None:
        self._begin = b""
        self._fed = 0
        self._utf_8: codecs.IncrementalDecoder | None = codecs.getincrementaldecoder("utf-8")()
        self._open = b""
        self._has_characters_of_utf_8 = False
        self._has_nul = False
        self._has_no_text = False

    def feed(self, part: bytes) -> None:
        """The next bytes."""
        self._begin = (self._begin + part[:2])[:2]
        self._has_nul = self._has_nul or b"\0" in part
        self._look_at(part[: max(0, _OPENING_BYTES - self._fed)])
        self._fed += len(part)
        if self._utf_8 is None:
            self._look_at(part)
        elif self._open or not part.isascii():
            self._decode(self._utf_8, part)

    def encoding(self) -> str:
        """The encoding of all bytes so far: `utf-8`, `windows-1252`, `utf-16`, or empty if they are no text.

        UTF-8 whose last character is cut off is UTF-8, as outputs are cut anywhere; one such character alone is none.
        """
        if self._begin in _UTF_16_MARKS:
            return "utf-16"
        if self._has_nul:
            return ""
        if self._utf_8 is not None and (not self._open or self._has_characters_of_utf_8):
            return "utf-8"
        has_no_text = self._has_no_text or any(byte in self._open for byte in _NOT_IN_TEXT)
        return "" if has_no_text else "windows-1252"

    def _decode(self, utf_8: codecs.IncrementalDecoder, part: bytes) -> None:
        open_before = self._open
        try:
            decoded = utf_8.decode(part)
        except UnicodeDecodeError as error:
            self._utf_8, self._open = None, b""
            self._look_at((open_before + part)[error.start :])
            return
        self._has_characters_of_utf_8 = self._has_characters_of_utf_8 or not decoded.isascii()
        self._open = utf_8.getstate()[0]

    def _look_at(self, part: bytes) -> None:
        """Half a millisecond for each MiB."""
        if not self._has_no_text:
            self._has_no_text = any(byte in part for byte in _NOT_IN_TEXT)


def newline_count(data: bytes, begin: int = 0, end: int | None = None) -> int:
    """How many newlines there are from `begin` to `end`."""
    end = len(data) if end is None else end
    if end - begin < _FEW_BYTES:
        return data.count(b"\n", begin, end)
    # Before Python 3.13 bytes.count() takes several times as long.
    return int(np.count_nonzero(np.frombuffer(data, np.uint8, end - begin, begin) == _NEWLINE))


def after_newline(data: bytes, number: int) -> int:
    """The index in `data` of the byte behind the newline of this number, from 1; the length if there are fewer."""
    low, high = 0, len(data)
    # Counting is many times as fast as finding one after the other.
    while high - low > 512:
        middle = (low + high) // 2
        count = data.count(b"\n", low, middle)
        if count >= number:
            high = middle
        else:
            number -= count
            low = middle
    for _ in range(number):
        found = data.find(b"\n", low)
        if found < 0:
            return len(data)
        low = found + 1
    return low


def rest_of_character(data: bytes) -> int:
    """How many bytes at the beginning belong to a character that began before them."""
    count = 0
    while count < min(len(data), LONGEST_REST) and data[count] in _REST:
        count += 1
    return count


def begun_character(data: bytes) -> int:
    """The number of bytes at the end that begin an incomplete character; 0 if there is none, or the data is no
    UTF-8."""
    for back in range(1, min(len(data), LONGEST_REST) + 1):
        byte = data[-back]
        if byte not in _REST:
            return back if _length(byte) > back else 0
    return 0


def _length(first: int) -> int:
    """How many bytes a character has that begins with this one."""
    if first < 0xC2:
        return 1
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4 if first < 0xF5 else 1
