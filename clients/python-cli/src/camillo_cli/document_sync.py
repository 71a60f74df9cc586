"""docs sync: the documents of a folder, kept published under their paths."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import cannot_read
from camillo_cli.connection import ClientOptions, connected
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
from camillo_cli.output import note, print_notes
from camillo_cli.text_files import IngestFile, find_sources
from camillo_formats.media_types import BY_EXTENSION, CODE, DOCX, HTML, MARKDOWN, PDF

if TYPE_CHECKING:
    from camillo.v1.knowledge_pb2 import Document
    from camillo_client import Camillo

STATE_FILE = ".camillo-docs.json"
PROSE = frozenset({MARKDOWN, HTML, PDF, DOCX})
PLAIN_SUFFIXES = frozenset({".txt", ".rst", ".adoc", ".org"})
# The server's default limit; the server itself refuses what exceeds its own.
MAX_FILE_BYTES = 32 * 1024 * 1024
POLL_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class SyncedDocuments(options.ClientFields):
    """Options of which files are published, and what is said about each."""

    prefix: Annotated[str, options.about("Before the path of each: handbook/.")] = ""
    categories: Annotated[list[str], options.about("By which keys grant them; may be repeated.", "--category")] = field(
        default_factory=list
    )
    tags: options.Tags = field(default_factory=list)
    code: Annotated[bool, options.about("Source code, too.", "--code")] = False

    def fingerprint(self) -> str:
        """A text that is equal for two runs that say the same about documents."""
        said = [sorted(set(self.categories)), sorted(set(self.tags))]
        return "" if said == [[], []] else f" {said}"


def sync(
    client: ClientOptions,
    documents: SyncedDocuments,
    folder: Annotated[Path, Argument(metavar="DIR", help="A folder with documents.")],
    watch: Annotated[bool, Option("--watch", help="Follow changes of the folder until interrupted.")] = False,
    keep: Annotated[bool, Option("--keep", help="Delete nothing.")] = False,
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
) -> None:
    """Publish the documents of a folder, and delete those that an earlier run has published and that are gone.

    Markdown, text, HTML, PDF and DOCX, with --code source code, under their paths. Unchanged ones are not sent.
    Example: camillo docs sync handbook --prefix handbook/ --category policy
    """
    if not folder.is_dir():
        raise CliError(f"{folder} is no folder", ExitCode.USAGE)
    if watch and dry_run:
        raise CliError("--watch and --dry-run do not go together", ExitCode.USAGE)
    how = SyncOptions(keep=keep, dry_run=dry_run, yes=yes, as_json=client.as_json)
    with connected(client) as camillo:
        owner = f"{camillo.admin.who_am_i().tenant_id}/{documents.prefix}"
        synced = FolderOfDocuments(camillo, folder, documents, owner)
        if watch:
            synced.follow(how)
        else:
            synced.sync(how)


@dataclass(frozen=True, slots=True)
class FolderOfDocuments:
    """A folder, and where its documents are published."""

    camillo: Camillo
    folder: Path
    documents: SyncedDocuments
    owner: str

    def follow(self, how: SyncOptions) -> None:
        """Synchronizes whenever files have changed. Raises CliError if the first run fails; reports later failures."""
        seen: Sequence[object] | None = None
        while True:
            now = self._signature()
            if now != seen:
                try:
                    self.sync(how, is_quiet=seen is not None)
                except CliError as error:
                    if seen is None:
                        raise
                    note(str(error))
                seen = now
            time.sleep(POLL_SECONDS)

    def sync(self, how: SyncOptions, *, is_quiet: bool = False) -> None:
        """Publishes and deletes what differs. Raises CliError."""
        files, problems = self._files()
        remote = self._remote()
        said = self.documents.fingerprint()
        known = {name: self._digest_of(each) for name, each in remote.items()}
        local: dict[str, str] = {}
        for name, file in files.items():
            try:
                local[name] = _digest(file) + said
            except OSError as error:
                problems[name] = str(cannot_read(file.path, error))
        state = SyncState(self.folder / STATE_FILE, self.owner)
        plan = plan_of(local, known, state.published, keep=how.keep or bool(problems))
        if how.dry_run:
            print_plan(plan, as_json=how.as_json)
            return
        if is_quiet and not (plan.publish or plan.delete or problems):
            return
        require_consent(plan, state.published, yes=how.yes)

        def publish(name: str) -> str:
            content = files[name].path.read_bytes()
            self.camillo.documents.publish(
                name,
                content,
                categories=self.documents.categories,
                tags=self.documents.tags,
            )
            return sha256(content).hexdigest() + said

        def remove(name: str) -> None:
            self.camillo.documents.delete(remote[name].document_id)

        result = carry_out(plan, publish, remove, state, "documents")
        result.failed.update(problems)
        print_sync(plan, result, "document", as_json=how.as_json)

    def _files(self) -> tuple[dict[str, IngestFile], dict[str, str]]:
        """The files by the names of their documents, and what is wrong with others."""
        notes: list[str] = []
        found = find_sources(self.folder, _suffixes(self.documents), MAX_FILE_BYTES, notes)
        print_notes(notes)
        files: dict[str, IngestFile] = {}
        problems: dict[str, str] = {}
        for file in found:
            # Some systems keep the names of files in another normal form than they were typed in.
            name = unicodedata.normalize("NFC", self.documents.prefix + file.name)
            if files.setdefault(name, file) is not file:
                problems[file.name] = "another file has the same name in another normal form"
        return files, problems

    def _remote(self) -> dict[str, Document]:
        """Archived ones, too: what somebody has taken out of what is found is not published again while it is
        unchanged."""
        listed = self.camillo.documents.list(name_prefix=self.documents.prefix, archived="include", page_size=1_000)
        return {each.stated.name: each for each in listed}

    def _digest_of(self, document: Document) -> str:
        stated = document.stated
        said = replace(self.documents, categories=list(stated.categories), tags=list(stated.tags)).fingerprint()
        return document.sha256.hex() + said

    def _signature(self) -> Sequence[object]:
        """Differs when a file has changed, come or gone."""
        found = find_sources(self.folder, _suffixes(self.documents), MAX_FILE_BYTES, [])
        signature: list[object] = []
        for file in found:
            try:
                status = file.path.stat()
            except OSError:
                continue
            signature.append((file.name, status.st_size, status.st_mtime_ns, status.st_ino))
        return signature


def _suffixes(documents: SyncedDocuments) -> frozenset[str]:
    kinds = PROSE | CODE if documents.code else PROSE
    ends = {f".{end}" for end, kind in BY_EXTENSION.items() if kind in kinds}
    return PLAIN_SUFFIXES | ends


def _digest(file: IngestFile) -> str:
    with file.path.open("rb") as content:
        digest = sha256()
        while block := content.read(1024 * 1024):
            digest.update(block)
    return digest.hexdigest()
