"""The spaces that a caller reaches, and those below a prefix, as ranges of the paths in their order."""

from collections.abc import Iterable, Sequence

from camillo_server.kernel.scope import SHARED, Principal
from camillo_server.storage.scopes import BEFORE_CHARACTERS, EVERY_ID, ScopeRange

# The character behind the slash: what lies below a path is in front of it.
BEHIND_SLASH = chr(ord("/") + 1)


def one(path: str) -> ScopeRange:
    """This space alone."""
    return ScopeRange(path, f"{path}{BEFORE_CHARACTERS}")


def below(path: str) -> ScopeRange:
    """The spaces below this path, without itself."""
    return ScopeRange(f"{path}/", f"{path}{BEHIND_SLASH}")


def of_prefix(prefix: str) -> Sequence[ScopeRange]:
    """The spaces that a prefix names: itself and what is below, or what is below alone behind a slash."""
    if not prefix:
        return [EVERY_ID]
    if prefix == SHARED:
        return [one("")]
    return [below(prefix[:-1])] if prefix.endswith("/") else [one(prefix), below(prefix)]


def of_caller(caller: Principal) -> Sequence[ScopeRange]:
    """The spaces that a credential reaches: every one, or its agent's own and those that it was granted."""
    if caller.agent_id is None:
        return [EVERY_ID]
    paths = [grant.rpartition(":")[0] for grant in caller.spaces]
    granted = [below(path[:-2]) if path.endswith("/*") else one(path) for path in paths]
    return _merged([one(caller.agent_id), *granted])


def common(some: Iterable[ScopeRange], others: Sequence[ScopeRange]) -> Sequence[ScopeRange]:
    """The ranges of what is in both, in order; none overlaps another."""
    both = [ScopeRange(max(a.begin, b.begin), min(a.end, b.end)) for a in some for b in others]
    return _merged(each for each in both if each.begin < each.end)


def _merged(ranges: Iterable[ScopeRange]) -> Sequence[ScopeRange]:
    merged: list[ScopeRange] = []
    for each in sorted(ranges):
        if merged and each.begin <= merged[-1].end:
            merged[-1] = ScopeRange(merged[-1].begin, max(merged[-1].end, each.end))
        else:
            merged.append(each)
    return merged
