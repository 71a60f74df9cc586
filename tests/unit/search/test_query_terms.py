"""The terms of a query: of a long one as much as is needed is read, and others take turns meanwhile."""

import asyncio

import pytest
from camillo_server.lib.text.index_terms import MAX_WHOLE_CHARACTERS, index_terms, slices_of
from camillo_server.search.query_text import QUERY_TERMS, query_terms, terms_of_query

from tests.cases import each_case

TEXTS = {
    "English": "The lantern by the harbour is lit at 21:30, says app/userStore.py; don't touch it! ",
    "German": "Die Laterne am Großen Hafen brennt für Ärzte, die nachts über die Brücke gehen. ",
    "Russian": "Фонарь у гавани горит всю ночь, и её видно с моста за рекой. ",
    "Arabic": "الفانوس عند الميناء مضاءٌ طوال الليل، ويُرى من الجسر. ",
    "Hindi": "बंदरगाह की लालटेन रात भर जलती है और पुल से दिखती है। ",
    "Chinese": "港口的灯笼整夜亮着， 从桥上 can be seen 可以看到。 ",
    "Thai": "โคมไฟที่ท่าเรือสว่างตลอดคืน และ มองเห็น from the bridge ",
    "Emoji": "🏮 lit 🌊 e\u0301te\u0301 👍🏽 done ",
}


@each_case("language", TEXTS)
@each_case("count", [1, 30, 500])
async def test_a_long_text_has_the_terms_that_it_has_as_a_whole(language: str, count: int) -> None:
    text = "".join(f"{number:x}q{TEXTS[language]}" for number in range(count))
    assert await terms_of_query(text) == query_terms(text)
    assert await terms_of_query(TEXTS[language] * count) == query_terms(TEXTS[language] * count)
    together = [term for part in slices_of(text) for term in index_terms(part)]
    # No more are stored of one text.
    assert together[:8_192] == index_terms(text)


@each_case(
    ("text", "content"),
    [
        ("Where does Mara work?", {"mara", "work"}),
        ("مارا أين تسكن؟", {"مارا", "تسكن"}),
        ("איפה גרה מארה?", {"גרה", "מארה"}),
        ("मारा कहाँ रहती है?", {"मारा", "रहती"}),
        ("玛拉住在哪里？", {"玛拉", "住在"}),
        # Question words of these languages stay in: they may mislead less than they tell.
        ("Где живёт Мара?", {"где", "живет", "мара"}),
        ("Wo wohnt Mara?", {"wo", "wohnt", "mara"}),
    ],
)
def test_a_query_leaves_out_what_questions_are_asked_with(text: str, content: set[str]) -> None:
    terms = set(query_terms(text))
    assert content <= terms
    left_out = {"where", "does", "أين", "اين", "איפה", "कहाँ", "है", "哪", "在哪", "哪里"}
    assert not left_out & terms


@pytest.mark.parametrize("text", ["who are you", "ما هو هذا", "מי זה", "क्या है यह", "什么"])
def test_a_query_of_function_words_alone_keeps_them(text: str) -> None:
    assert query_terms(text) == list(dict.fromkeys(index_terms(text))) != []


@pytest.mark.parametrize("text", ["我的灯笼", "这是港口的灯笼吗"])
def test_words_of_content_beside_a_function_word_are_found(text: str) -> None:
    assert {"灯", "灯笼", "笼"} <= set(query_terms(text))


async def test_no_stored_text_is_cut() -> None:
    text = "灯" * MAX_WHOLE_CHARACTERS
    assert slices_of(text) == [text]
    assert slices_of("") == [""]
    assert "".join(slices_of(text * 3)) == text * 3


async def test_words_behind_many_function_words_are_found_and_others_run_meanwhile() -> None:
    passes = 0

    async def others() -> None:
        nonlocal passes
        while True:
            passes += 1
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    assert await terms_of_query("of the " * 9_000 + "lantern") == ["lantern"]
    assert passes >= 30
    passes = 0
    # Enough is enough: the rest is not read.
    terms = await terms_of_query("".join(f"word{number} " for number in range(20_000)))
    assert len(terms) == QUERY_TERMS
    assert passes <= 4
    waiting.cancel()
