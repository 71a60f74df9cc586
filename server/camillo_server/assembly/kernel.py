"""The kernel of a process: the parts that every feature is wired with."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from camillo_server.doors.spool.policies import SpoolPolicies
from camillo_server.doors.spool.spool import Spool
from camillo_server.doors.spool.spooling import Spooling
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.lib.crypto.keyring import Keyring, own_key_file, read_key_file
from camillo_server.lib.redaction.redaction import Redactor
from camillo_server.models.embedding.limits import BudgetLimit
from camillo_server.models.embedding.providers import Providers, open_providers
from camillo_server.models.embedding.spend import EmbeddingBudget
from camillo_server.settings.settings import Settings
from camillo_server.storage.audit_queue import AuditQueue
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.connection_pool import with_keepalives
from camillo_server.storage.database import Database
from camillo_server.storage.jobs.board import PendingScopes
from camillo_server.storage.quotas import Quotas
from camillo_server.storage.receipts import RefusalLog
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.token_usage import ContextTokens
from camillo_server.telemetry.tracing import Telemetry


@dataclass(frozen=True, slots=True)
class Kernel:
    """The objects that the features of one process share. A feature's `wire` takes it, and the features it rests on."""

    settings: Settings
    clock: Clock
    telemetry: Telemetry
    database_url: str
    database: Database
    # For work that may wait: it takes no connection from callers.
    background_database: Database
    quotas: Quotas
    notifier: ChangeNotifier
    writes: ScopeWrites
    # Takes the writes of a few methods while Postgres is away.
    spooling: Spooling
    refusals: RefusalLog
    audit_queue: AuditQueue
    # Scopes in which a write left a row without a vector.
    without_vectors: PendingScopes
    keyring: Keyring
    redactor: Redactor
    providers: Providers
    # Pays for every request to a model that costs money.
    model_budget: EmbeddingBudget
    context_tokens: ContextTokens
    channels: ChannelPolicy
    # Whether Postgres has been away for so long that what is in memory may be too old.
    is_cut_off: Callable[[], bool]


def make_kernel(settings: Settings, database_url: str, telemetry: Telemetry, clock: Clock) -> Kernel:
    """Belongs to the event loop that runs when it is made; connects to nothing yet. Raises EmbeddingError,
    KeyringError."""
    keys = keyring(settings)
    database_url = with_keepalives(database_url, settings.database)
    database = Database(database_url, settings.database, clock, keys)
    background_database = Database(database_url, settings.database.for_background(), clock)
    notifier = ChangeNotifier(database_url)
    database.on_new_history(lambda _: notifier.notify_new_history())
    notifier.on_restore(database.check_history)
    without_vectors, redactor = PendingScopes(), Redactor()
    model_budget = EmbeddingBudget(database, clock, BudgetLimit.of(settings.memory))
    spooling = Spooling(
        Spool(settings.spool_dir, settings.spool.max_bytes, keys),
        database,
        SpoolPolicies(database, clock),
        redactor,
        notifier,
        telemetry.instruments.spool_counts,
        clock,
        settings.spool.spooled_methods,
    )
    return Kernel(
        settings=settings,
        clock=clock,
        telemetry=telemetry,
        database_url=database_url,
        database=database,
        background_database=background_database,
        quotas=Quotas(database, background_database, settings.quotas),
        notifier=notifier,
        writes=ScopeWrites(
            database,
            notifier,
            without_vectors.add,
            lambda: telemetry.instruments.record_vector_fault("write"),
        ),
        spooling=spooling,
        refusals=RefusalLog(database, clock, telemetry.instruments.value_refusals),
        audit_queue=AuditQueue(database, background_database, clock, telemetry.instruments.unentered_audits),
        without_vectors=without_vectors,
        keyring=keys,
        redactor=redactor,
        providers=open_providers(
            settings.memory,
            settings.data_dir,
            model_budget,
            telemetry.instruments.record_embedding_failure,
        ),
        model_budget=model_budget,
        context_tokens=ContextTokens(background_database, clock),
        channels=channel_policy(settings),
        is_cut_off=partial(database.is_away_for, settings.retrieval.outage_grace_seconds),
    )


def keyring(settings: Settings) -> Keyring:
    """The keys for what is encrypted at rest. With a database that other servers may share, none but those given."""
    given = settings.encryption
    if given.keys is not None:
        return Keyring.parse(given.keys.get_secret_value())
    if given.key_file is not None:
        return read_key_file(given.key_file)
    return own_key_file(settings.data_dir) if settings.database.url is None else Keyring.empty()


def channel_policy(settings: Settings) -> ChannelPolicy:
    """The levels that each channel may load."""
    channels = settings.channels
    return ChannelPolicy({channel: Sensitivity[getattr(channels, channel.name.lower()).upper()] for channel in Channel})
