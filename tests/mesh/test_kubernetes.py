"""The manifests: valid to the last field, and of one mind with the server."""

import copy
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from camillo_server.settings.settings import Settings, load_settings

from deploy.envoy.render import DEFAULTS, rendered

KUBERNETES = Path(__file__).parent.parent.parent / "deploy" / "kubernetes"
FOLDERS = ("base", "envoy", "backup")
CHOOSING = {"apiVersion", "kind"}
FREE = {"selector", "matchLabels", "labels", "limits", "requests"}
GIB = 1024**3
Manifest = dict[str, Any]


def manifests(folders: Sequence[str] = FOLDERS) -> list[Manifest]:
    """Whole resources; what only changes others is left to kustomize."""
    names = [KUBERNETES / folder / name for folder in folders for name in resources(folder)]
    return [each for path in names for each in yaml.safe_load_all(path.read_text())]


def resources(folder: str) -> list[str]:
    """The files that a kustomization names."""
    told = yaml.safe_load((KUBERNETES / folder / "kustomization.yaml").read_text())
    found: list[str] = told["resources"]
    return found


def manifest(kind: str, name: str) -> Manifest:
    [found] = [e for e in manifests() if (e["kind"], e["metadata"]["name"]) == (kind, name)]
    return found


def pod(name: str) -> Manifest:
    spec: Manifest = manifest("Deployment", name)["spec"]["template"]["spec"]
    return spec


def container(name: str) -> Manifest:
    [found] = pod(name)["containers"]
    return dict(found)


def problem(resource: Manifest) -> str:
    """Returns the first violation of the schema of Kubernetes, unknown fields included; empty if there is none."""
    schemas = pytest.importorskip("kubernetes_validate", reason="needs the extra mesh")
    try:
        schemas.validate(resource, schemas.latest_version(), strict=True)
    except schemas.ValidationError as error:
        return str(error.message)
    return ""


