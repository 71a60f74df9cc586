"""Where settings come from: each source as dotted paths with values, problems collected instead of raised."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

_PREFIX = "CAMILLO_"
_NOT_YET = "this version does not have this setting yet; leave it out"
_IN_THE_RECIPE = "is part of a recipe; give the tenant a run_snapshot of its own"
# Names that others know these settings by, told apart from typing errors, and what to do instead.
NAMED_OTHERWISE = {
    "memory.vector_backend": _NOT_YET,
    "memory.qdrant": _NOT_YET,
    "memory.stm_max_tokens": "is max_tokens of StartRun",
    "memory.snapshot_max_tokens": "is snapshot_max_tokens of StartRun",
    "memory.snapshot_semantic_limit": _IN_THE_RECIPE,
    "memory.snapshot_recent_hours": _IN_THE_RECIPE,
    "memory.snapshot_recent_limit": _IN_THE_RECIPE,
    "memory.max_entries": "is called lifecycle.memory_quota",
    "memory.retention_days": "is called lifecycle.retention_days",
    "memory.compaction_threshold": "is called compaction.tag_threshold",
}
# Read by clients, by tests and before the settings, not part of the tree.
_OTHER_VARIABLES = frozenset({"CAMILLO_KEY", "CAMILLO_ADDRESS", "CAMILLO_AGENT", "CAMILLO_CONFIG"})
# Kubernetes puts these into every pod of a namespace that has a Service named camillo or camillo-something.
_KUBERNETES_NAME = re.compile(
    r"_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$"
)
_KUBERNETES_LINK = re.compile(r"(tcp|udp|sctp)://")


class SettingsError(Exception):
    """Settings that cannot be used: one line for each problem, `path: what is wrong`."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Names:
    """Every path that may be set, and what to do about others that somebody may expect."""

    known: frozenset[str]
    otherwise: Mapping[str, str]

    def sections(self) -> frozenset[str]:
        return frozenset(prefix for path in self.known for prefix in _prefixes(path))


@dataclass(frozen=True, slots=True)
class Given:
    """What the sources say: values by path, the origin of each worth naming, and what they say wrongly."""

    values: dict[str, object] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def set(self, path: str, value: object, origin: str) -> None:
        self.values[path] = value
        self.origins[path] = origin

    @classmethod
    def merged(cls, sources: Iterable["Given"]) -> "Given":
        """Later sources win."""
        merged = cls()
        for source in sources:
            merged.values.update(source.values)
            merged.origins.update(source.origins)
            merged.problems.extend(source.problems)
        return merged


def from_yaml(path: Path, names: Names) -> Given:
    """The settings of a YAML file; an empty section is as good as none."""
    given = Given()
    try:
        content: object = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8 text"
        given.problems.append(f"{path}: cannot be read: {reason}")
    except yaml.YAMLError as error:
        given.problems.append(f"{path}: is not YAML{_position(error)}")
    else:
        if isinstance(content, dict):
            _walk(content, "", names, given, path.name)
        elif content is not None:
            given.problems.append(f"{path}: must be a mapping of sections")
    return given


def from_environment(environ: Mapping[str, str], names: Names) -> Given:
    """`CAMILLO_SERVER_PORT` sets `server.port`; a variable that is set to nothing is not set."""
    paths = {environment_name(path): path for path in names.known}
    otherwise = {environment_name(path): told for path, told in names.otherwise.items()}
    given = Given()
    for variable, value in sorted(environ.items()):
        if not value or not _is_ours(variable, value):
            continue
        if variable in paths:
            given.set(paths[variable], value, variable)
        elif variable in otherwise:
            given.problems.append(f"{variable}: {otherwise[variable]}")
        else:
            given.problems.append(f"{variable}: is not a setting{_nearest(variable, paths)}")
    return given


def from_overrides(overrides: Mapping[str, object], names: Names) -> Given:
    """Values of flags, by dotted path; None is a flag that was not given."""
    given = Given()
    for path, value in overrides.items():
        if value is None:
            continue
        if path in names.known:
            given.set(path, value, "command line")
        else:
            given.problems.append(_unknown(path, names))
    return given


def environment_name(path: str) -> str:
    """The variable that sets a path."""
    return _PREFIX + path.replace(".", "_").upper()


def nested(values: Mapping[str, object]) -> dict[str, object]:
    """`{"server.port": 1}` as `{"server": {"port": 1}}`."""
    tree: dict[str, Any] = {}
    for path, value in values.items():
        *sections, name = path.split(".")
        place = tree
        for section in sections:
            place = place.setdefault(section, {})
        place[name] = value
    return tree


def validation_problems(
    error: ValidationError, given: Given, secret: AbstractSet[str]
) -> Iterator[str]:
    """One line for each setting that breaks a rule, with its value unless that is secret."""
    for detail in error.errors(include_url=False, include_context=False):
        path = ".".join(str(part) for part in detail["loc"])
        message = _in_our_words(detail["msg"])
        if path in given.origins:
            value = "" if path in secret else f"got {str(given.values[path])[:60]!r} "
            message += f" ({value}from {given.origins[path]})"
        yield f"{path}: {message}" if path else message


def _in_our_words(message: str) -> str:
    message = message.removeprefix("Value error, ").replace("Input should", "must", 1)
    return message.replace("Path does not point to a file", "must be an existing file")


def _walk(
    mapping: Mapping[object, object], prefix: str, names: Names, given: Given, origin: str
) -> None:
    sections = names.sections()
    for key, value in mapping.items():
        path = f"{prefix}{key}"
        if path in names.known:
            given.set(path, value, origin)
        elif path not in sections:
            given.problems.append(_unknown(path, names))
        elif isinstance(value, dict):
            _walk(value, f"{path}.", names, given, origin)
        elif value is not None:
            given.problems.append(f"{path}: must be a mapping")


def _unknown(path: str, names: Names) -> str:
    if path in names.otherwise:
        return f"{path}: {names.otherwise[path]}"
    return f"{path}: is not a setting{_nearest(path, names.known | names.sections())}"


def _nearest(name: str, candidates: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(candidates), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _is_ours(variable: str, value: str) -> bool:
    if (
        not variable.startswith(_PREFIX)
        or variable in _OTHER_VARIABLES
        or variable.startswith("CAMILLO_TEST_")
    ):
        return False
    is_link = variable.endswith("_PORT") and _KUBERNETES_LINK.match(value)
    return not is_link and not _KUBERNETES_NAME.search(variable)


def _prefixes(path: str) -> Iterator[str]:
    parts = path.split(".")[:-1]
    return (".".join(parts[: count + 1]) for count in range(len(parts)))


def _position(error: yaml.YAMLError) -> str:
    # The problem's own text may quote the line, and the line may hold a password.
    mark = getattr(error, "problem_mark", None)
    return f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
