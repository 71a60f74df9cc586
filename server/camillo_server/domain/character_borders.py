"""Bytes of UTF-8 cut where characters end."""

# A character has up to three bytes after its first.
LONGEST_REST = 3
_REST = range(0x80, 0xC0)


def rest_of_character(data: bytes) -> int:
    """How many bytes at the beginning belong to a character that began before them."""
    count = 0
    while count < min(len(data), LONGEST_REST) and data[count] in _REST:
        count += 1
    return count


def begun_character(data: bytes) -> int:
    """How many bytes at the end belong to a character that goes on behind them; 0 for what is no UTF-8."""
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
