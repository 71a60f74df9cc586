"""The benchmark of what calls take of the processor: whose a sampled stack is."""

import pytest

from bench.budget.stacks import part_of, stacks_of
from tests.cases import each_case

LOOP = "Handle._run (/usr/lib/python3.11/asyncio/events.py:80)"
RECALL = "Recall.__call__ (/srv/camillo_server/search/recall.py:115)"


@each_case(
    ("stack", "part"),
    [
        ((LOOP, RECALL, "search (/srv/site-packages/faiss/class_wrappers.py:329)"), "faiss"),
        ((LOOP, RECALL, "run (/srv/site-packages/onnxruntime/capi/session.py:9)"), "onnx"),
        ((LOOP, "execute (/srv/site-packages/psycopg/cursor_async.py:117)"), "psycopg"),
        ((LOOP, RECALL, "fill (/srv/camillo_server/rows/messages.py:3)"), "protobuf"),
        ((LOOP, "Decoder._decode (/srv/camillo_server/doors/rpc/request_bodies.py:3)"), "protobuf"),
        ((LOOP, RECALL, "lexsort (/srv/site-packages/numpy/_core.py:3)"), "python"),
        # Code of the server that a library's callback runs is the server's.
        (("run (/srv/site-packages/psycopg/waiting.py:1)", RECALL), "python"),
        ((LOOP,), "python"),
    ],
)
def test_a_stack_belongs_to_its_innermost_library_or_server_function(stack: tuple[str, ...], part: str) -> None:
    assert part_of(stack) == part


def test_threads_count_by_the_time_that_they_spent() -> None:
    stacks = stacks_of(
        [
            f"thread (7): MainThread;{LOOP};{RECALL} 3",
            f"thread (7): MainThread;{LOOP};search (/x/faiss/loader.py:1) 1",
            # As often seen, but waiting.
            f"thread (7): MainThread;{LOOP};EpollSelector.select (/usr/lib/selectors.py:468) 4",
            "thread (8): search_0;_worker (/usr/lib/python3.11/concurrent/futures/thread.py:81) 4",
        ],
        {7: 0.8, 8: 0.0, 9: 0.2},
    )
    assert stacks.shares() == pytest.approx({"faiss": 0.2, "onnx": 0, "psycopg": 0, "protobuf": 0, "python": 0.6})
