"""AuditService: door -> `features/audit/servicer.py` -> `features/audit/audit.py`."""

from functools import partial

from camillo.v1.audit_service_pb2_grpc import add_AuditServiceServicer_to_server

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.features.audit.actions import Actions
from camillo_server.features.audit.audit import Audit
from camillo_server.features.audit.policy import AuditPolicies, AuditRetention
from camillo_server.features.audit.servicer import AuditServicer


def wire(kernel: Kernel, calls: CallReader) -> Registration:
    """AuditService."""
    audit = Audit(kernel.database, kernel.keyring)
    actions = Actions(kernel.writes, kernel.keyring, kernel.redactor, kernel.clock)
    policies = AuditPolicies(kernel.database, kernel.audit_queue, kernel.clock)
    servicer = AuditServicer(audit, actions, policies, calls)
    return partial(add_AuditServiceServicer_to_server, servicer)


def retention(kernel: Kernel) -> AuditRetention:
    """The removal of entries that tenants need not keep."""
    return AuditRetention(kernel.database, kernel.clock)