def fields(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Paths of all fields with a name of the schema's."""
    if isinstance(node, dict):
        for name, value in node.items():
            if re.fullmatch(r"[a-z][A-Za-z]+", name):
                yield (*path, name)
                yield from fields(value, (*path, name))
    elif isinstance(node, list):
        for place, value in enumerate(node):
            yield from fields(value, (*path, place))


def misspelt(resource: Manifest, path: tuple[str | int, ...]) -> Manifest:
    """The resource with one letter more in the name of a field."""
    changed = copy.deepcopy(resource)
    node: Any = changed
    for step in path[:-1]:
        node = node[step]
    node[f"{path[-1]}x"] = node.pop(path[-1])
    return changed


@pytest.mark.parametrize("resource", manifests(), ids=lambda r: f"{r['kind']}-{r['metadata']['name']}")
def test_a_manifest_is_valid_and_no_misspelling_of_it_is(resource: Manifest) -> None:
    assert problem(resource) == ""
    # By these the schema is chosen; below those any name will do.
    paths = [p for p in fields(resource) if not CHOOSING & {p[-1]} and not FREE & set(p[:-1])]
    # One at each depth: each costs a reading of all schemas.
    for path in {len(path): path for path in paths}.values():
        assert problem(misspelt(resource, path)), f"{path} could be misspelt"


def test_every_file_is_named_by_its_kustomization() -> None:
    for path in KUBERNETES.rglob("kustomization.yaml"):
        named = path.read_text()
        others = {other.name for other in path.parent.iterdir() if other.is_file()}
        for name in others - {"kustomization.yaml"}:
            assert name in named, f"{path.parent.name} does not name {name}"


@pytest.fixture(scope="module")
def example() -> dict[tuple[str, str], Manifest]:
    """Resources that the example installs, by kind and name."""
    program = shutil.which("kubectl")
    if program is None:
        pytest.skip("needs kubectl")
    built = subprocess.run(
        [program, "kustomize", str(KUBERNETES / "overlays" / "example")], capture_output=True, check=True
    )
    return {(e["kind"], e["metadata"]["name"]): e for e in yaml.safe_load_all(built.stdout)}


def test_the_example_is_valid_and_whole(example: dict[tuple[str, str], Manifest]) -> None:
    assert [problem(resource) for resource in example.values() if problem(resource)] == []
    # It takes no backups: those are added where there is a volume for them.
    assert len(example) > len(manifests([each for each in FOLDERS if each != "backup"]))
    policy = example["NetworkPolicy", "camillo"]["spec"]
    assert len(policy["egress"]) > len(manifest("NetworkPolicy", "camillo")["spec"]["egress"])


def test_in_the_example_nothing_goes_in_plain_text(example: dict[tuple[str, str], Manifest]) -> None:
    spec = example["Deployment", "camillo-envoy"]["spec"]["template"]["spec"]
    [init], [envoy] = spec["initContainers"], spec["containers"]
    told = {each["name"]: each["value"] for each in init["env"]}
    config = yaml.safe_load(rendered(told))
    [listener], [cluster] = (config["static_resources"][part] for part in ("listeners", "clusters"))
    assert listener["filter_chains"][0]["transport_socket"]
    assert cluster["transport_socket"]
    assert envoy["readinessProbe"]["httpGet"]["scheme"] == "HTTPS"
    # Each file is on a volume that is there.
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    places = {m["mountPath"]: volumes[m["name"]] for m in envoy["volumeMounts"]}
    for value in told.values():
        if value.startswith("/"):
            assert "secret" in places[str(Path(value).parent)]


def settings() -> Settings:
    """Settings that the server reads from the ConfigMap and the Secret."""
    lines = (KUBERNETES / "base" / "settings.env").read_text().splitlines()
    told = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    secret = {"CAMILLO_DATABASE_URL": "postgresql://camillo_server:secret@db.example.com/camillo"}
    return load_settings(None, told | secret, {})


def envoy_cluster() -> Manifest:
    """How Envoy treats the servers."""
    [cluster] = yaml.safe_load(rendered({}))["static_resources"]["clusters"]
    return dict(cluster)


def test_the_server_takes_its_settings() -> None:
    assert settings().server.workers == 1
    assert not settings().database.migrate_at_start


def test_envoys_threads_do_not_go_by_the_node() -> None:
    assert "--concurrency" in container("camillo-envoy")["args"]


def test_ports_are_those_that_the_server_listens_on() -> None:
    ports = {port["name"]: port["containerPort"] for port in container("camillo")["ports"]}
    told = settings()
    assert ports == {"grpc": told.server.port, "metrics": told.telemetry.prometheus_port}
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container("camillo")[probe]["grpc"]["port"] == told.server.port


def test_a_pod_leaves_before_it_drains_and_is_not_killed_meanwhile() -> None:
    [check] = envoy_cluster()["health_checks"]
    found_leaving = float(check["interval"].rstrip("s")) + float(check["timeout"].rstrip("s"))
    assert settings().server.leave_seconds > found_leaving
    needed = settings().server.stop_seconds + 10
    assert pod("camillo")["terminationGracePeriodSeconds"] >= needed


def test_an_envoy_that_is_full_is_not_killed_for_it() -> None:
    config = yaml.safe_load(rendered({}))
    bounds = [monitor["typed_config"] for monitor in config["overload_manager"]["resource_monitors"]]
    [heap] = [bound["max_heap_size_bytes"] for bound in bounds if "max_heap_size_bytes" in bound]
    limit = container("camillo-envoy")["resources"]["limits"]["memory"]
    assert limit == "1Gi"
    assert heap <= 0.8 * GIB


@pytest.mark.parametrize("name", ["camillo", "camillo-envoy"])
def test_a_pod_is_reached_through_its_ports_alone(name: str) -> None:
    policy = manifest("NetworkPolicy", name)["spec"]
    labels = manifest("Deployment", name)["spec"]["template"]["metadata"]["labels"]
    assert policy["podSelector"]["matchLabels"].items() <= labels.items()
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    opened = {port["port"] for rule in policy["ingress"] for port in rule["ports"]}
    assert opened == {port["name"] for port in container(name)["ports"]}


def test_the_servers_hear_envoy_and_envoy_may_speak_to_them() -> None:
    [heard] = [r for r in manifest("NetworkPolicy", "camillo")["spec"]["ingress"] if is_of(r, "grpc")]
    envoys = manifest("Deployment", "camillo-envoy")["spec"]["template"]["metadata"]["labels"]
    assert heard["from"] == [{"podSelector": {"matchLabels": envoys}}]
    servers = manifest("Deployment", "camillo")["spec"]["template"]["metadata"]["labels"]
    spoken = manifest("NetworkPolicy", "camillo-envoy")["spec"]["egress"]
    [to_servers] = [rule for rule in spoken if is_of(rule, settings().server.port)]
    assert to_servers["to"] == [{"podSelector": {"matchLabels": servers}}]


def is_of(rule: Manifest, port: str | int) -> bool:
    return port in [each["port"] for each in rule["ports"]]


@pytest.mark.parametrize("name", ["camillo", "camillo-envoy"])
def test_nothing_runs_as_root_or_writes_where_it_need_not(name: str) -> None:
    assert pod(name)["securityContext"]["runAsNonRoot"]
    for each in (*pod(name)["initContainers"], *pod(name)["containers"]):
        assert each["securityContext"]["readOnlyRootFilesystem"]
        assert not each["securityContext"]["allowPrivilegeEscalation"]
        assert each["resources"]["limits"]["memory"]


def test_envoy_asks_for_the_replicas_by_their_headless_service() -> None:
    [render] = pod("camillo-envoy")["initContainers"]
    told = {each["name"]: each["value"] for each in render["env"]}
    assert set(told) <= set(DEFAULTS)
    name, _, port = told["MESH_REPLICAS"].partition(":")
    headless = manifest("Service", name)["spec"]
    assert headless["clusterIP"] == "None"
    assert int(port) in [each["port"] for each in headless["ports"]]
    labels = manifest("Deployment", "camillo")["spec"]["template"]["metadata"]["labels"]
    assert headless["selector"].items() <= labels.items()
    assert told["MESH_PORT"] == str(container("camillo-envoy")["ports"][0]["containerPort"])


def test_the_variables_of_the_mtls_component_are_known() -> None:
    text = (KUBERNETES / "mtls" / "envoy.yaml").read_text()
    named = set(re.findall(r"MESH_\w+", text))
    assert named
    assert named <= set(DEFAULTS)
    paths = set(re.findall(r"CAMILLO_\w+", (KUBERNETES / "mtls" / "servers.yaml").read_text()))
    assert paths == {"CAMILLO_TLS_CERTIFICATE_PATH", "CAMILLO_TLS_PRIVATE_KEY_PATH", "CAMILLO_TLS_CLIENT_CA_PATH"}


def test_no_service_sends_calls_to_a_backup() -> None:
    template = manifest("CronJob", "camillo-backup")["spec"]["jobTemplate"]["spec"]["template"]
    labels = template["metadata"]["labels"]
    selectors = [each["spec"]["selector"] for each in manifests() if each["kind"] == "Service"]
    servers = manifest("Deployment", "camillo")["spec"]["template"]["metadata"]["labels"]
    assert any(selector.items() <= servers.items() for selector in selectors)
    assert not any(selector.items() <= labels.items() for selector in selectors)


def test_the_script_of_the_backup_keeps_whole_ones_and_removes_the_oldest(tmp_path: Path) -> None:
    template = manifest("CronJob", "camillo-backup")["spec"]["jobTemplate"]["spec"]["template"]
    [script] = template["spec"]["containers"][0]["args"]
    for day in range(1, 21):
        (tmp_path / f"2026-01-{day:02}T031700").mkdir()
        if day != 20:
            (tmp_path / f"2026-01-{day:02}T031700" / "manifest.json").touch()
    (tmp_path / "lost+found").mkdir()
    camillo = 'camillo() { test "$1" != backup || { mkdir "$2"; touch "$2/manifest.json"; }; }\n'
    text = camillo + script.replace("/backups", str(tmp_path))
    subprocess.run(["sh", "-ec", text], check=True)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left[:2] == ["2026-01-07T031700", "2026-01-08T031700"]
    assert len(left) == 13 + 1 + len(["lost+found"])
