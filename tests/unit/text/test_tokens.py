"""The estimate of tokens: near what tokenizers of the cl100k kind count, and rather above than below."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from camillo_server.lib.text import tokens
from camillo_server.lib.text.tokens import ESTIMATE, CountedText, count_tokens, fits, is_border
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import each_case

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=300)

# Texts with their exact counts by cl100k_base, and how far above them the estimate may lie.
COUNTED = {
    "English": (
        "All human beings are born free and equal in dignity and rights. They are endowed with reason and "
        "conscience and should act towards one another in a spirit of brotherhood.",
        33,
        1.15,
    ),
    "Spanish": (
        "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y "
        "conciencia, deben comportarse fraternalmente los unos con los otros.",
        44,
        1.35,
    ),
    "Russian": (
        "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и "
        "должны поступать в отношении друг друга в духе братства.",
        74,
        1.35,
    ),
    "Arabic": (
        "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميرًا وعليهم أن يعامل بعضهم بعضًا "
        "بروح الإخاء.",
        88,
        1.2,
    ),
    "Hebrew": (
        "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם "
        "לנהוג איש ברעהו ברוח של אחווה.",
        129,
        1.2,
    ),
    "Hindi": (
        "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और "
        "अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।",
        180,
        1.2,
    ),
    "Thai": (
        "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ",
        135,
        1.2,
    ),
    "Georgian": (
        "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით. მათ მინიჭებული აქვთ "
        "გონება და სინდისი და ერთმანეთის მიმართ უნდა იქცეოდნენ ძმობის სულისკვეთებით.",
        322,
        1.2,
    ),
    "Chinese": ("人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。", 50, 1.2),
    "Japanese": (
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを"
        "授けられており、互いに同胞の精神をもって行動しなければならない。",
        93,
        1.2,
    ),
    "Korean": (
        "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 "
        "부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
        85,
        1.35,
    ),
    "emoji": ("🎉🔥👍😀😂❤️👩🏽‍💻🇩🇪🇫🇷🚀✨🙏💡📈👨‍👩‍👧‍👦🤔😭✅❌⚠️☕️", 85, 1.2),
}


@each_case("script", COUNTED)
def test_a_text_of_any_script_is_counted_near_and_not_below_its_tokens(script: str) -> None:
    text, exact, most = COUNTED[script]
    assert exact <= count_tokens(text) <= exact * most


# Texts that fall apart, with their exact counts by cl100k_base and how far above them the estimate may lie.
DENSE = {
    "a digest": ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 35, 1.15),
    "base64": ("TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24sIGJ1dCBieQ==", 46, 1.3),
    "JSON": ('{"reservation_id": "3RK2T9", "user_id": "anya_garcia_5901", "cabin": "economy"}', 32, 1.2),
    "a command": ("tshark -n -r networking.pcap -q -z endpoints,ip\n", 18, 1.2),
    "a path": ("/__home__projects__LLM_CTF__Dataset_Dev__pwn__WarmUp/exploit.py:1:", 25, 1.25),
    "a line of a log": ("2024-05-11T12:40:31.123Z WARN [exec-3] c.e.OrderService - took 412ms", 30, 1.25),
    "code": ("def fits(self, text: str, budget: int) -> bool:\n    return self.count(text) <= budget\n", 24, 1.2),
    "capitals in no order": ("EOY XF, AY VMU M UKFNY TOY YF UFWHYKAXZ EAZZHN.", 27, 1.3),
    "emoji repeated": ("🎉" * 40, 120, 1.2),
    "symbols repeated": ("☺" * 40 + "│" * 40, 120, 1.2),
    "a box": ("┌────────┐\n│  text  │\n╞════════╡\n└────────┘\n", 27, 1.35),
}


@each_case("kind", DENSE)
def test_a_text_that_falls_apart_is_not_counted_below_its_tokens(kind: str) -> None:
    text, exact, most = DENSE[kind]
    assert exact <= count_tokens(text) <= exact * most


@each_case(
    ("text", "exact"),
    [
        ("", 0),
        ("a", 1),
        (" ", 1),
        ("\n\n\n", 1),
        ("12345", 2),
        ("we have what they need, and you know that we can.", 13),
        ("123 456 789", 5),
        ("x = 1\n", 5),
    ],
)
def test_what_vocabularies_hold_whole_is_counted_exactly(text: str, exact: int) -> None:
    assert count_tokens(text) == exact


@each_case(
    ("denser", "plainer"),
    [
        ("IGRvIHRoYXQsIHJlbWVtYmVyIHRv", "remember to do that in order"),
        ("qzxvkjwqpzmxnvbkqjzx", "internationalization"),
        ("deadbeef53aa51172d142c89", "international conferences"),
        ("getHTTPResponseCodeXYZ", "get a response to this"),
        ("%&/()=?*+#'-_.:,;<>|", "--------------------"),
        ("猫が好きです東京都へ行く", "cats like it"),
    ],
)
def test_dense_text_costs_more_than_plain_text_of_its_length(denser: str, plainer: str) -> None:
    assert count_tokens(denser) > 1.5 * count_tokens(plainer)


def test_foreign_prose_costs_more_than_english_prose_of_its_length() -> None:
    english = "they would rather have walked along the river before the evening "
    finnish = "kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan sekä"
    assert abs(len(english) - len(finnish)) < 3
    assert count_tokens(finnish * 3) > 1.5 * count_tokens(english * 3)


@given(ANY_TEXT)
def test_any_text_costs_something_and_no_more_than_its_bytes_and_the_margin(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    assert (count_tokens(text) > 0) == bool(text)
    assert count_tokens(text) <= 2 * size + 2


@given(ANY_TEXT, ANY_TEXT)
def test_the_whole_costs_about_what_its_parts_cost_and_not_less_than_one(one: str, other: str) -> None:
    first, second, both = count_tokens(one), count_tokens(other), count_tokens(one + other)
    assert both <= 1.1 * (first + second) + 12
    assert both >= 0.9 * max(first, second) - 12


def test_a_text_repeated_costs_in_proportion() -> None:
    text = "The server listens on port 8080; 服务器监听端口。\n"
    once = count_tokens(text * 1_000)
    assert count_tokens(text * 10_000) == pytest.approx(10 * once, rel=0.02)


@given(ANY_TEXT, st.integers(-1, 300))
def test_a_text_fits_as_its_count_says(text: str, budget: int) -> None:
    assert fits(text, budget) == (count_tokens(text) <= budget)


@given(ANY_TEXT, st.integers(-1, 300))
def test_the_estimate_is_a_counter_like_others(text: str, budget: int) -> None:
    assert ESTIMATE.name == "estimate"
    assert ESTIMATE.count(text) == count_tokens(text)
    assert ESTIMATE.fits(text, budget) == fits(text, budget)


def test_a_long_text_is_seen_not_to_fit_as_it_is_seen_to_fit() -> None:
    text = "Mixed text, 混合文本, نص مختلط. " * 5_000
    count = count_tokens(text)
    assert fits(text, count)
    assert not fits(text, count - 1)
    assert not fits(text, 10)


@each_case("text", ["a" * 300_000, " " * 300_000, "\n" * 300_000, "-" * 300_000, "猫" * 100_000, " \n" * 150_000])
def test_a_text_of_one_run_is_counted_in_linear_time(text: str) -> None:
    assert 1_000 < count_tokens(text) < 400_000


# Text behind a border: the beginning of a line, or what follows a label.
BEGINNINGS = ("[e1]", "</data-1>\n", "## Заголовок", "日本", "😀", "'ll", "\n", "  x", " \u3000", "/path/", "]", "")
ENDINGS = ("]", ".\n", "\n\n", " \t\n", "))\r\n", "x", "/\n", "\x85")


def joined_at_borders(parts: list[str]) -> list[CountedText]:
    """Parts of a text, joined where there is no border between them."""
    texts: list[str] = []
    for part in parts:
        if texts and not is_border(texts[-1], part):
            part = texts.pop() + part
        texts.append(part)
    return [CountedText(text) for text in texts]


def bordered_parts(text: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    part = st.tuples(st.sampled_from(BEGINNINGS), text, st.sampled_from(ENDINGS)).map("".join)
    return st.lists(part, max_size=8)


@given(bordered_parts(ANY_TEXT))
def test_texts_between_borders_cost_what_they_cost_as_one(parts: list[str]) -> None:
    texts = joined_at_borders(parts)
    for _ in ("not yet counted", "known"):
        assert ESTIMATE.count_joined(texts) == count_tokens("".join(parts))


@given(ANY_TEXT)
@example("'s own")
@example("7 of 9")
@example("\n")
@example("word " * 3_000)
def test_a_text_behind_a_space_costs_what_it_costs_alone(text: str) -> None:
    behind = CountedText(f" {text}")
    assert ESTIMATE.count_after_space(behind) == count_tokens(text)
    assert ESTIMATE.count_joined([behind]) == count_tokens(f" {text}")


def test_long_texts_between_borders_are_cut_where_the_whole_is(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(7)  # noqa: S311
    corpus = [text for text, _, _ in COUNTED.values()]
    known = [CountedText(f"[e{i}] {chance.choice(corpus)}\n" * 9) for i in range(40)]
    for limit in (65_536, 50):
        # Numbers of pieces are given anew when there are too many of them.
        monkeypatch.setattr(tokens, "_CACHED_PIECES", limit)
        for _ in range(10):
            texts = [*chance.sample(known, 30), CountedText("## End\n" + "x" * 20_000)]
            whole = "".join(each.text for each in texts)
            assert ESTIMATE.count_joined(texts) == count_tokens(whole)


@each_case(
    ("before", "behind"), [("]", "x"), ("x", " y"), (")\n", "/"), ("\n", " x"), ("\n", "\n"), (" ", "x"), ("", "x")]
)
def test_where_a_token_might_reach_across_there_is_no_border(before: str, behind: str) -> None:
    assert not is_border(before, behind)


def test_the_sum_is_the_same_in_whatever_order_threads_meet_pieces() -> None:
    words = [f"Wort{i:x}ung" for i in range(3_000)]
    text = " ".join(words)
    expected = count_tokens(text)
    with ThreadPoolExecutor(8) as threads:
        for _ in range(5):
            texts = [CountedText(f"{text}\n") for _ in range(8)]
            tokens._costs = tokens._Costs()
            counted = threads.map(lambda each: ESTIMATE.count_joined([each]), texts)
            assert set(counted) == {count_tokens(f"{text}\n")}
    assert count_tokens(text) == expected


def test_a_text_too_long_for_its_budget_does_not_fit_however_few_tokens_it_has() -> None:
    """Nothing takes fewer tokens for its length than white space before ends of lines does."""
    text = (" " * 96 + "\n" * 16) * 50
    count = count_tokens(text)
    assert count >= len(text) / 112
    assert fits(text, count)
    assert not fits(text, count - 1)
    assert not fits(text, 49)
    assert not fits("a", 0)
    assert fits("", 0)
