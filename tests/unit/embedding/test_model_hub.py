"""Models from a hub: whole, right and in place, or not there at all."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.models.embedding.lexical import LexicalEmbedder
from camillo_server.models.embedding.model_catalogue import CATALOGUE, ModelUse
from camillo_server.models.embedding.model_hub import HubError, HubFile, WebFile, hub_files, hub_url, pull, pull_file
from camillo_server.models.embedding.onnx import OnnxEmbedder
from camillo_server.models.embedding.onnx_model import HEAD_FILES
from camillo_server.models.embedding.providers import choose_embedder
from camillo_server.settings.settings import MemorySettings

from tests.hub_server import Hub, hub_server
from tests.unit.embedding.conftest import write_tiny_model

REPOSITORY = "acme/tiny"
PATH = f"/{REPOSITORY}/resolve/main/onnx/model.onnx"


class Seen:
    """The progress that was told of."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int, int | None]] = []

    def __call__(self, name: str, done_bytes: int, total_bytes: int | None) -> None:
        self.told.append((name, done_bytes, total_bytes))

    def last(self, name: str) -> tuple[int, int | None]:
        return [(done, total) for told, done, total in self.told if told == name][-1]


class Pulling:
    """A hub with a tiny model, and a place to pull it to."""

    def __init__(self, hub: Hub, directory: Path) -> None:
        self.hub = hub
        self.source = write_tiny_model(directory / "source")
        self.models = directory / "data" / "models"
        self.seen = Seen()
        hub.publish(self.source, REPOSITORY, "onnx/model.onnx")

    def sums(self) -> dict[str, str]:
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in self.source.iterdir()}

    def __call__(self, sums: dict[str, str] | None = None) -> Path:
        files = hub_files(REPOSITORY, "main", "onnx/model.onnx", self.sums() if sums is None else sums)
        return pull(self.hub.url, files, self.models, "tiny", self.seen)

    def is_there(self) -> bool:
        return (self.models / "tiny").exists()

    def partial(self) -> Path:
        return self.models / ".downloads" / "tiny" / "model.onnx.partial"

    def served(self) -> bytes:
        return self.hub.files[PATH]


@pytest.fixture
def pulling(tmp_path: Path) -> Iterator[Pulling]:
    with hub_server() as hub:
        yield Pulling(hub, tmp_path)


def test_a_model_is_downloaded_and_loads(pulling: Pulling) -> None:
    directory = pulling()
    assert OnnxEmbedder(directory).dimensions == 3
    assert sorted(path.name for path in directory.iterdir()) == ["config.json", "model.onnx", "tokenizer.json"]
    size = len(pulling.served())
    assert pulling.seen.last("model.onnx") == (size, size)
    assert not list((pulling.models / ".downloads").iterdir())


def test_redirects_are_followed_and_ranges_with_them(pulling: Pulling) -> None:
    pulling.hub.redirects = True
    pulling.hub.breaks[PATH] = 100
    with pytest.raises(HubError):
        pulling()
    pulling()
    assert (PATH, "bytes=100-") in pulling.hub.requests


@pytest.mark.parametrize("pinned", [True, False])
def test_a_download_that_broke_off_goes_on_where_it_was(pulling: Pulling, pinned: bool) -> None:
    sums = pulling.sums() if pinned else {}
    size = len(pulling.served())
    pulling.hub.breaks[PATH] = 100
    with pytest.raises(HubError, match=f"100 of {size} bytes: run it again"):
        pulling(sums)
    assert pulling.partial().stat().st_size == 100
    assert not pulling.is_there()
    pulling(sums)
    assert pulling.hub.requests[-1] == (PATH, "bytes=100-")
    assert (pulling.models / "tiny" / "model.onnx").read_bytes() == pulling.served()


def test_files_that_are_there_and_right_are_not_downloaded_again(pulling: Pulling) -> None:
    pulling.hub.breaks[PATH] = 100
    with pytest.raises(HubError):
        pulling()
    pulling()
    assert sum(path != PATH for path, _ in pulling.hub.requests) == 2


@pytest.mark.parametrize(("tags", "ranges"), [(False, True), (True, False)])
def test_without_tags_or_ranges_it_begins_anew(pulling: Pulling, tags: bool, ranges: bool) -> None:
    pulling.hub.tags, pulling.hub.ranges = tags, ranges
    pulling.hub.breaks[PATH] = 100
    with pytest.raises(HubError):
        pulling({})
    pulling({})
    assert (pulling.models / "tiny" / "model.onnx").read_bytes() == pulling.served()


def test_the_rest_of_another_version_is_not_put_behind_the_first(pulling: Pulling) -> None:
    pulling.hub.breaks[PATH] = 100
    with pytest.raises(HubError):
        pulling({})
    old = pulling.served()
    other = write_tiny_model(pulling.models.parent / "other", ("input_ids", "attention_mask"))
    pulling.hub.publish(other, REPOSITORY, "onnx/model.onnx")
    assert pulling.served()[:100] != old[:100]
    pulling({})
    assert (pulling.models / "tiny" / "model.onnx").read_bytes() == pulling.served()


