"""Artifacts and what is found in them, as the contract has them."""

from uuid import UUID

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import memory_pb2
from camillo_server.features.artifacts import messages as artifact_convert
from camillo_server.features.artifacts.artifact import ArtifactDraft, ArtifactId, Citation, DeletionReplay
from camillo_server.features.artifacts.offload_output import Offloaded
from camillo_server.features.artifacts.read_artifact import ReadChunk, SearchProgress, TextPage
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.lib.outputs.line_search.query import Match, MatchLine, RankedPassage
from camillo_server.lib.outputs.summary.sample import ContentKind, Preview
from camillo_server.lib.redaction.redaction import FoundSecret, Redaction
from google.protobuf.json_format import MessageToDict

from tests.unit.rpc.artifacts import CHANGED, STORED, artifact, facts

STATED = ArtifactDraft(
    name="журнал.log",
    description="依赖安装",
    media_type="text/plain",
    tool="shell",
    command="npm install",
    exit_code=0,
    session_id="s1",
    tags=("b", "a"),
    sensitivity=Sensitivity.CONFIDENTIAL,
    metadata={"ok": True, "none": None, "n": 2.5, "s": "🎉"},
    expires_at=CHANGED,
    pinned=True,
    source_refs=("r1",),
)
BINARY = facts(encoding="", line_count=None, kind=ContentKind.BINARY, preview=Preview("", ""), description="data")
SECRETS = (FoundSecret("aws-access-token", 5), FoundSecret("jwt", 90))


def test_an_artifact_has_all_that_is_known_of_it() -> None:
    content = facts(redaction_counts={"jwt": 1, "aws-access-token": 2}, summary_model_id="m")
    message = artifact_convert.artifact_message(artifact(STATED, content))
    assert MessageToDict(message, preserving_proto_field_name=True) == {
        "artifact_id": "npm_install_7f3k9q2mxd",
        "agent_id": "ada",
        "memory_ref": "[MemoryRef: npm_install_7f3k9q2mxd - 依赖安装]",
        "name": "журнал.log",
        "description": "依赖安装",
        "kind": "CONTENT_KIND_LOG",
        "media_type": "text/plain",
        "tool": "shell",
        "command": "npm install",
        "exit_code": 0,
        "session_id": "s1",
        "tags": ["b", "a"],
        "sensitivity": "SENSITIVITY_CONFIDENTIAL",
        "metadata": {"ok": True, "none": None, "n": 2.5, "s": "🎉"},
        "expires_at": "2026-03-02T08:00:00.000001Z",
        "pinned": True,
        "source_refs": ["r1"],
        "created_by_agent_id": "ada",
        "created_at": "2026-03-01T12:30:15.123456Z",
        "updated_at": "2026-03-02T08:00:00.000001Z",
        "version": "3",
        "size_bytes": "12",
        "sha256": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "encoding": "utf-8",
        "line_count": "2",
        "summary": "a log",
        "summary_model_id": "m",
        "redaction_counts": [{"kind": "aws-access-token", "count": "2"}, {"kind": "jwt", "count": "1"}],
    }


def test_every_field_of_an_artifact_can_be_told() -> None:
    content = facts(redaction_counts={"jwt": 1}, summary_model_id="m")
    message = artifact_convert.artifact_message(artifact(STATED, content))
    told = {field.name for field, _ in message.ListFields()}
    assert told == set(pb.Artifact.DESCRIPTOR.fields_by_name)


def test_what_is_not_known_is_absent() -> None:
    message = artifact_convert.artifact_message(artifact(content=BINARY))
    for field in ("exit_code", "metadata", "expires_at", "line_count"):
        assert not message.HasField(field)
    assert message.description == "data"
    known = artifact_convert.artifact_message(artifact(STATED))
    for field in ("exit_code", "metadata", "expires_at", "line_count"):
        assert known.HasField(field)


def test_no_lines_and_lines_unknown_are_told_apart() -> None:
    message = artifact_convert.artifact_message(artifact(content=facts(line_count=0)))
    assert (message.HasField("line_count"), message.line_count) == (True, 0)


def test_text_alone_has_a_preview() -> None:
    known = artifact(content=facts(redactions=SECRETS))
    response = artifact_convert.put_response(known, (Redaction("name", "jwt", 3),))
    assert response.preview == pb.ArtifactPreview(head="first", tail="last")
    assert response.artifact == artifact_convert.artifact_message(known)
    assert [(each.kind, each.offset) for each in response.redactions] == [("aws-access-token", 5), ("jwt", 90)]
    (redaction,) = response.field_redactions
    assert redaction == memory_pb2.Redaction(field="name", kind="jwt", offset=3)
    binary = artifact_convert.put_response(artifact(content=BINARY), ())
    assert not binary.HasField("preview")


