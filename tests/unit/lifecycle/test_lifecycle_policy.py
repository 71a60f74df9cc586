"""How long memories live by themselves."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from camillo_server.across.lifecycle.plan import LifecyclePolicy
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.settings.settings import Settings

from tests.cases import each_case

NOW = datetime(2030, 1, 1, tzinfo=UTC)
DAYS = {MemoryKind.CONVERSATION: 7, MemoryKind.TASK_OUTCOME: 30, MemoryKind.DECISION: 90, MemoryKind.ERROR: 14}


@each_case("kind", MemoryKind)
def test_a_kind_lives_as_long_as_its_lifetime_and_without_one_for_ever(kind: MemoryKind) -> None:
    days = DAYS.get(kind)
    expected = NOW + timedelta(days=days) if days else None
    assert LifecyclePolicy().expires_at(kind, NOW) == expected


def test_the_settings_by_themselves_are_the_policy_by_itself(tmp_path: Path) -> None:
    assert LifecyclePolicy.of(Settings(data_dir=tmp_path).lifecycle) == LifecyclePolicy()


def test_what_an_operator_sets_is_the_policy(tmp_path: Path) -> None:
    settings = Settings.model_validate(
        {
            "data_dir": tmp_path,
            "lifecycle": {
                "lifetime_days": {"fact": 0.5, "conversation": None},
                "weekly_decay": 0.5,
                "archive_below": 0.3,
                "unimportant_below": 0.4,
                "unimportant_after_days": 2,
                "memory_quota": 0,
                "retention_days": 1.5,
            },
        }
    )
    policy = LifecyclePolicy.of(settings.lifecycle)
    assert policy.expires_at(MemoryKind.FACT, NOW) == NOW + timedelta(hours=12)
    assert policy.expires_at(MemoryKind.CONVERSATION, NOW) is None
    assert policy.expires_at(MemoryKind.ERROR, NOW) == NOW + timedelta(days=14)
    assert (policy.weekly_decay, policy.archive_below, policy.unimportant_below) == (0.5, 0.3, 0.4)
    assert policy.unimportant_after == timedelta(days=2)
    assert policy.retention == timedelta(hours=36)
    assert policy.memory_quota == 0
