"""The lines of a section, as context of those that match."""

from camillo_server.domain.line_search import Line
from camillo_server.line_search.cutting import RawLine, head
from camillo_server.line_search.sections import Section

_MOST_KEPT = 512


class SectionLines:
    """Makes each line once, as matches that are close to each other share their context."""

    def __init__(self, section: Section, max_line_bytes: int) -> None:
        self.section = section
        self._max_line_bytes = max_line_bytes
        self._made: dict[int, tuple[Line, int]] = {}

    def raw(self, number: int, begin: int) -> tuple[RawLine, int]:
        """The line that begins there, and where the next one does."""
        data, offset = self.section.data, self.section.offset
        newline = data.find(b"\n", begin)
        end = newline if newline >= 0 else len(data)
        following = end + 1
        if newline > begin and data[newline - 1] == ord("\r"):
            end -= 1
        return RawLine(number, offset + begin, data, offset, begin, end), following

    def before(self, number: int, begin: int, count: int) -> list[Line]:
        """Up to so many lines before the one of this number that begins there, in order."""
        lines: list[Line] = []
        data = self.section.data
        while begin and len(lines) < count:
            begin = data.rfind(b"\n", 0, begin - 1) + 1
            number -= 1
            lines.append(self._line(number, begin)[0])
        return lines[::-1]

    def following(self, number: int, begin: int, count: int) -> list[Line]:
        """Up to so many lines from the one of this number that begins there."""
        lines: list[Line] = []
        while begin < len(self.section.data) and len(lines) < count:
            line, begin = self._line(number, begin)
            number += 1
            lines.append(line)
        return lines

    def _line(self, number: int, begin: int) -> tuple[Line, int]:
        made = self._made.get(begin)
        if made is None:
            raw, following = self.raw(number, begin)
            made = head(raw, self._max_line_bytes), following
            if len(self._made) == _MOST_KEPT:
                self._made.clear()
            self._made[begin] = made
        return made
