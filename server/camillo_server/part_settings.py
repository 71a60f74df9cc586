"""The settings as the parts of the server take them: each function gives what one part asks for."""

from dataclasses import replace
from datetime import timedelta

from camillo_server.domain.clock import Clock
from camillo_server.domain.lifecycle.policy import LifecyclePolicy
from camillo_server.domain.memory import MemoryKind
from camillo_server.domain.scope import Role
from camillo_server.embedding.choose import EmbeddingSettings
from camillo_server.embedding.litellm import LiteLLMSettings
from camillo_server.embedding.litellm_library import Target
from camillo_server.embedding.retries import Retries
from camillo_server.embedding.spend import NANO
from camillo_server.identity.credentials import Authenticator
from camillo_server.identity.jwks import JwksFile
from camillo_server.identity.jwt import JwtRules, JwtVerifier
from camillo_server.identity.key_cache import KeyCache, KeyCacheTimes
from camillo_server.identity.spiffe import SpiffeIdentities
from camillo_server.jobs.rules import JobRules
from camillo_server.retrieval.engine import default_bytes
from camillo_server.rpc.pipeline import Bounds
from camillo_server.rpc.server import Listening, TlsFiles
from camillo_server.settings import Settings
from camillo_server.storage.database import PoolSize
from camillo_server.storage.embedding_spend import BudgetLimit
from camillo_server.storage.tenants import PostgresTenants
from camillo_server.summarising.litellm import SummarySettings


def embedding_settings(settings: Settings) -> EmbeddingSettings:
    """What the settings say about vectors."""
    memory = settings.memory
    return EmbeddingSettings(
        provider=memory.embedding_model,
        model_dir=memory.model_dir,
        dimensions=memory.embedding_dimensions,
        threads=memory.embedding_threads,
        data_dir=settings.data_dir,
        litellm=_litellm_settings(settings),
    )


def next_embedding_settings(settings: Settings) -> EmbeddingSettings | None:
    """The same of the model that is to serve next, if one is configured."""
    memory = settings.memory
    if memory.next_embedding_model is None:
        return None
    return replace(
        embedding_settings(settings),
        provider=memory.next_embedding_model,
        model_dir=memory.next_model_dir or memory.model_dir,
    )


def _litellm_settings(settings: Settings) -> LiteLLMSettings | None:
    memory = settings.memory
    if memory.litellm_model is None:
        return None
    key = memory.litellm_api_key
    return LiteLLMSettings(
        Target(
            model=memory.litellm_model,
            api_base=memory.litellm_api_base,
            api_key=key.get_secret_value() if key else None,
            dimensions=memory.embedding_dimensions,
            timeout_seconds=memory.litellm_timeout_seconds,
        ),
        usd_per_million_tokens=memory.litellm_price_per_million_tokens,
        budgeted=memory.embedding_budget_usd is not None,
        batch_texts=memory.litellm_batch_texts,
        batch_characters=memory.litellm_batch_characters,
        calls=memory.litellm_concurrency,
        retries=Retries(memory.litellm_retries),
        breaker_failures=memory.litellm_breaker_failures,
        breaker_pause_seconds=memory.litellm_breaker_seconds,
        slow_seconds=memory.embed_timeout_seconds / 2,
    )


def summary_settings(settings: Settings) -> SummarySettings | None:
    """The model that puts memories together; None where rules do."""
    compaction, key = settings.compaction, settings.compaction.litellm_api_key
    if compaction.litellm_model is None:
        return None
    return SummarySettings(
        Target(
            model=compaction.litellm_model,
            api_base=compaction.litellm_api_base,
            api_key=key.get_secret_value() if key else None,
            timeout_seconds=compaction.litellm_timeout_seconds,
        ),
        usd_per_million_tokens=compaction.usd_per_million_tokens,
        budget_cents=round((settings.memory.embedding_budget_usd or 0) * 100),
    )


def cache_bytes(settings: Settings) -> int:
    """How much the scopes in memory may take."""
    chosen = settings.retrieval.cache_bytes
    return default_bytes(settings.server.workers) if chosen is None else chosen


