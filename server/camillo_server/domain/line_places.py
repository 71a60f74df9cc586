"""Where lines begin in bytes."""

import numpy as np

_NEWLINE = ord(b"\n")


def newline_count(data: bytes) -> int:
    """How many newlines there are. Before Python 3.13 bytes.count() takes several times as long."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == _NEWLINE))


def after_newline(data: bytes, number: int) -> int:
    """Where in `data` the byte behind its newline of this number, from 1, is; its length where there are fewer."""
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
