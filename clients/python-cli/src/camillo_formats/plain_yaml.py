"""YAML of callers as plain data: bounded before it is read, and refused where readers may take it for two things."""

from collections.abc import Iterator

import yaml

MAX_CHARACTERS = 64 * 1024
MAX_DEPTH = 8
# No field is as long; a number of more digits can be read, but not be written.
MAX_SCALAR = 2_000
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class FieldRefused(Exception):
    """A field that breaks a limit, and how."""

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description


def load_yaml(
    text: str, field: str = "yaml", *, max_characters: int = MAX_CHARACTERS, max_scalar: int = MAX_SCALAR
) -> object:
    """The text as plain data. Raises FieldRefused if it is no YAML, or is long, deep, ambiguous or refers to itself."""
    if len(text) > max_characters:
        raise FieldRefused(field, f"must have at most {max_characters:,} characters")
    try:
        _check_events(yaml.parse(text, Loader=_Loader), field, max_scalar)
        node = yaml.compose(text, Loader=_Loader)
        if node is not None:
            _check_keys(node, field)
        return yaml.load(text, Loader=_Loader)  # noqa: S506 -- one of the safe loaders
    except yaml.YAMLError as error:
        raise _not_yaml(error, field) from error
    except (ValueError, OverflowError, UnicodeError) as error:
        # Numbers and dates that look like some and are none.
        raise FieldRefused(field, "holds a number or a date that is none") from error


def _check_events(events: Iterator[yaml.Event], field: str, max_scalar: int) -> None:
    """Aliases make a short text a long one; depth makes readers fail."""
    depth = 0
    for event in events:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise FieldRefused(field, f"line {_line(event)}: anchors and aliases are not allowed")
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > max_scalar:
            raise FieldRefused(field, f"line {_line(event)}: longer than {max_scalar:,} characters")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise FieldRefused(field, f"line {_line(event)}: deeper than {MAX_DEPTH} levels")


def _check_keys(node: yaml.Node, field: str) -> None:
    """Refuses repeated keys, of which a YAML reader would silently take the last one, and keys that are no scalars."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen if isinstance(key, yaml.ScalarNode) else True:
                raise FieldRefused(field, f"line {_line(key)}: a key that is none, or comes twice")
            seen.add(key.value)
            _check_keys(value, field)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _check_keys(value, field)


def _line(marked: yaml.Event | yaml.Node) -> int:
    """The number of the line in which it begins."""
    mark = marked.start_mark
    return mark.line + 1 if mark else 0


def _not_yaml(error: yaml.YAMLError, field: str) -> FieldRefused:
    mark = getattr(error, "problem_mark", None)
    where = f"line {mark.line + 1}: " if mark is not None else ""
    return FieldRefused(field, f"{where}is not YAML")
