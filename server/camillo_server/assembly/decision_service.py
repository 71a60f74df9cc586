"""DecisionService: door -> `features/decisions/servicer.py` -> `features/decisions/decisions.py` ->
`features/decisions/store.py`."""

from functools import partial

from camillo.v1.decision_service_pb2_grpc import add_DecisionServiceServicer_to_server

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.features.decisions.decisions import Decisions, QueryDecisions
from camillo_server.features.decisions.servicer import DecisionServicer
from camillo_server.features.decisions.store import DecisionStore
from camillo_server.rows.store.refs import RefResolver
from camillo_server.search.recall import Recall


def wire(kernel: Kernel, calls: CallReader, recall: Recall) -> Registration:
    """DecisionService."""
    store = DecisionStore(kernel.writes, kernel.keyring)
    resolver = RefResolver(kernel.database)
    decisions = Decisions(store, resolver, kernel.redactor, kernel.channels, kernel.clock)
    query = QueryDecisions(store, recall, kernel.channels)
    return partial(add_DecisionServiceServicer_to_server, DecisionServicer(decisions, query, calls))
