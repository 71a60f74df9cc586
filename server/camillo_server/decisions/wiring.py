"""Decisions, wired."""

from functools import partial

from camillo.v1.decision_service_pb2_grpc import add_DecisionServiceServicer_to_server

from camillo_server.decisions.decisions import GetDecision, RecordDecision, SupersedeDecision
from camillo_server.decisions.query_decisions import QueryDecisions
from camillo_server.decisions.servicer import DecisionServicer, DecisionUseCases
from camillo_server.decisions.store import PostgresDecisionStore
from camillo_server.events.store.refs import PostgresRefResolver
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.search.recall import Recall
from camillo_server.wiring import Kernel


def wire(kernel: Kernel, calls: CallReader, recall: Recall) -> Registration:
    """DecisionService."""
    store, policy = PostgresDecisionStore(kernel.writes, kernel.keyring), kernel.channels
    resolver = PostgresRefResolver(kernel.database)
    use_cases = DecisionUseCases(
        record=RecordDecision(store, resolver, kernel.redactor, kernel.clock),
        supersede=SupersedeDecision(store, resolver, kernel.redactor, kernel.clock),
        get=GetDecision(store, policy),
        query=QueryDecisions(store, recall, policy),
    )
    return partial(add_DecisionServiceServicer_to_server, DecisionServicer(use_cases, calls))
