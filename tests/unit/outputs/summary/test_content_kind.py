"""The kinds of content: their numbers are stored and sent."""

from camillo_server.lib.outputs.summary.sample import ContentKind


def test_the_numbers_of_kinds_never_change() -> None:
    assert {kind.name: int(kind) for kind in ContentKind} == {
        "UNSPECIFIED": 0,
        "TEXT": 1,
        "LOG": 2,
        "JSON": 3,
        "TABLE": 4,
        "CODE": 5,
        "BINARY": 6,
    }
