"""Settings: where they come from, which wins, and what a wrong one is told."""

from pathlib import Path

import pytest
from camillo_server.settings.sections import ServerSettings
from camillo_server.settings.settings import Settings, SettingsError, describe_settings, load_settings
from pydantic import BaseModel, SecretStr

from tests.cases import each_case

HOME = {"HOME": "/home/ada"}


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "camillo.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(
    config_path: Path | None = None, environ: dict[str, str] | None = None, overrides: dict[str, object] | None = None
) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        load_settings(config_path, environ or {}, overrides or {})
    assert str(caught.value).splitlines() == list(caught.value.problems)
    return list(caught.value.problems)


def test_without_any_source_the_defaults_hold() -> None:
    settings = load_settings(None, HOME, {})
    assert settings.data_dir == Path("/home/ada/.local/share/camillo")
    assert (settings.server.host, settings.server.port) == ("127.0.0.1", 7070)
    assert settings.server.max_message_bytes == 16_777_216
    assert settings.database.url is None
    assert settings.model_dir == settings.data_dir / "models"


def test_an_absolute_xdg_data_home_moves_the_data_and_a_relative_one_does_not() -> None:
    assert load_settings(None, {"XDG_DATA_HOME": "/data"}, {}).data_dir == Path("/data/camillo")
    relative = load_settings(None, {**HOME, "XDG_DATA_HOME": "data"}, {})
    assert relative.data_dir == Path("/home/ada/.local/share/camillo")


def test_each_source_wins_over_the_one_before_value_by_value(tmp_path: Path) -> None:
    path = write(tmp_path, "server: {port: 1, workers: 2, max_streams: 3, max_in_flight: 4}")
    environ = {"CAMILLO_SERVER_WORKERS": "20", "CAMILLO_SERVER_MAX_STREAMS": "30"}
    server = load_settings(path, environ, {"server.max_streams": 300}).server
    assert (server.port, server.workers, server.max_streams, server.max_in_flight) == (1, 20, 300, 4)


def test_a_flag_that_was_not_given_changes_nothing() -> None:
    settings = load_settings(None, {"CAMILLO_SERVER_PORT": "8080"}, {"server.port": None})
    assert settings.server.port == 8080


def test_the_environment_may_name_the_file_and_the_argument_wins_over_it(tmp_path: Path) -> None:
    named = write(tmp_path, "server: {port: 1}")
    other = tmp_path / "other.yaml"
    other.write_text("server: {port: 2}")
    environ = {"CAMILLO_CONFIG": str(named)}
    assert load_settings(None, environ, {}).server.port == 1
    assert load_settings(other, environ, {}).server.port == 2


def test_sections_of_sections_are_set_by_one_variable() -> None:
    settings = load_settings(None, {"CAMILLO_IDENTITY_MTLS_PATH_PATTERN": "/{tenant}/{agent}"}, {})
    assert settings.identity.mtls.path_pattern == "/{tenant}/{agent}"


def test_a_variable_set_to_nothing_and_an_empty_section_are_not_set(tmp_path: Path) -> None:
    settings = load_settings(write(tmp_path, "server:\n"), {"CAMILLO_SERVER_PORT": ""}, {})
    assert settings.server.port == 7070


def test_an_empty_file_is_as_good_as_none(tmp_path: Path) -> None:
    assert load_settings(write(tmp_path, "# nothing yet\n"), {}, {}).server.port == 7070


def test_a_value_out_of_range_is_named_with_its_path_its_rule_and_its_origin(tmp_path: Path) -> None:
    path = write(tmp_path, "server: {port: 65536}")
    assert problems(path) == ["server.port: must be less than or equal to 65535 (got '65536' from camillo.yaml)"]
    assert load_settings(write(tmp_path, "server: {port: 65535}"), {}, {}).server.port == 65535


def test_every_problem_of_every_source_is_told_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "server: {prot: 1}\ntelemetry: {trace_ratio: 2}")
    lines = problems(path, {"CAMILLO_SERVER_WORKERS": "many"}, {"server.portt": 1})
    assert [line.split(":")[0] for line in lines] == [
        "server.prot",
        "server.portt",
        "server.workers",
        "telemetry.trace_ratio",
    ]


