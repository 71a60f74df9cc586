"""Plans of removals: what a dry run has shown, and whether a caller may do without one."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from camillo_server.kernel.errors import DomainError

PLAN_LIFETIME = timedelta(hours=1)


class PlanChanged(DomainError):
    """The records that a plan was made for have changed, or the plan is too old."""

    code, reason = "ABORTED", "PLAN_CHANGED"
    message = "what the plan was made for has changed, or it is old; make a new one"


class PlanRequired(DomainError):
    """More would go than goes without a plan that was shown."""

    reason = "PLAN_REQUIRED"

    def __init__(self, records: int, allowed: int) -> None:
        message = f"{records} records would go, {allowed} go without a plan: send the plan_token of a dry run"
        super().__init__(message, memories=records, allowed=allowed)


@dataclass(frozen=True, slots=True)
class PlanRef:
    """A plan of an earlier dry run: the moment that it counts from, and its digest."""

    at: datetime
    digest: bytes

    def holds(self, digest: bytes, now: datetime) -> bool:
        """It is the plan of this digest, and not too old."""
        return self.digest == digest and now - PLAN_LIFETIME <= self.at <= now


@dataclass(frozen=True, slots=True)
class PlanConsent:
    """The plan that a caller was shown, and how many records it may take without one (None: any number)."""

    plan: PlanRef | None = None
    max_without_plan: int | None = None

    def require(self, records: int, digest: bytes, now: datetime) -> None:
        """Raises PlanChanged where the plan is not the one of this digest, PlanRequired where there has to be one."""
        if self.plan is not None:
            if not self.plan.holds(digest, now):
                raise PlanChanged
        elif self.max_without_plan is not None and records > self.max_without_plan:
            raise PlanRequired(records, self.max_without_plan)


NO_PLAN = PlanConsent()
