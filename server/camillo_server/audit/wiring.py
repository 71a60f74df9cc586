"""The audit trail, wired."""

from functools import partial

from camillo.v1.audit_service_pb2_grpc import add_AuditServiceServicer_to_server

from camillo_server.audit.actions import Actions
from camillo_server.audit.audit import Audit
from camillo_server.audit.policy import AuditPolicies, AuditRetention
from camillo_server.audit.servicer import AuditServicer
from camillo_server.audit.store import AuditStore
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.wiring import Kernel


def wire(kernel: Kernel, calls: CallReader) -> Registration:
    """AuditService."""
    audit = Audit(AuditStore(kernel.database, kernel.keyring))
    actions = Actions(kernel.writes, kernel.keyring, kernel.redactor, kernel.clock)
    policies = AuditPolicies(kernel.database, kernel.audit_queue, kernel.clock)
    servicer = AuditServicer(audit, actions, policies, calls)
    return partial(add_AuditServiceServicer_to_server, servicer)


def retention(kernel: Kernel) -> AuditRetention:
    """The removal of entries that tenants need not keep."""
    return AuditRetention(kernel.database, kernel.clock)
