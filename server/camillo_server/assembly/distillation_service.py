"""DistillationService: door -> `features/distillation/servicer.py` -> `features/distillation/distilling.py` and
`features/distillation/reviews.py` -> `features/distillation/store/distillations.py` and
`features/distillation/store/proposals.py`.

A distillation: what is sent of the turns behind the cursor (`features/distillation/selection.py`), the memories that
they may touch (`features/distillation/store/known.py`), the request (`features/distillation/prompt.py`,
`features/distillation/model.py`), what counts of the answer (`features/distillation/answers.py`), and one commit with
the cursor. An accepted proposal becomes a memory in `features/distillation/store/records.py`, or a decision or a task
by `features/distillation/recording.py`. The jobs: `features/distillation/due_scopes.py`.
"""

from functools import partial

from camillo.v1.distillation_service_pb2_grpc import add_DistillationServiceServicer_to_server

from camillo_server.across.lifecycle.background_jobs import DistillJobs
from camillo_server.assembly.kernel import Kernel
from camillo_server.assembly.memory_service import memory_builder
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.features.decisions.decisions import Decisions
from camillo_server.features.decisions.store import DecisionStore
from camillo_server.features.distillation.distilling import Distil
from camillo_server.features.distillation.due_scopes import DueScopes
from camillo_server.features.distillation.model import DistillationModel
from camillo_server.features.distillation.recording import RecordProposals
from camillo_server.features.distillation.reviews import Reviews
from camillo_server.features.distillation.servicer import DistillationServicer
from camillo_server.features.distillation.store.distillations import DistillationStore
from camillo_server.features.distillation.store.known import KnownMemories
from camillo_server.features.distillation.store.proposals import ProposalStore
from camillo_server.features.tasks.store import TaskStore
from camillo_server.features.tasks.tasks import Tasks
from camillo_server.rows.store.refs import RefResolver


class WiredDistillation:
    """The use cases of distillation, for calls and for jobs. Making one raises EmbeddingError."""

    def __init__(self, kernel: Kernel) -> None:
        proposals = ProposalStore(kernel.writes, kernel.keyring)
        resolver = RefResolver(kernel.database)
        decided, opened = DecisionStore(kernel.writes, kernel.keyring), TaskStore(kernel.writes, kernel.keyring)
        record = RecordProposals(
            Decisions(decided, resolver, kernel.redactor, kernel.channels, kernel.clock),
            Tasks(opened, resolver, kernel.redactor, kernel.channels, kernel.clock),
        )
        self.reviews = Reviews(proposals, memory_builder(kernel), record, kernel.redactor, kernel.quotas, kernel.clock)
        self.store = DistillationStore(kernel.writes, kernel.keyring)
        self.distil = Distil(
            self.store,
            proposals,
            KnownMemories(kernel.database, kernel.keyring, kernel.providers.serving),
            _model(kernel),
            kernel.settings.distillation,
            kernel.redactor,
            kernel.clock,
        )
        due = DueScopes(self.distil, self.reviews, self.store, kernel.settings.distillation, kernel.clock)
        is_on = kernel.settings.distillation.litellm_model is not None
        self.jobs = DistillJobs(due.distil, due.defer_everywhere, is_on)


def wire(kernel: Kernel, calls: CallReader, wired: WiredDistillation) -> Registration:
    """DistillationService."""
    servicer = DistillationServicer(wired.distil, wired.reviews, calls, kernel.clock)
    return partial(add_DistillationServiceServicer_to_server, servicer)


def _model(kernel: Kernel) -> DistillationModel | None:
    """The model that distils, if one is configured."""
    settings = kernel.settings.distillation
    if settings.litellm_model is None:
        return None
    return DistillationModel(settings, kernel.model_budget)
