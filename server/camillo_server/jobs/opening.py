"""Puts the queue, its tasks and its worker together: everything that needs procrastinate to be imported."""

from camillo_server.jobs.alarm import Alarm
from camillo_server.jobs.queue import JobQueue
from camillo_server.jobs.tasks import Tasks
from camillo_server.jobs.work import JobWork
from camillo_server.jobs.worker import JobWorker
from camillo_server.settings import JobSettings


class OpenJobs:
    """The queue and what works it off."""

    def __init__(
        self,
        url: str,
        settings: JobSettings,
        work: JobWork,
        wait_seconds: float,
        alarm: Alarm,
    ) -> None:
        self.queue = JobQueue(url, wait_seconds)
        Tasks(self.queue, settings, work, alarm.set).declare()
        self.worker = JobWorker(self.queue, settings.concurrency)
