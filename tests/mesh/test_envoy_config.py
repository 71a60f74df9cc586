"""Envoy's configuration of each RPC, and that Envoy accepts it."""

import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from camillo_server.doors.rpc.contract import SERVICES
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from deploy.envoy.contract import READING, descriptor_set, paths_by_treatment, services
from deploy.envoy.render import DEFAULTS, RenderError, rendered
from tests.mesh.envoy_process import binary, render
from tests.rpc.certificates import Authority

UNANSWERED = {"connect-failure", "refused-stream", "reset", "unavailable", "cancelled"}
UNSENT = {"connect-failure", "refused-stream", "reset-before-request"}


@cache
def routes() -> list[dict[str, Any]]:
    """The routes, in the order in which they are tried."""
    [listener] = yaml.safe_load(rendered({}))["static_resources"]["listeners"]
    manager = listener["filter_chains"][0]["filters"][0]["typed_config"]
    [host] = manager["route_config"]["virtual_hosts"]
    found: list[dict[str, Any]] = host["routes"]
    return found


def route_of(path: str, *headers: str) -> dict[str, Any]:
    """How a call with these headers is treated."""
    for each in routes():
        match = each["match"]
        asked = {header["name"] for header in match.get("headers", [])} - {"content-type"}
        is_path = match.get("path") == path or path.startswith(match.get("prefix", "\0"))
        if is_path and asked <= set(headers):
            route: dict[str, Any] = each["route"]
            return route
    raise AssertionError(f"no route for {path}")


def retried_on(path: str, *headers: str) -> set[str]:
    return set(route_of(path, *headers)["retry_policy"]["retry_on"].split(","))


def test_every_rpc_of_the_contract_is_treated_in_one_way() -> None:
    paths = [path for each in paths_by_treatment().values() for path in each]
    methods = [f"/{s.full_name}/{m.name}" for s in services() for m in s.methods]
    assert sorted(paths) == sorted(methods)
    assert {service.full_name for service in services()} == set(SERVICES)


def test_what_reads_has_no_request_id_and_what_writes_once_has_one() -> None:
    for service in services():
        for method in service.methods:
            if method.name.startswith(READING):
                assert "request_id" not in method.input_type.fields_by_name, method.full_name


@pytest.mark.parametrize("path", paths_by_treatment()["reads"])
def test_a_read_is_repeated_elsewhere(path: str) -> None:
    assert retried_on(path) == UNANSWERED
    assert "per_try_timeout" in route_of(path)["retry_policy"]


@pytest.mark.parametrize("path", paths_by_treatment()["writes"])
def test_a_write_is_repeated_for_those_who_name_it(path: str) -> None:
    assert retried_on(path, "camillo-scope") == UNANSWERED
    assert retried_on(path) == UNSENT


@pytest.mark.parametrize("path", paths_by_treatment()["streams"])
def test_a_stream_has_no_end_and_is_not_repeated(path: str) -> None:
    route = route_of(path, "camillo-scope")
    assert (route["timeout"], route["idle_timeout"]) == ("0s", "0s")
    assert retried_on(path, "camillo-scope") == UNSENT


def test_whatever_is_called_goes_where_its_scope_is() -> None:
    *calls, nothing = routes()
    assert nothing["route"]["cluster"] == "nobody"
    for each in calls:
        headers = [by.get("header", {}).get("header_name") for by in each["route"]["hash_policy"]]
        assert headers[:2] == ["camillo-scope", "authorization"]


def test_only_what_is_grpc_passes_before_it_is_whole() -> None:
    *calls, rest = routes()
    for each in calls:
        assert each["typed_per_filter_config"]["envoy.filters.http.buffer"]["disabled"]
        assert "content-type" in [header["name"] for header in each["match"]["headers"]]
    assert "typed_per_filter_config" not in rest


def test_the_contract_comes_with_all_that_it_refers_to() -> None:
    files = FileDescriptorSet.FromString(descriptor_set()).file
    names = [file.name for file in files]
    assert len(names) == len(set(names))
    for place, file in enumerate(files):
        assert set(file.dependency) <= set(names[:place]), file.name
    assert {"google/rpc/status.proto", "google/rpc/error_details.proto"} <= set(names)


@pytest.mark.parametrize(("name", "value"), [("MESH_REPLICA", "a:1"), ("MESH_REPLICAS", "camillo")])
def test_a_variable_that_cannot_be_right_is_named(name: str, value: str) -> None:
    with pytest.raises(RenderError, match=name):
        rendered({name: value})


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("MESH_CERTIFICATE", "MESH_PRIVATE_KEY"),
        ("MESH_PRIVATE_KEY", "MESH_CERTIFICATE"),
        ("MESH_CLIENT_CA", "MESH_CERTIFICATE"),
        ("MESH_REPLICA_CERTIFICATE", "MESH_REPLICA_CA"),
        ("MESH_REPLICA_PRIVATE_KEY", "MESH_REPLICA_CERTIFICATE"),
    ],
)
def test_a_file_that_would_go_unused_is_refused(name: str, needed: str) -> None:
    with pytest.raises(RenderError, match=f"{name} needs .*{needed}"):
        rendered({name: "any.pem"})


def test_envoy_takes_it_with_nothing_set_and_with_everything(tmp_path: Path) -> None:
    program = binary()
    everything = {name: value or str(tmp_path / "any.pem") for name, value in DEFAULTS.items()}
    more = {"MESH_REPLICAS": "one:7070,[::1]:7071", "MESH_ORIGINS": "https://a.example.com"}
    make_pem(tmp_path)
    for number, variables in enumerate(({}, everything | more)):
        config = render(tmp_path / str(number), variables | descriptors(tmp_path / str(number)))
        assert validated(program, config) == 0
        # It looks at every field.
        wrong = config.with_name("wrong.yaml")
        wrong.write_text(config.read_text().replace("healthy_threshold", "helthy_threshold"))
        assert validated(program, wrong) != 0


def descriptors(directory: Path) -> dict[str, str]:
    return {"MESH_DESCRIPTORS": str(directory / "camillo.pb")}


def validated(program: str, config: Path) -> int:
    done = subprocess.run([program, "--mode", "validate", "-c", str(config)], capture_output=True, check=False)
    return done.returncode


def make_pem(directory: Path) -> None:
    """A certificate and its key in one file."""
    own = Authority().sign("localhost")
    (directory / "any.pem").write_bytes(own.certificate + own.private_key)
