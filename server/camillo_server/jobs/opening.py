"""Puts the queue, its tasks and its worker together: everything that needs procrastinate to be imported."""

from camillo_server.jobs.alarm import Alarm
from camillo_server.jobs.queue import JobQueue
from camillo_server.jobs.rules import JobRules
from camillo_server.jobs.tasks import Tasks
from camillo_server.jobs.work import JobWork
from camillo_server.jobs.worker import JobWorker


class OpenJobs:
    """The queue and what works it off."""

    def __init__(self, url: str, rules: JobRules, work: JobWork, alarm: Alarm) -> None:
        self.queue = JobQueue(url, rules.connect_timeout_seconds)
        Tasks(self.queue, rules, work, alarm.set).declare()
        self.worker = JobWorker(self.queue, rules.concurrency)
