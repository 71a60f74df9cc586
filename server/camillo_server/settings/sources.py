"""The base class of the sections of the settings, and the types of their fields."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FilePath,
    SecretStr,
    ValidationError,
)

POSITIVE_SECONDS = Annotated[float, Field(gt=0, le=86_400)]
PORT = Annotated[int, Field(ge=0, le=65_535)]
_PREFIX = "CAMILLO_"
_NOT_YET = "this version does not have this setting yet; leave it out"
_IN_THE_RECIPE = "is part of a recipe; give the tenant a run_snapshot of its own"
# Names that other memory services have for settings, kept apart from typing errors, and what to do instead.
_HINTS = {
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
# Read by clients, hooks, tests and before the settings, not part of the tree. They are set for a whole shell, so every
# command has to bear them.
_OTHER_VARIABLES = frozenset(
    {
        "CAMILLO_KEY",
        "CAMILLO_ADDRESS",
        "CAMILLO_HTTP_ADDRESS",
        "CAMILLO_AGENT",
        "CAMILLO_SPACE",
        "CAMILLO_PERSON",
        "CAMILLO_CONFIG",
        "CAMILLO_WRITE_CALL_COUNTS",
        "CAMILLO_RANDOM_TESTS",
    }
)
_OTHER_PREFIXES = ("CAMILLO_HOOK_", "CAMILLO_MCP_", "CAMILLO_TEST_")
# Kubernetes puts these into every pod of a namespace that has a Service named camillo or camillo-something.
_KUBERNETES_NAME = re.compile(r"_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$")
_KUBERNETES_LINK = re.compile(r"(tcp|udp|sctp)://")
_LONGEST_VALUE = 60


def _expand_home(value: object) -> object:
    return Path(value).expanduser() if isinstance(value, str) else value


def _postgres_url(value: SecretStr) -> SecretStr:
    if not re.match(r"postgres(ql)?://", value.get_secret_value()):
        raise ValueError("must start with postgresql://")
    return value


ANY_PATH = Annotated[Path, BeforeValidator(_expand_home)]
EXISTING_FILE = Annotated[FilePath, BeforeValidator(_expand_home)]
POSTGRES_URL = Annotated[SecretStr, AfterValidator(_postgres_url)]


class SettingsSection(BaseModel):
    """Frozen; knows no other names than its own; its errors quote no values."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        hide_input_in_errors=True,
        protected_namespaces=(),
    )


class SettingsError(Exception):
    """Settings that cannot be used: one line for each problem, `path: what is wrong`."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class SourceValues:
    """Values by path, the origin of each that is worth naming, and problems with the rest."""

    values: dict[str, object] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def set(self, path: str, value: object, origin: str) -> None:
        self.values[path] = value
        self.origins[path] = origin

    @classmethod
    def merge(cls, sources: Iterable["SourceValues"]) -> "SourceValues":
        """Later sources win."""
        merged = cls()
        for source in sources:
            merged.values.update(source.values)
            merged.origins.update(source.origins)
            merged.problems.extend(source.problems)
        return merged


def from_yaml(path: Path, known: AbstractSet[str]) -> SourceValues:
    """The settings of a YAML file, of those whose paths are `known`; an empty section is as good as none."""
    source = SourceValues()
    try:
        content: object = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8 text"
        source.problems.append(f"{path}: cannot be read: {reason}")
    except yaml.YAMLError as error:
        source.problems.append(f"{path}: is not YAML{_position(error)}")
    else:
        if isinstance(content, dict):
            _read_mapping(content, "", known, source, path.name)
        elif content is not None:
            source.problems.append(f"{path}: must be a mapping of sections")
    return source


def from_environment(environ: Mapping[str, str], known: AbstractSet[str]) -> SourceValues:
    """`CAMILLO_SERVER_PORT` sets `server.port`; a variable that is set to nothing is not set."""
    paths = {environment_name(path): path for path in known}
    hints = {environment_name(path): hint for path, hint in _HINTS.items()}
    source = SourceValues()
    for variable, value in sorted(environ.items()):
        if not value or not _is_ours(variable, value):
            continue
        if variable in paths:
            source.set(paths[variable], value, variable)
        else:
            hint = hints.get(variable) or f"is not a setting{_nearest(variable, paths)}"
            source.problems.append(f"{variable}: {hint}")
    return source


def from_overrides(overrides: Mapping[str, object], known: AbstractSet[str]) -> SourceValues:
    """Values of flags, by dotted path; None is a flag that was not given."""
    source = SourceValues()
    for path, value in overrides.items():
        if value is None:
            continue
        if path in known:
            source.set(path, value, "command line")
        else:
            source.problems.append(_unknown(path, known))
    return source


def environment_name(path: str) -> str:
    """The variable that sets a path."""
    return _PREFIX + path.replace(".", "_").upper()


def nested(values: Mapping[str, object]) -> dict[str, object]:
    """`{"server.port": 1}` as `{"server": {"port": 1}}`."""
    tree: dict[str, Any] = {}
    for path, value in values.items():
        *sections, name = path.split(".")
        node = tree
        for section in sections:
            node = node.setdefault(section, {})
        node[name] = value
    return tree


def validation_problems(error: ValidationError, source: SourceValues, secret: AbstractSet[str]) -> Iterator[str]:
    """One line for each setting that breaks a rule, with its value unless that is secret."""
    for detail in error.errors(include_url=False, include_context=False):
        path = ".".join(str(part) for part in detail["loc"])
        message = _in_our_words(detail["msg"])
        if path in source.origins:
            value = str(source.values[path])[:_LONGEST_VALUE]
            shown = "" if path in secret else f"got {value!r} "
            message += f" ({shown}from {source.origins[path]})"
        yield f"{path}: {message}" if path else message


def _in_our_words(message: str) -> str:
    message = message.removeprefix("Value error, ").replace("Input should", "must", 1)
    return message.replace("Path does not point to a file", "must be an existing file")


def _read_mapping(
    mapping: Mapping[object, object],
    prefix: str,
    known: AbstractSet[str],
    source: SourceValues,
    origin: str,
) -> None:
    for key, value in mapping.items():
        path = f"{prefix}{key}"
        if path in known:
            source.set(path, value, origin)
        elif path not in _sections(known):
            source.problems.append(_unknown(path, known))
        elif isinstance(value, dict):
            _read_mapping(value, f"{path}.", known, source, origin)
        elif value is not None:
            source.problems.append(f"{path}: must be a mapping")


def _unknown(path: str, known: AbstractSet[str]) -> str:
    hint = _HINTS.get(path) or f"is not a setting{_nearest(path, known | _sections(known))}"
    return f"{path}: {hint}"


def _nearest(name: str, candidates: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(candidates), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _is_ours(variable: str, value: str) -> bool:
    if not variable.startswith(_PREFIX) or variable in _OTHER_VARIABLES or variable.startswith(_OTHER_PREFIXES):
        return False
    is_link = variable.endswith("_PORT") and _KUBERNETES_LINK.match(value)
    return not is_link and not _KUBERNETES_NAME.search(variable)


def _sections(known: AbstractSet[str]) -> frozenset[str]:
    """Every path that leads to a known one: `identity` and `identity.jwt` for `identity.jwt.issuer`."""
    return frozenset(path[: dot.start()] for path in known for dot in re.finditer(r"\.", path))


def _position(error: yaml.YAMLError) -> str:
    # The problem's own text may quote the line, and the line may hold a password.
    mark = getattr(error, "problem_mark", None)
    return f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