def test_an_unknown_key_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    assert problems(write(tmp_path, "server: {max_inflight: 1}")) == [
        "server.max_inflight: is not a setting; did you mean server.max_in_flight?"
    ]
    assert problems(write(tmp_path, "sever: {port: 1}")) == ["sever: is not a setting; did you mean server?"]


def test_an_unknown_variable_is_refused_with_the_nearest_name() -> None:
    assert problems(environ={"CAMILLO_SERVER_PROT": "1"}) == [
        "CAMILLO_SERVER_PROT: is not a setting; did you mean CAMILLO_SERVER_PORT?"
    ]


def test_variables_of_clients_tests_and_other_programs_are_left_alone() -> None:
    environ = {"CAMILLO_KEY": "k", "CAMILLO_ADDRESS": "a", "CAMILLO_TEST_DATABASE": "d", "PATH": "/bin"}
    assert load_settings(None, environ, {}).server.port == 7070


def test_variables_that_kubernetes_makes_for_a_service_named_camillo_are_left_alone() -> None:
    link = "tcp://10.0.0.1:7070"
    environ = {
        "CAMILLO_SERVICE_HOST": "10.0.0.1",
        "CAMILLO_SERVICE_PORT_GRPC": "7070",
        "CAMILLO_PORT": link,
        "CAMILLO_PORT_7070_TCP_ADDR": "10.0.0.1",
        "CAMILLO_SERVER_PORT": link,
    }
    assert load_settings(None, environ, {}).server.port == 7070
    assert load_settings(None, environ | {"CAMILLO_SERVER_PORT": "8080"}, {}).server.port == 8080


def test_a_setting_that_others_have_is_told_apart_from_a_typing_error(tmp_path: Path) -> None:
    later = "this version does not have this setting yet; leave it out"
    path = write(tmp_path, "memory: {vector_backend: pgvector, qdrant: {url: x}}")
    assert problems(path, {"CAMILLO_MEMORY_MAX_ENTRIES": "10"}) == [
        f"memory.vector_backend: {later}",
        f"memory.qdrant: {later}",
        "CAMILLO_MEMORY_MAX_ENTRIES: is called lifecycle.memory_quota",
    ]


def test_a_section_must_be_a_mapping(tmp_path: Path) -> None:
    assert problems(write(tmp_path, "server: 3")) == ["server: must be a mapping"]
    assert problems(write(tmp_path, "- server"))[0].endswith("must be a mapping of sections")


def test_a_file_that_is_missing_or_not_yaml_is_named_without_its_contents(tmp_path: Path) -> None:
    missing = tmp_path / "missing.yaml"
    assert problems(missing) == [f"{missing}: cannot be read: No such file or directory"]
    broken = write(tmp_path, "database: {url: 'hunter2")
    [line] = problems(broken)
    assert line.startswith(f"{broken}: is not YAML at line 1")
    assert "hunter2" not in line


@each_case(
    ("host", "switch", "has_reflection"),
    [
        ("127.0.0.1", None, True),
        ("localhost", None, True),
        ("::1", None, True),
        ("[::1]", None, True),
        ("0.0.0.0", None, False),  # noqa: S104
        ("::", None, False),
        ("camillo.example.com", None, False),
        ("0.0.0.0", True, True),  # noqa: S104
        ("127.0.0.1", False, False),
    ],
)
def test_reflection_is_for_callers_on_this_machine_unless_it_is_set(
    host: str, switch: bool | None, has_reflection: bool
) -> None:
    settings = ServerSettings(host=host, reflection=switch)
    assert settings.has_reflection is has_reflection


def test_a_certificate_and_its_key_come_together(tmp_path: Path) -> None:
    pem = tmp_path / "some.pem"
    pem.touch()
    certificate: dict[str, object] = {"tls.certificate_path": pem}
    assert problems(overrides=certificate) == ["tls: certificate_path and private_key_path must be given together"]
    settings = load_settings(None, {}, {**certificate, "tls.private_key_path": pem})
    assert settings.tls.enabled
    assert not load_settings(None, {}, {}).tls.enabled


