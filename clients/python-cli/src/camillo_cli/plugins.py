"""Commands that other packages add, such as those of the server: each names its table in an entry point of the
group."""

from collections.abc import Sequence
from importlib import import_module
from operator import attrgetter

from camillo_cli.commands import CLIENT, NEEDS_SERVER, CommandTable
from camillo_cli.failures import CliError

GROUP = "camillo.commands"
HELP = ("-h", "--help")
MISSING = "'{}' needs the server, which is not installed here: pip install camillo-server"


def tables(words: Sequence[str], plugged: str = "") -> Sequence[CommandTable]:
    """The tables of commands for these arguments: our own, behind those of other packages. Raises CliError for a
    command whose package is missing."""
    if plugged:
        module, _, name = plugged.partition(":")
        return [attrgetter(name)(import_module(module)), CLIENT]
    if is_own(words):
        return [CLIENT]
    found = [*installed(), CLIENT]
    if len(found) == 1:
        for named in (" ".join(words[:1]), " ".join(words[:2])):
            if named in NEEDS_SERVER:
                raise CliError(MISSING.format(named))
    return found


def is_own(words: Sequence[str]) -> bool:
    """Whether the first words name one of our own commands: looking for packages takes as long as half of one."""
    if not words or words[0] in HELP:
        return False
    if words[0] in CLIENT.groups:
        return any(each.words == " ".join(words[:2]) for each in CLIENT.commands)
    return any(each.words == words[0] for each in CLIENT.commands) or words[0] == "--version"


def installed() -> Sequence[CommandTable]:
    """The tables of installed packages."""
    from importlib.metadata import entry_points

    return [each.load() for each in entry_points(group=GROUP)]


def version() -> str:
    """The version of the server's package, which has this one in it; else of this one."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("camillo-server")
    except PackageNotFoundError:
        return version("camillo-cli")
