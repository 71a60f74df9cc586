"""SearchArtifact: matching lines with their numbers and surroundings, and ranked passages."""

import grpc
import pytest
from camillo.v1.artifact_service_pb2 import SearchArtifactRequest, SearchArtifactResponse

from tests.rpc.artifacts.calls import MIB, put, put_text
from tests.server_fixtures import Caller, Server, refusal

LINES = [
    f"{i} {'ERROR 错误 in módule' if i % 1_000 == 0 else 'все хорошо 🙂 ok'} {i * 7919 % 10_007}"
    for i in range(1, 80_001)
]


@pytest.fixture
async def log(server: Server) -> str:
    """The id of a log of some MiB with an error in every thousandth line."""
    return (await put_text(server.alice, "\r\n".join(LINES))).artifact_id


async def search(caller: Caller, artifact_id: str, **fields: object) -> list[SearchArtifactResponse]:
    """All messages of a search."""
    request = SearchArtifactRequest(artifact_id=artifact_id, **fields)  # type: ignore[arg-type]
    return [answer async for answer in caller.begin(request)]


async def numbers(caller: Caller, artifact_id: str, **fields: object) -> list[int]:
    """The numbers of the lines that match."""
    answers = await search(caller, artifact_id, **fields)
    return [match.line.number for answer in answers for match in answer.matches]


async def test_line_numbers_texts_and_places_are_exact(server: Server, log: str) -> None:
    answers = await search(server.alice, log, literal="错误", before=1, after=2)
    matches = [match for answer in answers for match in answer.matches]
    data = "\r\n".join(LINES).encode()
    assert [match.line.number for match in matches] == list(range(1_000, 80_001, 1_000))
    for match in matches:
        at = match.line.number
        assert match.line.text == LINES[at - 1]
        assert data[match.line.offset :].startswith(match.line.text.encode())
        assert [line.text for line in match.before] == LINES[at - 2 : at - 1]
        assert [line.text for line in match.after] == LINES[at : at + 2]
        [span] = match.spans
        assert match.line.text[span.start : span.end] == "错误"
    assert answers[-1].scanned_bytes == answers[-1].total_bytes == len(data)
    assert (answers[-1].next_line, answers[-1].limit_reached) == (0, False)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({"regex": r"^5\d{4} ERROR"}, list(range(50_000, 60_000, 1_000))),
        ({"literal": "MÓDULE", "ignore_case": True}, list(range(1_000, 80_001, 1_000))),
        ({"literal": "MÓDULE"}, []),
        ({"regex": r"ERROR[\s\S]*ok"}, []),
        ({"regex": r"^80000 "}, [80_000]),
        ({"literal": "80000 ERROR", "start_line": 80_000}, [80_000]),
    ],
)
async def test_patterns(server: Server, log: str, query: dict[str, object], wanted: list[int]) -> None:
    assert await numbers(server.alice, log, **query) == wanted


async def test_a_search_ends_at_its_limit_and_goes_on_from_there(server: Server, log: str) -> None:
    found: list[int] = []
    start_line = 0
    while True:
        answers = await search(server.alice, log, literal="ERROR", limit=7, start_line=start_line, before=2)
        matches = [match for answer in answers for match in answer.matches]
        found += [match.line.number for match in matches]
        assert all(len(match.before) == 2 for match in matches)
        start_line = answers[-1].next_line
        assert answers[-1].limit_reached == (start_line != 0)
        if not start_line:
            break
        assert len(matches) == 7
    assert found == list(range(1_000, 80_001, 1_000))


async def test_the_first_match_comes_before_the_end_is_read(server: Server) -> None:
    text = "needle\n" + "hay\n" * (4 * MIB)
    artifact_id = (await put_text(server.alice, text)).artifact_id
    answers = await search(server.alice, artifact_id, literal="needle")
    first = next(answer for answer in answers if answer.matches)
    assert first.scanned_bytes < first.total_bytes / 4
    assert answers[-1].scanned_bytes == answers[-1].total_bytes


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"regex": "(unclosed"}, "INVALID_FIELD"),
        ({"regex": r"(a)\1"}, "INVALID_FIELD"),
        ({"regex": "x{1000}{1000}"}, "INVALID_FIELD"),
        ({"literal": ""}, "INVALID_FIELD"),
        ({}, "INVALID_FIELD"),
        ({"literal": "x" * 1_001}, "INVALID_FIELD"),
        ({"literal": "x", "limit": 10_001}, "INVALID_FIELD"),
        ({"literal": "x", "before": 51}, "INVALID_FIELD"),
        ({"ranked": "x", "limit": 51}, "INVALID_FIELD"),
        ({"literal": "x", "start_line": 80_001}, "RANGE_PAST_END"),
    ],
)
async def test_what_cannot_be_searched_is_refused(
    server: Server, log: str, fields: dict[str, object], reason: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await search(server.alice, log, **fields)
    assert refusal(error.value).reason == reason


async def test_a_hostile_pattern_takes_linear_time(server: Server) -> None:
    artifact_id = (await put_text(server.alice, "a" * MIB + "\n")).artifact_id
    assert await numbers(server.alice, artifact_id, regex="(a|aa|a*)+$b") == []
    assert await numbers(server.alice, artifact_id, regex="(a|aa|a*)+$") == [1]


async def test_binary_content_has_no_lines_to_search(server: Server) -> None:
    artifact_id = (await put(server.alice, bytes(1000))).artifact.artifact_id
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await search(server.alice, artifact_id, literal="x")
    assert refusal(error.value).reason == "NOT_TEXT"


async def test_ranked_passages_answer_words_in_any_order(server: Server) -> None:
    lines = [f"filler line number {i} about nothing" for i in range(20_000)]
    lines[7_777] = "the peer dependency of react could not be resolved"
    lines[15_000] = "resolved quickly"
    artifact_id = (await put_text(server.alice, "\n".join(lines))).artifact_id
    answers = await search(server.alice, artifact_id, ranked="resolve react dependencies", limit=3)
    best = answers[-1].passages[0]
    assert best.first_line <= 7_778 <= best.last_line
    assert "peer dependency" in best.text
    scores = [passage.score for passage in answers[-1].passages]
    assert scores == sorted(scores, reverse=True)
    nothing = await search(server.alice, artifact_id, ranked="zebra")
    assert not nothing[-1].passages
