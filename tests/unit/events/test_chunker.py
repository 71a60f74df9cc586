"""The chunker: what each kind of content is read as."""

from camillo_server.features.events.chunks import chunk_texts
from camillo_server.features.events.event import Actor, JsonContent, ToolCallContent
from camillo_server.kernel.kinds import MAX_CHUNK_CHARACTERS, ActorType
from camillo_server.lib.text.json_lines import json_text

from tests.unit.events.samples import PRINTED, event_of, result_of

BOT = Actor(ActorType.AGENT, "Bot")


def test_a_message_says_who_spoke() -> None:
    assert chunk_texts(event_of("أريد شاياً أخضر 🍵")) == ["Ana: أريد شاياً أخضر 🍵"]


def test_every_passage_of_a_long_answer_says_who_spoke() -> None:
    texts = chunk_texts(event_of("Steep the leaves for three minutes at most. " * 200, BOT))
    assert len(texts) > 5
    assert all(text.startswith("Bot: Steep") for text in texts)


def test_a_passage_stands_under_its_headings_but_those_in_code_are_none() -> None:
    steps = "Steep the leaves for three minutes at most. " * 12
    text = (
        f"# Tea\n\n{steps}\n\n## Green ##\n\n{steps}\n\n```\n# no heading\n```\n\n{steps}\n\n# Coffee\n\n{steps}{steps}"
    )
    texts = chunk_texts(event_of(text))
    assert texts[0].startswith("Ana: # Tea")
    below_green = [each for each in texts if each.startswith("Ana: Tea > Green\n")]
    assert below_green
    assert not any("no heading >" in each or "> no heading" in each for each in texts)
    assert any(each.startswith(("Ana: # Coffee", "Ana: Coffee\n")) for each in texts)


def test_json_is_read_as_lines_that_name_their_places() -> None:
    assert chunk_texts(event_of(PRINTED, BOT)) == [
        "Bot:\nstep: build\ntook: 3\nok: true\nfiles[0]: a.py\nfiles[1]: 茶.py"
    ]
    assert chunk_texts(event_of(JsonContent({}))) == []
    assert json_text({"a": {"b": [], "c": None}}) == "a.b: []\na.c: null"


def test_json_whose_paths_would_fill_a_context_stays_json() -> None:
    deep = {"k" * 400: {"m" * 400: [float(n) for n in range(20_000)]}}
    text = json_text(deep)
    assert text.startswith('{"kkk')
    assert text.endswith("19998,19999]}}")
    assert json_text({"k": 1.0}) == "k: 1"


def test_a_call_is_read_as_a_call_with_its_long_arguments_below() -> None:
    call = ToolCallContent("edit", "c1", {"path": "src/tee.py", "line": 3.0, "text": "def tee():\n    pass"})
    assert chunk_texts(event_of(call)) == ['edit(path="src/tee.py", line=3)\ntext: def tee():\n    pass']
    assert chunk_texts(event_of(ToolCallContent("now", "c1", {}))) == ["now()"]


def test_a_result_tells_its_tool_its_path_and_how_it_failed() -> None:
    (whole,) = chunk_texts(event_of(result_of("def tee():\n    pass\n")))
    assert whole == "read_file src/tee.py\ndef tee():\n    pass"
    (failed,) = chunk_texts(event_of(result_of("not there", is_error=True, exit_code=2)))
    assert failed == "read_file src/tee.py error exit code 2\nnot there"
    assert chunk_texts(event_of(result_of(" \n"))) == ["read_file src/tee.py"]


def test_the_path_of_a_result_is_shortened_where_it_is_repeated() -> None:
    path = "/".join(["tee"] * 250)
    texts = chunk_texts(event_of(result_of("steep the leaves\n" * 500, path=path)))
    assert len(texts) > 3
    assert texts[0].startswith(f"read_file {path}\n")
    assert all(text.startswith("read_file …") for text in texts[1:])
    assert max(map(len, texts)) <= MAX_CHUNK_CHARACTERS


def test_white_space_has_no_chunk_and_any_text_has() -> None:
    assert chunk_texts(event_of(" \n\t\n ")) == []
    assert chunk_texts(event_of(" \n茶\n ")) == ["Ana: 茶"]


def test_code_keeps_its_indentation() -> None:
    body = "\n\n".join(f"    def part_{n}(self):\n        return {n}" for n in range(200))
    texts = chunk_texts(event_of(result_of(f"class Tea:\n{body}\n")))
    assert len(texts) > 3
    assert all("\n    def part_" in text for text in texts)
    assert not any("\ndef part_" in text for text in texts)