def budget_limit(settings: Settings) -> BudgetLimit | None:
    """What each tenant may spend on vectors; None for no limit."""
    memory = settings.memory
    if memory.embedding_budget_usd is None:
        return None
    return BudgetLimit(round(memory.embedding_budget_usd * NANO), memory.embedding_budget_period)


def job_rules(settings: Settings) -> JobRules:
    """How work that survives the process is repeated."""
    jobs = settings.jobs
    return JobRules(
        enabled=jobs.enabled,
        concurrency=jobs.concurrency,
        max_attempts=jobs.max_attempts,
        first_retry_seconds=jobs.first_retry_seconds,
        longest_retry_seconds=jobs.longest_retry_seconds,
        connect_timeout_seconds=settings.database.connect_timeout_seconds,
        maintenance_cron=settings.lifecycle.cron,
    )


def authenticator(settings: Settings, keys: PostgresTenants, clock: Clock) -> Authenticator:
    """Every kind of credential that the settings allow. Raises KeySetError."""
    identity = settings.identity
    times = KeyCacheTimes(identity.key_cache_seconds, identity.outage_grace_seconds)
    return Authenticator(
        KeyCache(keys, clock, times), _jwt_verifier(settings, clock), _certificates(settings)
    )


def _jwt_verifier(settings: Settings, clock: Clock) -> JwtVerifier | None:
    jwt = settings.identity.jwt
    if jwt.jwks_path is None:
        return None
    rules = JwtRules(
        issuer=jwt.issuer or "",
        audience=jwt.audience or "",
        tenant_claim=jwt.tenant_claim,
        agent_claim=jwt.agent_claim,
        role_claim=jwt.role_claim,
        default_role=Role[jwt.default_role.upper()],
        leeway_seconds=jwt.leeway_seconds,
    )
    return JwtVerifier(rules, JwksFile(jwt.jwks_path, clock), clock)


def _certificates(settings: Settings) -> SpiffeIdentities | None:
    mtls = settings.identity.mtls
    if mtls.trust_domain is None:
        return None
    return SpiffeIdentities(mtls.trust_domain, mtls.path_pattern, Role[mtls.role.upper()])


def listening(settings: Settings) -> Listening:
    """Where the port is, and what may come through it."""
    tls = settings.tls
    files = None
    if tls.certificate_path and tls.private_key_path:
        files = TlsFiles(tls.certificate_path, tls.private_key_path, tls.client_ca_path)
    return Listening(
        host=settings.server.host,
        port=settings.server.port,
        tls=files,
        shared_port=settings.server.workers > 1,
        max_message_bytes=settings.server.max_message_bytes,
        keepalive_seconds=settings.server.keepalive_seconds,
        reflection=settings.server.reflection,
    )


def pool_size(settings: Settings) -> PoolSize:
    """How many connections to Postgres are kept."""
    database = settings.database
    return PoolSize(database.pool_min, database.pool_max, database.connect_timeout_seconds)


def bounds(settings: Settings) -> Bounds:
    """How much is taken on at once, and for how long."""
    server = settings.server
    return Bounds(server.max_in_flight, server.max_streams, server.default_deadline_seconds)


def lifecycle_policy(settings: Settings) -> LifecyclePolicy:
    """How long memories live, and from when on nobody needs them."""
    lifecycle = settings.lifecycle
    days = lifecycle.lifetime_days.model_dump()
    return LifecyclePolicy(
        lifetimes={
            MemoryKind[name.upper()]: timedelta(days=each)
            for name, each in days.items()
            if each is not None
        },
        weekly_decay=lifecycle.weekly_decay,
        archive_below=lifecycle.archive_below,
        unimportant_below=lifecycle.unimportant_below,
        unimportant_after=timedelta(days=lifecycle.unimportant_after_days),
        memory_quota=lifecycle.memory_quota,
        retention=timedelta(days=lifecycle.retention_days),
    )
