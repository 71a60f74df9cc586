"""SpoolService: `doors/spool/servicer.py` -> `doors/spool/spooled_writes.py`; `doors/spool/replay.py` stores what
waits."""

from functools import partial

from camillo.v1.spool_service_pb2_grpc import add_SpoolServiceServicer_to_server

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.doors.spool.failures import SpoolFailures
from camillo_server.doors.spool.replay import Replay
from camillo_server.doors.spool.servicer import SpoolServicer
from camillo_server.doors.spool.spooled_writes import SpooledWrites
from camillo_server.telemetry.spool import SpoolUse


class WiredSpool:
    """Stores the writes that the features gave to the spool while Postgres was away."""

    def __init__(self, kernel: Kernel, calls: CallReader) -> None:
        self._kernel = kernel
        self._calls = calls
        self._failures = SpoolFailures(kernel.database, kernel.keyring)
        self.replay = Replay(
            kernel.spooling,
            kernel.database,
            kernel.quotas,
            self._failures,
            calls,
            kernel.clock,
        )

    def service(self) -> Registration:
        """SpoolService."""
        kernel, spooling = self._kernel, self._kernel.spooling
        writes = SpooledWrites(spooling.spool, self._failures, self.replay, kernel.clock)
        servicer = SpoolServicer(writes, spooling.policies, self._calls)
        return partial(add_SpoolServiceServicer_to_server, servicer)

    def use(self) -> SpoolUse:
        """How much waits, and for how long, for the metrics."""
        spool = self._kernel.spooling.spool
        oldest = spool.oldest_accepted_at
        age = (self._kernel.clock.now() - oldest).total_seconds() if oldest else 0.0
        return SpoolUse(spool.waiting_count, spool.unopened_count, spool.byte_count, age)
