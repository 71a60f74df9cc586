"""The chart: its values are used and checked, and what it renders is valid and of one mind with the manifests."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from camillo_server.settings.settings import load_settings

from tests.mesh.test_kubernetes import KUBERNETES, container, pod, problem
from tests.mesh.test_kubernetes import manifest as of_kustomize

ROOT = Path(__file__).parents[2]
CHART = ROOT / "deploy" / "helm" / "camillo"
VALUES = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
SCHEMA = json.loads((CHART / "values.schema.json").read_text("utf-8"))
# The shortest installation, and one with everything.
SHORT = ("envoy.enabled=false", "networkPolicy.enabled=false", "autoscaling.enabled=false", "replicas=2")
FULL = (
    "existingSecret=keys",
    "image.repository=registry.example.com/camillo",
    "image.tag=0.2.0",
    "imagePullSecrets[0].name=pull",
    "settings.CAMILLO_LIFECYCLE_RETENTION_DAYS=180",
    "envoy.tlsSecret=camillo-public-tls",
    "envoy.service.type=LoadBalancer",
    "envoy.service.annotations.a=b",
    "networkPolicy.egress[0].ports[0].port=4317",
)
# A helm that is not built by its own project takes the version of Kubernetes to be an old one.
TEMPLATE = ("template", "blue", CHART, "--namespace", "memory", "--kube-version", "1.33.0")
Manifest = dict[str, Any]


def helm(*words: str | Path) -> str:
    """Returns what helm prints; a test is skipped where it is not here."""
    program = shutil.which("helm", path=f"{ROOT / 'build' / 'helm'}") or shutil.which("helm")
    if program is None:
        pytest.skip("needs helm, which `make helm` builds")
    ran = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def rendered(*values: str) -> dict[tuple[str, str], Manifest]:
    """Resources of the release `blue`, by kind and name."""
    changes = [word for value in values for word in ("--set-string" if "CAMILLO_" in value else "--set", value)]
    documents = yaml.safe_load_all(helm(*TEMPLATE, *changes))
    return {(each["kind"], each["metadata"]["name"]): each for each in documents if each}


def paths(values: Manifest, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, value in values.items():
        is_group = isinstance(value, dict) and value and name not in ("settings", "requests", "limits", "resources")
        yield from paths(value, (*path, name)) if is_group else [(*path, name)]


def test_every_value_is_used_and_has_a_schema() -> None:
    templates = "".join(path.read_text("utf-8") for path in CHART.glob("templates/*"))
    assert len([*paths(VALUES)]) > 20
    for path in paths(VALUES):
        assert f".Values.{'.'.join(path)}" in templates, f"no template uses {'.'.join(path)}"
        schema = SCHEMA
        for name in path:
            schema = schema["properties"][name]
    used = set(re.findall(r"\.Values\.([A-Za-z.]+)", templates))
    assert used == {".".join(path) for path in paths(VALUES)}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"replica": 3}, "replica"),
        ({"replicas": 0}, "minimum"),
        ({"existingSecret": ""}, "does not match"),
        ({"settings": {"CAMILLO_DATABASE_URL": "postgresql://u:p@db/c"}}, "should not be valid"),
        ({"settings": {"CAMILLO_ENCRYPTION_KEYS": "k1:x"}}, "should not be valid"),
        ({"settings": {"CAMILLO_SERVER_PORT": "1"}}, "should not be valid"),
        ({"settings": {"DATABASE_URL": "x"}}, "DATABASE_URL"),
        ({"settings": {"CAMILLO_SERVER_WORKERS": 1}}, "is not of type"),
        ({"envoy": {"service": {"type": "Public"}}}, "is not one of"),
    ],
)
def test_the_schema_takes_the_values_and_no_wrong_ones(change: Manifest, word: str) -> None:
    jsonschema.validate(VALUES, SCHEMA)
    with pytest.raises(jsonschema.ValidationError) as refused:
        jsonschema.validate(VALUES | change, SCHEMA)
    assert word in str(refused.value)


def test_the_charts_version_is_that_of_the_server() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert version is not None
    assert (chart["version"], chart["appVersion"]) == (version[1], version[1])


def test_helm_finds_nothing_to_mend() -> None:
    assert "0 chart(s) failed" in helm("lint", "--strict", CHART)


@pytest.mark.parametrize("values", [(), SHORT, FULL], ids=["default", "short", "full"])
def test_what_is_rendered_is_valid_and_fits_together(values: tuple[str, ...]) -> None:
    resources = rendered(*values)
    assert [problem(each) for each in resources.values() if problem(each)] == []
    pods = {name: each["spec"]["template"] for (kind, name), each in resources.items() if kind in ("Deployment", "Job")}
    labels = {name: template["metadata"]["labels"] for name, template in pods.items()}
    ports = {
        name: {
            port["name"]: port["containerPort"]
            for each in template["spec"]["containers"]
            for port in each.get("ports", ())
        }
        for name, template in pods.items()
    }
    for (kind, name), each in resources.items():
        assert name.startswith("blue-camillo"), (kind, name)
        match kind:
            case "Deployment":
                assert each["spec"]["selector"]["matchLabels"].items() <= labels[name].items()
            case "Service":
                [chosen] = [pod for pod, its in labels.items() if each["spec"]["selector"].items() <= its.items()]
                assert {port["targetPort"] for port in each["spec"]["ports"]} <= ports[chosen].keys()
            case "PodDisruptionBudget" | "NetworkPolicy":
                selector = (each["spec"].get("selector") or each["spec"]["podSelector"])["matchLabels"]
                assert [pod for pod, its in labels.items() if selector.items() <= its.items()] == [name]
            case "HorizontalPodAutoscaler":
                assert each["spec"]["scaleTargetRef"]["name"] in pods
            case "ConfigMap":
                assert not re.search(r"://|URL|KEYS|SECRET|PASSWORD|TOKEN", json.dumps(each["data"]))
                settings = load_settings(None, each["data"] | {"CAMILLO_DATABASE_URL": "postgresql://u@db/c"}, {})
                assert settings.server.port == ports["blue-camillo"]["grpc"]
                assert settings.telemetry.prometheus_port == ports["blue-camillo"]["metrics"]
                assert not settings.database.migrate_at_start
    server = resources["Deployment", "blue-camillo"]["spec"]
    assert ("replicas" in server) != (("HorizontalPodAutoscaler", "blue-camillo") in resources)
    assert (("Deployment", "blue-camillo-envoy") in resources) == (values != SHORT)


def test_values_reach_what_they_are_for() -> None:
    default, full = rendered(), rendered(*FULL)
    for name, image in (("default", "camillo:0.1.0"), ("full", "registry.example.com/camillo:0.2.0")):
        resources = {"default": default, "full": full}[name]
        server = resources["Deployment", "blue-camillo"]["spec"]["template"]["spec"]
        job = resources["Job", "blue-camillo-migrate"]["spec"]["template"]["spec"]
        envoy = resources["Deployment", "blue-camillo-envoy"]["spec"]["template"]["spec"]
        assert {server["containers"][0]["image"], job["containers"][0]["image"]} == {image}
        assert envoy["initContainers"][0]["image"] == image
        secret = {"default": "camillo", "full": "keys"}[name]
        asked = [each["valueFrom"]["secretKeyRef"] for each in server["containers"][0]["env"]]
        assert {each["name"] for each in asked} == {secret}
        assert {each["key"] for each in asked} == {"database-url", "encryption-keys"}
        has_tls = any(each["name"] == "public-tls" for each in envoy["volumes"])
        assert has_tls == (name == "full")
    assert full["ConfigMap", "blue-camillo-settings"]["data"]["CAMILLO_LIFECYCLE_RETENTION_DAYS"] == "180"
    annotations = [
        each["Deployment", "blue-camillo"]["spec"]["template"]["metadata"]["annotations"] for each in (default, full)
    ]
    assert annotations[0] != annotations[1]
    assert full["Service", "blue-camillo-envoy"]["metadata"]["annotations"] == {"a": "b"}
    assert len(full["NetworkPolicy", "blue-camillo"]["spec"]["egress"]) == 3
    hooks = default["Job", "blue-camillo-migrate"]["metadata"]["annotations"]
    assert hooks["helm.sh/hook"] == "pre-install,pre-upgrade"


def test_the_chart_says_what_the_manifests_say() -> None:
    resources = rendered()
    server = resources["Deployment", "blue-camillo"]["spec"]["template"]["spec"]["containers"][0]
    for field in ("args", "ports", "startupProbe", "readinessProbe", "livenessProbe", "securityContext", "resources"):
        assert server[field] == container("camillo")[field], field
    envoy = resources["Deployment", "blue-camillo-envoy"]["spec"]["template"]["spec"]["containers"][0]
    for field in ("args", "ports", "readinessProbe", "livenessProbe", "lifecycle", "securityContext", "image"):
        assert envoy[field] == container("camillo-envoy")[field], field
    for name in ("camillo", "camillo-envoy"):
        chart = resources["Deployment", f"blue-{name}"]["spec"]["template"]["spec"]
        assert chart["terminationGracePeriodSeconds"] == pod(name)["terminationGracePeriodSeconds"]
        assert chart["securityContext"] == pod(name)["securityContext"]
    lines = (KUBERNETES / "base" / "settings.env").read_text("utf-8").splitlines()
    settings = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert resources["ConfigMap", "blue-camillo-settings"]["data"] == settings
    autoscaler = of_kustomize("HorizontalPodAutoscaler", "camillo")["spec"]
    theirs = resources["HorizontalPodAutoscaler", "blue-camillo"]["spec"]
    assert {**theirs, "scaleTargetRef": 0} == {**autoscaler, "scaleTargetRef": 0}