def test_a_file_that_is_not_there_is_refused_at_start(tmp_path: Path) -> None:
    pem = str(tmp_path / "some.pem")
    assert problems(overrides={"tls.client_ca_path": pem})[0].startswith("tls.client_ca_path: must be an existing file")


def test_client_certificates_need_an_authority_that_checks_them(tmp_path: Path) -> None:
    pem = tmp_path / "some.pem"
    pem.touch()
    environ = {"CAMILLO_IDENTITY_MTLS_TRUST_DOMAIN": "example.org"}
    assert problems(environ=environ) == ["identity.mtls.trust_domain needs tls.client_ca_path"]
    tls: dict[str, object] = {f"tls.{name}": pem for name in ("certificate_path", "private_key_path", "client_ca_path")}
    assert load_settings(None, environ, tls).identity.mtls.trust_domain == "example.org"


def test_a_certificate_without_an_agent_is_for_tenant_admins_only() -> None:
    pattern = {"CAMILLO_IDENTITY_MTLS_PATH_PATTERN": "/tenant/{tenant}"}
    assert problems(environ=pattern) == ["identity.mtls: path_pattern must contain {agent} unless role is tenant_admin"]
    admin = load_settings(None, {**pattern, "CAMILLO_IDENTITY_MTLS_ROLE": "tenant_admin"}, {})
    assert admin.identity.mtls.role == "tenant_admin"


def test_tokens_are_taken_only_with_issuer_audience_and_keys(tmp_path: Path) -> None:
    environ = {"CAMILLO_IDENTITY_JWT_ISSUER": "https://issuer"}
    assert problems(environ=environ) == ["identity.jwt: issuer, audience and jwks_path must be given together"]
    keys = tmp_path / "keys.json"
    keys.touch()
    environ |= {"CAMILLO_IDENTITY_JWT_AUDIENCE": "camillo", "CAMILLO_IDENTITY_JWT_JWKS_PATH": str(keys)}
    assert load_settings(None, environ, {}).identity.jwt.enabled


def test_a_pool_may_not_start_larger_than_it_may_grow() -> None:
    assert problems(overrides={"database.pool_min": 9}) == ["database: pool_min must not be greater than pool_max"]
    assert load_settings(None, {}, {"database.pool_min": 8}).database.pool_min == 8


def test_the_owner_of_the_tables_defaults_to_the_one_who_serves() -> None:
    url = {"CAMILLO_DATABASE_URL": "postgresql://serves@db/camillo"}
    alone = load_settings(None, url, {}).database
    assert alone.migration_url == alone.url
    assert alone.url is not None
    both = load_settings(None, url, {"database.owner_url": "postgresql://owns@db/camillo"}).database
    assert both.migration_url == SecretStr("postgresql://owns@db/camillo")
    assert problems(overrides={"database.owner_url": "postgresql://owns@db/camillo"}) == [
        "database: owner_url needs url"
    ]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"compaction.litellm_model": "openai/a"}, "compaction.litellm_model"),
        ({"contradictions.litellm_model": "openai/a"}, "contradictions.litellm_model"),
        ({"reranking.provider": "litellm", "reranking.model": "jina_ai/a"}, "reranking.provider litellm"),
    ],
)
def test_a_model_that_callers_ask_as_they_like_needs_a_budget(given: dict[str, object], named: str) -> None:
    [problem] = problems(overrides=given)
    assert f"{named} needs memory.embedding_budget_usd" in problem
    load_settings(None, {}, {**given, "memory.embedding_budget_usd": 1})


def test_a_password_appears_neither_in_errors_nor_in_descriptions() -> None:
    wrong = {"CAMILLO_DATABASE_URL": "mysql://ada:hunter2@db/camillo"}
    with pytest.raises(SettingsError) as caught:
        load_settings(None, wrong, {})
    assert str(caught.value) == "database.url: must start with postgresql:// (from CAMILLO_DATABASE_URL)"
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None

    right = load_settings(None, {"CAMILLO_DATABASE_URL": "postgresql://ada:hunter2@db/camillo"}, {})
    assert "hunter2" not in repr(right) + str(describe_settings(right))
    assert right.database.url is not None
    assert "hunter2" in right.database.url.get_secret_value()


