"""skills put, list, show, delete, sync: instructions that agents load by name."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli.arguments import read_text
from camillo_cli.connection import ClientOptions, acting_agent, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.folder_sync import (
    SyncOptions,
    SyncState,
    carry_out,
    plan_of,
    print_plan,
    print_sync,
    require_consent,
)
from camillo_cli.options import DryRun, Limit, RequestId, Yes, literal
from camillo_cli.output import print_result, print_value
from camillo_cli.removals import confirm
from camillo_cli.skill_folder import FoundSkills, find_skills
from camillo_cli.tables import Column, age_in, pages, print_list

if TYPE_CHECKING:
    from camillo.v1.knowledge_pb2 import Skill
    from camillo_client import Camillo

STATE_FILE = ".camillo-skills.json"


class Level(StrEnum):
    """Whose a skill is."""

    AGENT = "agent"
    TENANT = "tenant"
    GLOBAL = "global"


SkillName = Annotated[str, Argument(help="The name of a skill.")]
AtLevel = Annotated[
    Level | None,
    Option("--level", help="Whose it is. Default: the agent's; with --agent @shared the tenant's."),
]


def put(
    client: ClientOptions,
    path: Annotated[str, Argument(metavar="FILE", help="A SKILL.md; '-': standard input.")],
    level: AtLevel = None,
    name: Annotated[str, Option(help="Its name, if the text has no front matter.")] = "",
    description: Annotated[str, Option(help="What it is for, if the text has no front matter.")] = "",
    expected_version: Annotated[int | None, Option(min=0, help="Fail if it has another version; 0: it is new.")] = None,
    request_id: RequestId = None,
) -> None:
    """Store a skill that an agent loads by name; with --level tenant, for all agents of the tenant.

    Example: camillo skills put review/SKILL.md
    """
    text = read_text(path)
    with connected(client) as camillo:
        answer = camillo.skills.put(
            text,
            level=literal(level),
            name=name,
            description=description,
            expected_version=expected_version,
            request_id=request_id,
        )
    skill = answer.skill
    done = "unchanged" if answer.unchanged else "stored"
    print_result(client, answer, f"{done} {skill.name}, version {skill.version}")


def list_skills(client: ClientOptions, level: AtLevel = None, limit: Limit = None) -> None:
    """List the skills that an agent can load: its own, those of the tenant, and global ones.

    Example: camillo skills list --agent ada
    """
    with connected(client) as camillo:
        found = pages(camillo.skills.list, limit, level=literal(level))
        print_list(client, found, COLUMNS, empty="no skills")


def show(
    client: ClientOptions,
    name: SkillName,
    level: AtLevel = None,
    version: Annotated[int | None, Option(min=1, help="An earlier version.")] = None,
) -> None:
    """Print the text of a skill: the agent's own, else the tenant's, else the global one.

    Example: camillo skills show review > SKILL.md
    """
    with connected(client) as camillo:
        skill = camillo.skills.get(name, level=literal(level), version=version)
    print_result(client, skill, skill.text)


def delete(
    client: ClientOptions,
    name: SkillName,
    level: AtLevel = None,
    yes: Yes = False,
    request_id: RequestId = None,
) -> None:
    """Remove a skill of one level, with its versions.

    Example: camillo skills delete review
    """
    confirm("remove", f"the skill {name} with every version", yes=yes)
    with connected(client) as camillo:
        camillo.skills.delete(name, level=literal(level), request_id=request_id)
    print_value({"name": name}, f"removed {name}", as_json=client.as_json)


def sync(
    client: ClientOptions,
    folder: Annotated[Path, Argument(metavar="DIR", help="A folder with skills.")],
    level: AtLevel = None,
    keep: Annotated[bool, Option("--keep", help="Delete nothing.")] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Publish the skills of a folder, and delete those that an earlier run has published and that are gone.

    Reads .claude/skills/*/SKILL.md, skills/*/SKILL.md, */SKILL.md, AGENTS.md and CLAUDE.md. Unchanged ones are not
    sent.

    Example: camillo skills sync . --level tenant
    """
    if not folder.is_dir():
        raise CliError(f"{folder} is no folder", ExitCode.USAGE)
    found = find_skills(folder)
    options = SyncOptions(keep=keep, dry_run=dry_run, yes=yes, as_json=client.as_json)
    with connected(client) as camillo:
        caller = camillo.admin.who_am_i()
        agent = acting_agent(client, caller)
        if level is None:
            level = Level.AGENT if agent else Level.TENANT
        owner = level if level is Level.GLOBAL else f"{caller.tenant_id}/{level}"
        if level is Level.AGENT:
            owner = f"{owner}/{agent}"
        _sync(camillo, found, level, SyncState(folder / STATE_FILE, owner), options)


def _sync(camillo: Camillo, found: FoundSkills, level: Level, state: SyncState, options: SyncOptions) -> None:
    remote = {skill.name: skill.sha256.hex() for skill in camillo.skills.list(level=literal(level))}
    local = {name: source.digest for name, source in found.skills.items()}
    # Nobody knows which skill a file has that cannot be read: it might be one that seems to be gone.
    keep = options.keep or bool(found.problems)
    plan = plan_of(local, remote, state.published, keep=keep)
    if options.dry_run:
        print_plan(plan, as_json=options.as_json)
        return
    require_consent(plan, state.published, yes=options.yes)

    def publish(name: str) -> str:
        source = found.skills[name]
        camillo.skills.put(
            source.text,
            level=literal(level),
            name=source.given_name,
            description=source.given_description,
        )
        return source.digest

    def remove(name: str) -> None:
        camillo.skills.delete(name, level=literal(level))

    result = carry_out(plan, publish, remove, state, "skills")
    result.failed.update(found.problems)
    print_sync(plan, result, "skill", as_json=options.as_json)


def _of(skill: Skill) -> str:
    return {1: "global", 2: "tenant", 3: "agent"}.get(skill.level, str(skill.level))


COLUMNS = (
    Column("name", "name"),
    Column("level", _of),
    Column("version", "version", right=True),
    Column("tokens", "tokens", right=True),
    Column("age", age_in("updated_at"), right=True),
    Column("description", "description"),
)
