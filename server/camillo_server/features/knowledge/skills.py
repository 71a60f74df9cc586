"""Use cases of skills: put with what their text says of them, read by the nearest level, listed, deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from camillo_formats.plain_yaml import FieldRefused
from camillo_formats.skill_file import SkillFile, read_skill_file

from camillo_server.features.knowledge.skill import Skill, SkillDraft, SkillLevel, level_scope
from camillo_server.features.knowledge.skill_store import SkillReader, SkillWriter
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.detector import SecretDetector
from camillo_server.lib.text.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class SkillText:
    """A text as a caller sends it, with what it states beside it; `is_data`: it is not an administrator."""

    text: str
    name: str
    description: str
    is_data: bool
    credential: str


class Skills:
    """Skills that a scope reaches. Every method raises StorageUnavailable."""

    def __init__(self, reader: SkillReader, writer: SkillWriter, counter: TokenCounter, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._counter = counter
        self._clock = clock

    async def put(
        self,
        scope: Scope,
        level: SkillLevel,
        given: SkillText,
        expected_version: int | None,
        request: RequestKey | None,
    ) -> tuple[Skill, int, bool]:
        """The skill without its text, the revision that holds it, and whether it was there already. Raises
        InvalidField, VersionConflict, ValueRejected, QuotaExceeded, RequestIdReused."""
        now = self._clock.now()
        # A front matter of 16 KiB takes some 20 milliseconds.
        cost = 10 * ROW + len(given.text)
        draft = await off_loop(cost, lambda: self._draft(given))
        written = await self._writer.put(scope, level, draft, expected_version, request, now=now)
        first = written.record
        skill = Skill(
            name=draft.name,
            level=level,
            agent_id=level_scope(scope, level).agent_id,
            version=first.version,
            updated_at=first.at,
            description=draft.description,
            allowed_tools=draft.allowed_tools,
            front_matter=draft.front_matter,
            sha256=draft.sha256,
            tokens=draft.tokens,
            is_data=first.is_data,
        )
        return skill, written.revision, first.is_unchanged

    async def get(self, scope: Scope, name: str, level: SkillLevel | None, version: int | None) -> Skill:
        """The nearest of that name, or that of a level, with its text. Raises NotFound."""
        return await self._reader.get(scope, name, level, version)

    async def page(self, scope: Scope, level: SkillLevel | None, after: str, size: int) -> Sequence[Skill]:
        """A page of skills by name after `after`, without their texts, and one more where there is a next page."""
        return await self._reader.page(scope, level, after, size + 1)

    async def delete(self, scope: Scope, level: SkillLevel, name: str, request: RequestKey | None) -> int:
        """The revision from which it is gone, of a global one 0. Raises NotFound, RequestIdReused."""
        return await self._writer.delete(scope, level, name, request, self._clock.now())

    def _draft(self, given: SkillText) -> SkillDraft:
        file = _read(given)
        return SkillDraft(
            name=file.name,
            description=file.description,
            text=given.text,
            allowed_tools=file.allowed_tools,
            front_matter=file.front_matter,
            sha256=sha256(given.text.encode()).digest(),
            tokens=self._counter.count(given.text),
            is_data=given.is_data,
            credential=given.credential,
        )


def _read(given: SkillText) -> SkillFile:
    """Raises InvalidField."""
    try:
        return read_skill_file(given.text, given.name, given.description, has_secret)
    except FieldRefused as error:
        raise invalid_field(error.field, error.description) from error


def has_secret(text: str) -> bool:
    """Whether a text holds a secret."""
    return bool(_detector().find(text.encode()))


@cache
def _detector() -> SecretDetector:
    return SecretDetector()
