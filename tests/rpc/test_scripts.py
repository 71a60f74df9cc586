"""Texts of many scripts are found by their words, identifiers whole and by part."""

import pytest

from tests.rpc.memories.calls import found_by_words, get, recall, remember
from tests.server_fixtures import Server

DECOY = "zzz nothing of the kind"

# A text, and queries that have to find it by words.
TEXTS = {
    "Chinese": ("我喜欢在北京吃烤鸭", ["北京", "烤鸭", "喜欢北京"]),
    "Japanese": ("明日の会議は東京タワーで行います", ["会議", "東京", "タワー"]),
    "Korean": ("서울에서 열리는 회의는 내일입니다", ["서울", "회의", "내일"]),
    "Thai": ("ประชุมที่กรุงเทพวันพรุ่งนี้", ["กรุงเทพ", "ประชุม"]),
    "Arabic": ("الاجتماع في القاهرة غدا", ["القاهرة", "الاجتماع"]),
    "Hebrew": ("הפגישה בתל אביב מחר", ["אביב", "הפגישה"]),
    "Russian": ("Встреча в Москве завтра", ["Москве", "встреча"]),
    "Hindi": ("बैठक दिल्ली में कल है", ["दिल्ली", "बैठक"]),
    "emoji": ("ship it 🚀 today", ["🚀"]),
    "emoji with a skin tone": ("thanks 👍🏽", ["👍", "👍🏿"]),
    "combining marks": ("Cafe\u0301 Zu\u0308rich", ["café", "Zürich", "cafe", "zurich"]),
    "diacritics": ("Łódź and Kraków", ["lodz", "Kraków", "krakow"]),
    "path": ("open app/models/userStore.py first", ["app/models/userStore.py", "models", "store"]),
    "camelCase": ("call getUserName() twice", ["getUserName", "user", "name"]),
    "snake_case": ("set max_retry_count to 3", ["max_retry_count", "retry", "count"]),
    "acronym": ("the HTTPServer class", ["HTTPServer", "server", "http"]),
    "version": ("upgrade to v2.13.4 now", ["v2.13.4", "2.13.4"]),
    "address": ("write to anna@example.org", ["anna@example.org", "anna", "example.org"]),
    "quotes": ("it's O'Brien's \\ back'slash", ["O'Brien", "brien"]),
    "inflection": ("she was planning the migrations", ["plan", "migration", "planned"]),
}


@pytest.mark.parametrize("name", TEXTS)
async def test_a_text_is_found_by_its_words(server: Server, name: str) -> None:
    content, queries = TEXTS[name]
    stored = await remember(server.alice, content)
    await remember(server.alice, DECOY)
    assert (await get(server.alice, stored.memory_id)).content == content
    for query in queries:
        assert await found_by_words(server.alice, query) == {content}, query
    assert await found_by_words(server.alice, "zzz") == {DECOY}


@pytest.mark.parametrize(
    "query", ["'", "\\", "' | '", "a & !b", ":*", "<->", "''''", "%s", "\\'", "{{in_scope}}", "\u200b", "!!!"]
)
async def test_no_query_is_taken_for_a_search_language(server: Server, query: str) -> None:
    await remember(server.alice, "a plain text")
    assert len((await recall(server.alice, query)).hits) <= 1
    assert await found_by_words(server.alice, f"{query} plain") == {"a plain text"}


async def test_the_longest_query_is_answered(server: Server) -> None:
    await remember(server.alice, "needle")
    query = "needle " + "漢字かな" * 24_000
    assert await found_by_words(server.alice, query[:100_000]) == {"needle"}


async def test_a_memory_of_one_word_over_and_over_is_stored_and_found(server: Server) -> None:
    content = "ﷺ" * 2000
    await remember(server.alice, content)
    assert await found_by_words(server.alice, "ﷺ") == {content}
