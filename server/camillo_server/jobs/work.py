"""What a process can do of the jobs: a task whose part is missing is left to others."""

from dataclasses import dataclass

from camillo_server.jobs.embed_scope import EmbedScope
from camillo_server.jobs.maintenance import Maintenance
from camillo_server.jobs.missing_vectors import MissingVectors
from camillo_server.jobs.reembed_scope import ReembedScope


@dataclass(frozen=True, slots=True)
class JobWork:
    """By the tasks that need it."""

    embed: EmbedScope
    missing: MissingVectors
    reembed: ReembedScope | None = None
    maintenance: Maintenance | None = None
