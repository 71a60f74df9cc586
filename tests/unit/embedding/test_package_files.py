"""Models that a package ships: converted as they are, whole, right and in place, or not there at all."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from camillo_server.models.embedding.e5_conversion import convert
from camillo_server.models.embedding.model_catalogue import CATALOGUE
from camillo_server.models.embedding.model_hub import HubError, OtherContent
from camillo_server.models.embedding.model_spec import ModelSpec
from camillo_server.models.embedding.onnx import OnnxEmbedder
from camillo_server.models.embedding.onnx_model import EmbeddingError, OnnxModel
from camillo_server.models.embedding.package_files import PackageFile, pull_package

from tests.tiny_e5 import BEGIN, END, UNKNOWN, TinyE5, tiny_e5, write_package

SPEC = ModelSpec(query_prefix="query: ", document_prefix="passage: ", max_tokens=12)
# Four bits keep the weights; the values between two layers have eight of them in a product.
CLOSE = 0.08


class Pulling:
    """A package with a tiny model, and a place to pull it to."""

    def __init__(self, directory: Path) -> None:
        self.tiny = tiny_e5()
        self.archive, self.file = write_package(directory / "packages", self.tiny.content)
        self.models = directory / "data" / "models"

    def __call__(self, file: PackageFile | None = None, archive: Path | None = None) -> Path:
        return pull_package(file or self.file, archive, self.models, "tiny", SPEC, OnnxEmbedder)

    def left(self) -> list[str]:
        return sorted(path.name for path in self.models.rglob("*") if path.is_file())


@pytest.fixture
def pulling(tmp_path: Path) -> Pulling:
    return Pulling(tmp_path)


def converted(tiny: TinyE5, directory: Path) -> OnnxModel:
    source = directory / "tiny.bin"
    source.write_bytes(tiny.content)
    convert(source, directory)
    return OnnxModel(directory, 1, 16)


def test_a_converted_model_makes_the_vectors_of_its_weights(tmp_path: Path) -> None:
    tiny = tiny_e5()
    model = converted(tiny, tmp_path)
    texts = {"query: ab": [8, 9, 7], "猫 ab é": [11, 7, 12], "ab": [7]}
    output = model.run([*texts], "last_hidden_state")
    for row, pieces in enumerate(texts.values()):
        expected = tiny.hidden([BEGIN, *pieces, END])
        found = output.values[row, : len(expected)]
        assert np.abs(found - expected).max() < CLOSE * np.abs(expected).max()
    assert output.mask.sum(axis=1).tolist() == [5, 5, 3]


def test_other_weights_make_other_vectors(tmp_path: Path) -> None:
    model = converted(tiny_e5(seed=1), tmp_path)
    expected = tiny_e5(seed=2).hidden([BEGIN, 7, END])
    found = model.run(["ab"], "last_hidden_state").values[0]
    assert np.abs(found - expected).max() > CLOSE * np.abs(expected).max()


def test_texts_are_cut_into_pieces_as_the_model_was_trained(tmp_path: Path) -> None:
    model = converted(tiny_e5(), tmp_path)
    pieces = {
        "ａb": [7],  # of full width
        "e\u0301": [12],  # in two characters
        "  ab \n ab ": [7, 7],
        "猫": [11],
        "猫\u200bab": [11, 7],
        "😀": [4, UNKNOWN],
        "": [],
    }
    for text, expected in pieces.items():
        assert model._encode(text).ids == [BEGIN, *expected, END], text
    assert len(model._encode("ab " * 40).ids) == 16


def test_what_is_no_such_model_is_refused(tmp_path: Path) -> None:
    content = tiny_e5().content
    wrong = {
        b"": "it does not begin as one",
        b"E5S2" + content[4:]: "it does not begin as one",
        content[:40]: "cannot be read",
        content[:-1]: "cannot be read",
        content.replace(b"l1.fo.w", b"l1.fo.x"): "l1.fo.w",
        content[:40] + b"\x10" + content[41:]: "instead of 32",
    }
    source = tmp_path / "tiny.bin"
    for broken, told in wrong.items():
        source.write_bytes(broken)
        with pytest.raises(EmbeddingError, match=told):
            convert(source, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.bin"]
    source.write_bytes(content)
    convert(source, tmp_path)
    assert len([*tmp_path.iterdir()]) == 4


def test_a_model_is_made_of_an_archive(pulling: Pulling) -> None:
    directory = pulling(archive=pulling.archive)
    assert directory == pulling.models / "tiny"
    assert pulling.left() == ["camillo.json", "config.json", "model.onnx", "tokenizer.json"]
    embedder = OnnxEmbedder(directory)
    assert embedder.prefixes == ("query: ", "passage: ")
    again = pulling(archive=pulling.archive)
    assert OnnxEmbedder(again).model_id == embedder.model_id, "the same file makes the same model"


def test_pip_downloads_the_package(pulling: Pulling, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(pulling.archive.parent))
    with pytest.raises(HubError, match=r"^pip could not download tinye5==2.0: "):
        pulling(replace(pulling.file, version="2.0"))
    assert pulling.left() == []
    pulling()
    assert pulling.left() == ["camillo.json", "config.json", "model.onnx", "tokenizer.json"]


def test_a_wrong_archive_is_told_and_leaves_the_model_that_is_there(pulling: Pulling, tmp_path: Path) -> None:
    before = OnnxEmbedder(pulling(archive=pulling.archive)).model_id
    with pytest.raises(OtherContent, match="has the SHA-256"):
        pulling(replace(pulling.file, sha256="0" * 64), pulling.archive)
    with pytest.raises(HubError, match=r"tinye5-1.0-py3-none-any.whl has no file other.bin"):
        pulling(replace(pulling.file, path="other.bin"), pulling.archive)
    no_archive = tmp_path / "no.whl"
    no_archive.write_bytes(b"nothing")
    with pytest.raises(HubError, match=r"no.whl has no file"):
        pulling(archive=no_archive)
    other, file = write_package(tmp_path / "others", pulling.tiny.content[:-1])
    with pytest.raises(HubError, match=r"tinye5==1.0: the file of the model cannot be read"):
        pulling(file, other)
    assert OnnxEmbedder(pulling.models / "tiny").model_id == before


def test_every_package_of_the_catalogue_is_pinned() -> None:
    packaged = {name: known for name, known in CATALOGUE.items() if known.package}
    assert packaged
    for name, known in packaged.items():
        assert known.package is not None
        assert len(known.package.sha256) == 64, name
        assert (bool(known.licence), known.is_pinned, known.files) == (True, True, ()), name
        assert known.origin == known.package.package
