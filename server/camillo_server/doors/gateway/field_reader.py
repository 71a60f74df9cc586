"""An object of JSON that a caller sent, whose fields are read by name and type: what nobody reads is refused."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from google.protobuf.struct_pb2 import Struct

from camillo_server.doors.gateway.json_bodies import fill
from camillo_server.kernel.errors import invalid_field

MAX_INTEGER = 2**31 - 1
MAX_NAME_CHARACTERS = 200
MAX_UNKNOWN = 5


class FieldReader:
    """The fields of one object. Each is read at most once; null is the same as not there."""

    def __init__(self, fields: Mapping[str, Any], path: str = "") -> None:
        """`path` is what stands before the names in errors, such as `content.`."""
        self._left = {name: value for name, value in fields.items() if value is not None}
        self._path = path

    def __contains__(self, name: str) -> bool:
        """Whether the field is there and was not read yet."""
        return name in self._left

    def text(self, name: str) -> str:
        """A text, empty where it is not there. Raises InvalidField."""
        return self._text(name, self._left.pop(name, ""))

    def required_text(self, name: str) -> str:
        """A text that has to be there. Raises InvalidField."""
        text = self.text(name)
        return text or self.fail(name, "is required")

    def texts(self, name: str) -> list[str]:
        """A list of texts. Raises InvalidField."""
        return [self._text(f"{name}[{at}]", each) for at, each in enumerate(self._list(name))]

    def integers(self, name: str) -> list[int]:
        """A list of whole numbers. Raises InvalidField."""
        return [self._integer(f"{name}[{at}]", each) for at, each in enumerate(self._list(name))]

    def integer(self, name: str, default: int) -> int:
        """A whole number from 0. Raises InvalidField."""
        return self._integer(name, self._left.pop(name, default))

    def flag(self, name: str) -> bool:
        """Whether the field is true. Raises InvalidField."""
        value = self._left.pop(name, False)
        return value if isinstance(value, bool) else self.fail(name, "must be true or false")

    def one_of(self, name: str, meanings: Mapping[str, int], default: str = "") -> int:
        """The value that the text stands for. The field is required if there is no default. Raises InvalidField."""
        text = self.text(name) or default or self.fail(name, "is required")
        return self._meaning(name, text, meanings)

    def some_of(self, name: str, meanings: Mapping[str, int]) -> list[int]:
        """The values that the texts of a list stand for. Raises InvalidField."""
        texts = enumerate(self.texts(name))
        return [self._meaning(f"{name}[{at}]", text, meanings) for at, text in texts]

    def object(self, name: str) -> dict[str, Any]:
        """An object that has to be there, as it was sent. Raises InvalidField."""
        value = self._left.pop(name, None)
        if value is None:
            self.fail(name, "is required")
        return value if isinstance(value, dict) else self.fail(name, "must be an object")

    def reader(self, name: str) -> "FieldReader":
        """The fields of an object that has to be there. Raises InvalidField."""
        return FieldReader(self.object(name), f"{self._path}{name}.")

    def done(self) -> None:
        """Raises InvalidField where fields are left that nobody has read."""
        names = [_shown(f"{self._path}{name}") for name in self._left]
        if names:
            raise invalid_field(", ".join(names[:MAX_UNKNOWN]), "is not known here")

    def fail(self, name: str, description: str) -> NoReturn:
        """Raises InvalidField for the field of this name."""
        raise invalid_field(f"{self._path}{name}", description)

    def _list(self, name: str) -> Sequence[Any]:
        value = self._left.pop(name, [])
        return value if isinstance(value, list) else self.fail(name, "must be a list")

    def _text(self, name: str, value: Any) -> str:
        if not isinstance(value, str):
            self.fail(name, "must be a text")
        try:
            value.encode()
        except UnicodeEncodeError:
            self.fail(name, "has half of a character: a surrogate without its other one")
        return value

    def _integer(self, name: str, value: Any) -> int:
        # To Python, true is a number.
        if type(value) is not int or not 0 <= value <= MAX_INTEGER:
            self.fail(name, f"must be a whole number from 0 to {MAX_INTEGER}")
        return value

    def _meaning(self, name: str, text: str, meanings: Mapping[str, int]) -> int:
        if text not in meanings:
            self.fail(name, f"must be one of {', '.join(meanings)}")
        return meanings[text]


def reader_of(value: Any) -> FieldReader:
    """The fields of an object of JSON. Raises InvalidField."""
    if not isinstance(value, dict):
        raise invalid_field("body", "must be an object of JSON")
    return FieldReader(value)


def read_query(query: Sequence[tuple[str, str]], lists: frozenset[str] = frozenset()) -> FieldReader:
    """The fields of a query; `lists` names those that may be repeated. Raises InvalidField."""
    fields: dict[str, Any] = {}
    for name, value in query:
        if name in lists:
            fields.setdefault(name, []).append(value)
        elif name in fields:
            raise invalid_field(_shown(name), "must be given once")
        else:
            fields[name] = value
    return FieldReader(fields)


def struct_of(value: dict[str, Any], path: str) -> Struct:
    """An object as the contract stores it. Raises InvalidField."""
    struct = Struct()
    fill(path, value, struct)
    return struct


def _shown(name: str) -> str:
    """A caller's name as an error may have it: short, and of whole characters."""
    return name[:MAX_NAME_CHARACTERS].encode(errors="backslashreplace").decode()
