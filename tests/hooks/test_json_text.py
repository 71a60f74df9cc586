"""Changes of JSON texts, by random texts: what is put in and taken out leaves each as it was."""

import json
import random
from typing import Any

from camillo_cli.hooks import json_text

from tests.cases import each_case

SPACES = ("", "", " ", "\n", "\t", "\r\n  ", "\n    ")
WORDS = ("hooks", "Stop", "a", "é", '"quoted"', "\\", "\u2028", "{", "],", "mcpServers")
OURS = {"command": "ours", "nested": {"list": [1, {"deep": "x"}]}}


def random_text(chance: random.Random, levels: int = 4, *, is_root: bool = True) -> str:
    """A JSON text with white space of all kinds."""

    def space() -> str:
        return chance.choice(SPACES)

    kind = 0 if is_root else chance.randrange(6 if levels else 4) % 6
    if kind == 0 or kind == 4:
        names = chance.sample(WORDS, chance.randrange(4) if levels else 0)
        members = [
            f"{space()}{json.dumps(n, ensure_ascii=chance.random() < 0.5)}{space()}:{space()}"
            f"{random_text(chance, levels - 1, is_root=False)}{space()}"
            for n in names
        ]
        return "{" + (",".join(members) or space()) + "}"
    if kind == 5:
        items = [
            f"{space()}{random_text(chance, levels - 1, is_root=False)}{space()}" for _ in range(chance.randrange(3))
        ]
        return "[" + (",".join(items) or space()) + "]"
    return chance.choice(("1", "-1.50e+3", "true", "null", '"text"', '"\\u00e9\\"\\\\"', '""'))


def is_ours(value: Any) -> bool:
    return isinstance(value, dict) and value.get("command") == "ours"


@each_case("seed", range(20))
def test_what_is_put_in_and_taken_out_leaves_no_trace(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    tried = 0
    while tried < 50:
        text = random_text(chance)
        before = json.loads(text)
        hooks = before.get("hooks", {})
        if not isinstance(hooks, dict) or not isinstance(hooks.get("Stop", []), list):
            continue
        if not isinstance(before.get("mcpServers", {}), dict):
            continue
        tried += 1
        changed = json_text.append_item(text, ("hooks", "Stop"), OURS)
        changed = json_text.append_item(changed, ("hooks", "New"), {"hooks": [OURS]})
        after = json.loads(changed)
        assert after["hooks"]["Stop"] == [*hooks.get("Stop", []), OURS]
        assert {**after, "hooks": hooks} == {**before, "hooks": hooks}
        put = json_text.put_member(changed, ("mcpServers", "x"), OURS)
        assert json.loads(put)["mcpServers"]["x"] == OURS
        if "x" not in before.get("mcpServers", {}):
            assert json_text.remove(put, ("mcpServers", "x"), is_ours) == changed
        assert json_text.remove(changed, ("hooks",), is_ours) == text


def test_a_text_without_a_line_for_each_member_stays_one() -> None:
    text = json_text.put_member('{"a":1}', ("b", "c"), 2)
    assert json.loads(text) == {"a": 1, "b": {"c": 2}}
    assert text.startswith('{"a":1')