def test_what_is_known_of_an_artifact_comes_with_its_preview() -> None:
    known = artifact(content=facts(redactions=SECRETS))
    response = artifact_convert.get_response(known)
    assert response.artifact == artifact_convert.artifact_message(known)
    assert response.preview.head == "first"
    assert len(response.redactions) == 2
    assert not artifact_convert.get_response(artifact(content=BINARY)).HasField("preview")


def test_short_output_stays_inline() -> None:
    done = Offloaded(None, "שלום", 2, 2, SECRETS, (Redaction("tool", "jwt", 0),))
    response = artifact_convert.offload_response(done)
    assert (response.WhichOneof("outcome"), response.inline, response.text) == ("inline", "שלום", "שלום")
    assert (response.output_tokens, response.text_tokens) == (2, 2)
    assert not response.HasField("preview")
    assert (len(response.redactions), response.field_redactions[0].field) == (2, "tool")


def test_long_output_is_an_artifact() -> None:
    done = Offloaded(artifact(), "ref", 9000, 30, (), ())
    response = artifact_convert.offload_response(done)
    assert response.WhichOneof("outcome") == "artifact"
    assert response.artifact == artifact_convert.artifact_message(artifact())
    assert (response.text, response.output_tokens, response.text_tokens) == ("ref", 9000, 30)
    assert response.preview == pb.ArtifactPreview(head="first", tail="last")
    binary = Offloaded(artifact(content=BINARY), "ref", 9000, 30, (), ())
    assert not artifact_convert.offload_response(binary).HasField("preview")


def test_empty_output_inline_is_inline_all_the_same() -> None:
    response = artifact_convert.offload_response(Offloaded(None, "", 0, 0, (), ()))
    assert response.WhichOneof("outcome") == "inline"


def test_bytes_are_told_with_their_place_and_sum() -> None:
    response = artifact_convert.read_response(ReadChunk(b"\xff\0", 5, 2, 99), 2**32 - 1)
    assert (response.data, response.offset, response.line) == (b"\xff\0", 5, 2)
    assert (response.range_bytes, response.crc32c) == (99, 2**32 - 1)


def test_a_page_of_text_is_told_with_its_lines() -> None:
    response = artifact_convert.page_response(TextPage("ab\nc", 10, 3, 4, 2, 14), "more")
    assert (response.text, response.offset, response.tokens) == ("ab\nc", 10, 2)
    assert (response.first_line, response.last_line, response.next_page_token) == (3, 4, "more")


def test_matches_are_told_with_the_lines_around_them() -> None:
    before, line, after = (MatchLine(1, 0, "до"), MatchLine(2, 5, "ошибка 👍🏽", is_cut=True), MatchLine(3, 30, ""))
    progress = SearchProgress(
        total_bytes=100,
        scanned_bytes=40,
        matches=[Match(line, [(0, 6), (7, 9)], [before], [after])],
        next_line=4,
        limit_reached=True,
    )
    response = artifact_convert.search_response(progress)
    (match,) = response.matches
    assert match.line == pb.ArtifactLine(number=2, offset=5, text="ошибка 👍🏽", is_cut=True)
    assert [(span.start, span.end) for span in match.spans] == [(0, 6), (7, 9)]
    assert (match.before[0].text, match.after[0].number) == ("до", 3)
    assert (response.scanned_bytes, response.total_bytes) == (40, 100)
    assert (response.next_line, response.limit_reached) == (4, True)


def test_passages_are_told_in_their_order() -> None:
    passages = [RankedPassage(5, 9, 50, 2.5, "best"), RankedPassage(1, 2, 0, 1.0, "next")]
    response = artifact_convert.search_response(SearchProgress(9, 9, passages=passages))
    assert [each.text for each in response.passages] == ["best", "next"]
    assert response.passages[0] == pb.ArtifactPassage(first_line=5, last_line=9, offset=50, score=2.5, text="best")


def test_a_citation_is_of_a_memory() -> None:
    citation = Citation(MemoryId(UUID(int=3)), AgentId("ada"))
    assert artifact_convert.citation_message(citation) == pb.Citation(
        source=memory_pb2.SOURCE_MEMORY, cited_by_id="00000000-0000-0000-0000-000000000003", agent_id="ada"
    )


def test_a_receipt_names_the_stores_in_their_order() -> None:
    deletion = DeletionReplay(
        receipt_id=UUID(int=4),
        bytes_deleted=True,
        size=12,
        stores={"contents": 1, "artifacts": 1, "content_parts": 3},
        at=STORED,
    )
    message = artifact_convert.receipt_message(ArtifactId("a_1"), deletion)
    assert (message.receipt_id, message.artifact_id) == (str(UUID(int=4)), "a_1")
    assert (message.bytes_deleted, message.size_bytes) == (True, 12)
    assert [(each.store, each.rows) for each in message.stores] == [
        ("artifacts", 1),
        ("content_parts", 3),
        ("contents", 1),
    ]
    assert message.deleted_at.ToJsonString() == "2026-03-01T12:30:15.123456Z"