def test_litellm_needs_the_name_of_a_model_and_keeps_its_key_to_itself() -> None:
    environ = {"CAMILLO_MEMORY_EMBEDDING_MODEL": "litellm", "CAMILLO_MEMORY_LITELLM_API_KEY": "hunter2"}
    assert problems(environ=environ) == ["memory: embedding_model litellm needs litellm_model"]
    named = environ | {"CAMILLO_MEMORY_LITELLM_MODEL": "openai/text-embedding-3-small"}
    settings = load_settings(None, named, {})
    assert "hunter2" not in repr(settings) + repr(describe_settings(settings))
    assert settings.memory.litellm_api_key is not None
    assert settings.memory.litellm_api_key.get_secret_value() == "hunter2"


def test_every_setting_is_described_with_the_variable_that_sets_it() -> None:
    rows = describe_settings(load_settings(None, HOME, {"database.url": "postgresql://db/camillo"}))
    described = {path: (value, variable) for path, value, variable in rows}
    assert described["server.port"] == (7070, "CAMILLO_SERVER_PORT")
    assert described["identity.jwt.issuer"] == (None, "CAMILLO_IDENTITY_JWT_ISSUER")
    assert described["database.url"][0] == "********"
    assert described["database.owner_url"][0] is None
    assert len({variable for _, _, variable in rows}) == len(rows) > 40


def test_every_secret_of_the_tree_is_masked() -> None:
    url = "postgresql://db/camillo"
    given = {
        "database.url": url,
        "database.owner_url": url,
        "memory.litellm_api_key": "sk-1",
        "artifacts.store_secret_access_key": "sk-2",
        "encryption.keys": "2026:sk-3",
        "compaction.litellm_api_key": "sk-4",
        "reranking.api_key": "sk-5",
        "contradictions.litellm_api_key": "sk-6",
        "distillation.litellm_api_key": "sk-7",
    }
    rows = describe_settings(load_settings(None, {}, given))
    masked = {path for path, value, _ in rows if value == "********"}
    assert masked == set(secret_fields(Settings)) != set()


def secret_fields(section: type[BaseModel], prefix: str = "") -> list[str]:
    found = []
    for name, field in section.model_fields.items():
        annotation = field.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            found += secret_fields(annotation, f"{prefix}{name}.")
        elif "SecretStr" in repr(annotation):
            found.append(prefix + name)
    return found


def test_settings_cannot_be_changed_after_the_start() -> None:
    settings = load_settings(None, {}, {})
    with pytest.raises(ValueError, match="frozen"):
        settings.server.port = 1


@each_case("cron", ["1 2 3 4 1-9", "61 * * * *", "* * * * * *", "hourly and daily now", "@hourly @daily", "17 * * * ٣"])
def test_a_time_of_maintenance_that_is_none_is_refused_by_its_name(cron: str) -> None:
    (problem,) = problems(overrides={"lifecycle.cron": cron})
    assert problem.startswith("lifecycle.cron: must be minute, hour, day, month and weekday")


@pytest.mark.parametrize("cron", ["17 * * * *", "*/5 8-18 * * mon-fri", "0 3 1,15 * *"])
def test_maintenance_goes_by_a_time_of_ones_own(cron: str) -> None:
    assert load_settings(None, HOME, {"lifecycle.cron": cron}).lifecycle.cron == cron


def test_how_long_a_server_may_take_to_stop_is_bounded() -> None:
    for name in ("leave_seconds", "drain_seconds"):
        for seconds in ("-1", "3601", "soon"):
            (problem,) = problems(overrides={f"server.{name}": seconds})
            assert problem.startswith(f"server.{name}: must be")
    told = {"server.leave_seconds": 4.0, "server.drain_seconds": 30.0}
    assert load_settings(None, HOME, told).server.stop_seconds == 34.0
    assert load_settings(None, HOME, {}).server.leave_seconds == 0.0
