"""YAML into plain data, within limits; and the recipes that come with the server."""

from collections.abc import Iterator, Mapping
from importlib.resources import files

import yaml

from camillo_server.domain.context.recipe import Recipe
from camillo_server.domain.context.recipe_parsing import parse_recipe
from camillo_server.domain.errors import InvalidField, invalid_field

MOST_CHARACTERS = 64 * 1024
MOST_DEPTH = 8
# No field is as long; a number of more digits can be read, and not be told.
MOST_SCALAR = 2_000

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> object:
    """Plain data. Raises InvalidField for what is no YAML, or is long, deep, ambiguous or refers to itself."""
    if len(text) > MOST_CHARACTERS:
        raise invalid_field("yaml", f"must have at most {MOST_CHARACTERS:,} characters")
    try:
        _check_events(yaml.parse(text, Loader=_Loader))
        node = yaml.compose(text, Loader=_Loader)
        if node is not None:
            _check_keys(node)
        return yaml.load(text, Loader=_Loader)  # noqa: S506 -- one of the safe loaders
    except yaml.YAMLError as error:
        raise _not_yaml(error) from error
    except (ValueError, OverflowError, UnicodeError) as error:
        # Numbers and dates that look like some and are none.
        raise invalid_field("yaml", "holds a number or a date that is none") from error


def built_in_recipes() -> Mapping[str, Recipe]:
    """Those of this package, by name."""
    recipes = {}
    for file in sorted(files(__package__).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".yaml"):
            text = file.read_text(encoding="utf-8")
            recipe = parse_recipe(load_yaml(text), text, is_built_in=True)
            recipes[recipe.name] = recipe
    return recipes


def _check_events(events: Iterator[yaml.Event]) -> None:
    """Aliases make a short text a long one; depth makes readers fail."""
    depth = 0
    for event in events:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise invalid_field("yaml", f"line {_line(event)}: anchors and aliases are not allowed")
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > MOST_SCALAR:
            raise invalid_field(
                "yaml", f"line {_line(event)}: longer than {MOST_SCALAR:,} characters"
            )
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MOST_DEPTH:
            raise invalid_field("yaml", f"line {_line(event)}: deeper than {MOST_DEPTH} levels")


def _check_keys(node: yaml.Node) -> None:
    """Of a key that comes twice, a reader would take the last one without a word."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen if isinstance(key, yaml.ScalarNode) else True:
                raise invalid_field(
                    "yaml", f"line {_line(key)}: a key that is none, or comes twice"
                )
            seen.add(key.value)
            _check_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _check_keys(value)


def _line(marked: yaml.Event | yaml.Node) -> int:
    """The number of the line in which it begins."""
    mark = marked.start_mark
    return mark.line + 1 if mark else 0


def _not_yaml(error: yaml.YAMLError) -> InvalidField:
    mark = getattr(error, "problem_mark", None)
    where = f"line {mark.line + 1}: " if mark is not None else ""
    return invalid_field("yaml", f"{where}is not YAML")
