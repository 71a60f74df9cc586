"""Puts the queue, its tasks and its worker together: everything that needs procrastinate to be imported."""

from camillo_server.jobs.alarm import Alarm
from camillo_server.jobs.embed_scope import EmbedScope
from camillo_server.jobs.missing_vectors import MissingVectors
from camillo_server.jobs.queue import JobQueue
from camillo_server.jobs.rules import JobRules
from camillo_server.jobs.tasks import declare_tasks
from camillo_server.jobs.worker import JobWorker


class OpenJobs:
    """The queue and what works it off."""

    def __init__(
        self, url: str, rules: JobRules, embed: EmbedScope, missing: MissingVectors, alarm: Alarm
    ) -> None:
        self.queue = JobQueue(url, rules.connect_timeout_seconds)
        declare_tasks(self.queue, rules, embed, missing, alarm.set)
        self.worker = JobWorker(self.queue, rules.concurrency)