def test_a_file_with_another_sum_is_deleted(pulling: Pulling) -> None:
    wrong = pulling.sums() | {"model.onnx": "0" * 64}
    with pytest.raises(HubError, match=r"model\.onnx has the SHA-256 \w{64} instead of 0+: it was deleted"):
        pulling(wrong)
    assert not pulling.partial().exists()
    assert not pulling.is_there()
    pulling()
    assert pulling.is_there()


def test_what_was_left_and_is_already_whole_is_looked_at_before_it_is_thrown_away(pulling: Pulling) -> None:
    for content in (pulling.served(), b"x" * 10_000):
        pulling.partial().parent.mkdir(parents=True, exist_ok=True)
        pulling.partial().write_bytes(content)
        assert (pulling() / "model.onnx").read_bytes() == pulling.served()


def test_a_model_that_does_not_load_is_not_put_in_place(pulling: Pulling) -> None:
    good = pulling.served()
    pulling.hub.files[PATH] = b"broken"
    with pytest.raises(HubError, match=r"does not load: model\.onnx"):
        pulling({})
    assert not pulling.is_there()
    pulling.hub.files[PATH] = good
    pulling({})
    assert pulling.is_there()


def test_a_model_of_the_same_name_is_replaced_at_once(pulling: Pulling) -> None:
    before = OnnxEmbedder(pulling()).model_id
    other = write_tiny_model(pulling.models.parent / "other", ("input_ids", "attention_mask"))
    pulling.hub.publish(other, REPOSITORY, "onnx/model.onnx")
    assert OnnxEmbedder(pulling({})).model_id != before
    assert not list((pulling.models / ".downloads").iterdir())


def test_a_server_does_not_see_half_a_model(pulling: Pulling) -> None:
    def chosen() -> Embedder:
        return choose_embedder(MemorySettings(), pulling.models.parent).embedder

    pulling.hub.files[f"/{REPOSITORY}/resolve/main/tokenizer.json"] = b""
    with pytest.raises(HubError):
        pulling()
    pulling.hub.breaks[PATH] = 100
    assert isinstance(chosen(), LexicalEmbedder)
    pulling.hub.publish(pulling.source, REPOSITORY, "onnx/model.onnx")
    with pytest.raises(HubError):
        pulling()
    assert isinstance(chosen(), LexicalEmbedder)
    pulling()
    assert isinstance(chosen(), OnnxEmbedder)


def test_what_the_hub_does_not_have_is_told(pulling: Pulling) -> None:
    del pulling.hub.files[PATH]
    with pytest.raises(HubError, match="404 Not Found: is the name right"):
        pulling()


def test_a_hub_that_is_away_is_told(tmp_path: Path) -> None:
    with hub_server() as hub:
        gone = hub.url
    with pytest.raises(HubError, match="refused"):
        pull(gone, CATALOGUE["all-minilm-l6-v2"].files, tmp_path, "x", Seen())


def test_an_endpoint_that_is_no_web_address_is_refused(tmp_path: Path) -> None:
    for endpoint in ("file:///etc", "ftp://x", "hub.example.com"):
        with pytest.raises(HubError, match="https"):
            pull(endpoint, CATALOGUE["all-minilm-l6-v2"].files, tmp_path, "x", Seen())


def test_a_single_file_appears_when_it_is_whole_and_right(pulling: Pulling) -> None:
    url, digest = f"{pulling.hub.url}{PATH}", pulling.sums()["model.onnx"]
    target = pulling.models / "one"
    pulling.hub.breaks[PATH] = 100
    with pytest.raises(HubError, match="run it again"):
        pull_file(WebFile("one", url, digest), pulling.models, pulling.seen)
    with pytest.raises(HubError, match="it was deleted"):
        pull_file(WebFile("one", url, "0" * 64), pulling.models, pulling.seen)
    assert not target.exists()
    assert pull_file(WebFile("one", url, digest), pulling.models, pulling.seen) == target
    assert target.read_bytes() == pulling.served()
    assert not list((pulling.models / ".downloads").iterdir())


def test_addresses_are_those_of_the_hub() -> None:
    file = HubFile("model.onnx", "owner/name", "onnx/model.onnx", "refs/pr/1")
    expected = "https://hub.example.com/owner/name/resolve/refs%2Fpr%2F1/onnx/model.onnx"
    assert hub_url("https://hub.example.com/", file) == expected
    assert hub_url("https://h/x", replace(file, revision="v 1")).endswith("/resolve/v%201/onnx/model.onnx")


def test_every_model_of_the_catalogue_is_whole() -> None:
    for name, model in CATALOGUE.items():
        assert model.name == name
        names = {file.name for file in (model.package.converted_files() if model.package else model.files)}
        head = set(HEAD_FILES) if "ettin" in name else set()
        assert names == {"config.json", "tokenizer.json", "model.onnx"} | head
        assert model.licence in ("Apache-2.0", "MIT")
        assert 0 < model.megabytes < 130
        assert model.languages
        assert (model.dimensions is None) == (model.use is ModelUse.RERANKER)
        assert all(each < (model.dimensions or 0) for each in model.spec.dimensions)


def test_digests_are_whole_or_none_and_the_default_model_has_them() -> None:
    digests = {file.sha256 for model in CATALOGUE.values() for file in model.files}
    assert all(digest is None or len(digest) == 64 for digest in digests)
    assert CATALOGUE["all-minilm-l6-v2"].is_pinned
