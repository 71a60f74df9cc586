"""Every command of `camillo`: the client's own, and those of the server."""

from camillo_cli.commands import CLIENT
from camillo_server.cli.commands import TABLE

COMMANDS = (*TABLE.commands, *CLIENT.commands)
GROUPS = {**CLIENT.groups, **TABLE.groups}
