"""Value marks: a value is known again however it is written, and nothing else is taken for it."""

import unicodedata
from hashlib import sha256
from itertools import chain
from pathlib import Path

import pytest
from camillo_server.kernel.ids import TenantId
from camillo_server.lib.text.value_fingerprints import line_fingerprints, value_fingerprint, value_fingerprints

from tests.cases import each_case

ACME = TenantId("acme")
HOME = "The user lives at 12 Main Street, Basel"
OF_HOME = "theuserlivesat12mainstreetbasel"

# Each the same to a reader.
SPELLINGS = {
    "case": "THE USER LIVES AT 12 MAIN STREET, BASEL",
    "white space": "  The user\tlives at\n12  Main Street,\u00a0Basel\r\n",
    "punctuation": "**The user** lives at `12 Main Street` - Basel!",
    "zero width": "The u\u200bser li\u200dves at 12 Main\u2060 Street, Ba\ufeffsel",
    "soft hyphens": "The user lives at 12 Main Street, Ba\u00adsel",
    "directions": "\u202eThe user lives\u202c at \u200f12 Main Street, \u2066Basel\u2069",
    "Cyrillic": "Тhе usеr livеs аt 12 Маin Strееt, Ваsеl",
    "Greek": "The user lives αt 12 Mαin Street, Bαsel",
    "Greek capitals": "ThE USER LIVES AT 12 MAIΝ STREET, BASEL",
    "full width": "Ｔｈｅ ｕｓｅｒ ｌｉｖｅｓ ａｔ １２ Ｍａｉｎ Ｓｔｒｅｅｔ， Ｂａｓｅｌ",
    "mathematical": "𝐓𝐡𝐞 𝑢𝑠𝑒𝑟 𝓵𝓲𝓿𝓮𝓼 𝔞𝔱 𝟏𝟐 𝖬𝖺𝗂𝗇 𝚂𝚝𝚛𝚎𝚎𝚝, 𝔹𝕒𝕤𝕖𝕝",
    "small capitals": "Tʜᴇ ᴜsᴇʀ ʟɪᴠᴇs ᴀᴛ 12 Mᴀɪɴ Street, Bᴀsᴇʟ",
    "circles and squares": "Ⓣⓗⓔ user lives at 12 🅜🅐🅘🅝 Street, 🅱🅰sel",
    "digits of other scripts": "The user lives at ١٢ Main Street, Basel",
    "lines through letters": "T\u0336h\u0336e user lives at 12 Main Street, Basel",
    "signs of shorthand and music": "The u\U0001bca0ser lives\U0001d173 at 12 Main Street, Basel",
    "Cherokee": "The user livᎬs at 12 MᎪin StᎡeet, ᏴaseᏞ",
    "Lisu, Coptic and Canadian": "The usꬲr livꬲs ꓮt 12 ꓟꓮiⲛ Stꭈeꬲt, ꓐꓮseᒪ",
    "a capital that looks like a small L": "The user ꓲives at 12 Main Street, Basel",
    "pictographs": "✨🏠 The user lives at 12 Main Street, Basel 🏠✨",
    "bullets": "▪︎ The user lives at 12 Main Street, Basel ◆",
    "box drawing": "║ The user lives at 12 Main Street, Basel ║",
    "currency": "$€ The user lives at 12 Main Street, Basel €$",
    "arrows": "⇒ The user lives at 12 Main Street, Basel ←",
    "tags": "<p class='a'>The <b>user</b> lives at 12 Main Street, Basel</p>",
    "entities": "&nbsp;The user lives at 12 Main&#32;Street, B&#97;sel",
    "drawn numbers": "1️⃣ The user lives at 12 Main Street, Basel",
    "circled numbers": "① The user lives at 12 Main Street, Basel",
    "note": "Note:The user lives at 12 Main Street, Basel",
    "note that": "Please note that the user lives at 12 Main Street, Basel",
    "the value is": "The value is the user lives at 12 Main Street, Basel",
    "Hinweis": "HINWEIS — The user lives at 12 Main Street, Basel",
    "several": "> 📌 **NB** – <em>The user lives at 12 Main Street, Basel</em> ✅",
    "ligatures and wide spaces": "The user lives at 12 Main Street,\u3000Basel",
}


@each_case("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_a_value_is_known_again_however_it_is_written(spelling: str) -> None:
    assert spelling != HOME
    assert value_fingerprint(ACME, spelling) == value_fingerprint(ACME, HOME)
    assert value_fingerprints(ACME, spelling)[0] == value_fingerprint(ACME, HOME)


@each_case(
    "other",
    [
        "The user's home is 12 Main Street, Basel",
        "The user lives at 13 Main Street, Basel",
        "The user lives at 12 Main Street, Bâsel",
        "The user lived at 12 Main Street, Basel",
        "The user lives at I2 Main Street, Basel",
        "I know that the user lives at 12 Main Street, Basel",
        "The noted user lives at 12 Main Street, Basel",
        "The user lives at 12 Main Street, Basel, for 40 €",
    ],
)
def test_a_paraphrase_or_another_value_is_not_taken_for_it(other: str) -> None:
    assert value_fingerprint(ACME, HOME) not in value_fingerprints(ACME, other)


@each_case(
    ("value", "same", "another"),
    [
        ("用户住在北京。", "用户 住在北京", "用户住在南京"),
        ("ヤマダさんは東京に住む", "ﾔﾏﾀﾞさんは東京に住む！", "ヤマタさんは東京に住む"),
        ("يسكن المستخدم في القاهرة", "يَسْكُنُ المُسْتَخْدِم في القـاهرة", "يسكن المستخدم في الأقصر"),
        ("המשתמש גר בחיפה", "\u200fהַמִּשְׁתַּמֵּשׁ גר בחיפה", "המשתמש גר ביפו"),
        ("Пользователь живёт в Москве", "ПОЛЬЗОВАТЕЛЬ ЖИВЁТ В МОСКВЕ", "Пользователь живет в Твери"),
        ("Ο χρήστης μένει στην Αθήνα", "ο χρήστης μένει στην αθήνα!", "Ο χρήστης μένει στη Ρόδο"),
        ("उपयोगकर्ता दिल्ली में रहता है", "उपयोगकर्ता दिल्ली में रहता है।", "उपयोगकर्ता दिल्ली में रहती है"),
        ("I ❤️ tea 🍵", "i ❤ tea🍵", "I ❤️ tea 🍶"),
        ("Straße", "STRASSE", "Strase"),
        ("cafe\u0301", "CAFÉ", "cafe"),
        ("?!", "?!", "!?"),
    ],
)
def test_it_is_so_in_every_script(value: str, same: str, another: str) -> None:
    assert value_fingerprint(ACME, same) == value_fingerprint(ACME, value)
    assert value_fingerprint(ACME, another) != value_fingerprint(ACME, value)


@each_case(
    "text",
    [
        f"Hello. {HOME}. Bye.",
        f"Notes:\n- {HOME}\n- and more",
        f'{{"note": "{HOME}", "n": 1}}',
        f"| home | {HOME} |",
        f"She said: “{HOME}”, and left.",
        f"Bye! {HOME.upper()}? Really?",
        "Wrapped:\nThe user lives at 12\nMain Street, Basel\nin a letter.",
        f"用户说过。{HOME}。就这样。",
        f"注意！{HOME}。",
        f"记住：{HOME}",
        f"真的吗？{HOME}！",
    ],
)
def test_a_value_is_found_within_a_longer_text(text: str) -> None:
    assert value_fingerprint(ACME, HOME) in value_fingerprints(ACME, text)


def test_a_value_of_several_sentences_is_found_within_a_longer_text() -> None:
    value = "He works at Dr. Who's. He likes it."
    assert value_fingerprint(ACME, value) in value_fingerprints(ACME, f"So: ok. {value} And so on.")


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("The entrance fee is 40 €", "The entrance fee is 40 $"),
        ("A ticket costs about ±5 francs", "Books are kept in the cellar"),
        ("books are kept in the cellar", "Notebooks are kept in the cellar"),
        ("closed on Sundays and Mondays", "The library is closed on Sundays and Mondays"),
    ],
)
def test_what_is_part_of_another_value_is_no_affix(value: str, other: str) -> None:
    for first, second in ((value, other), (other, value)):
        assert value_fingerprint(ACME, first) not in value_fingerprints(ACME, second)
        assert value_fingerprint(ACME, first) in value_fingerprints(ACME, f"Note: {first}")


def test_a_value_that_is_announced_is_known_without_that() -> None:
    announced = value_fingerprint(ACME, f"Note: {HOME}")
    assert announced == value_fingerprint(ACME, HOME)
    assert announced in value_fingerprints(ACME, f"We met. Remember that {HOME}! We left.")


def test_what_was_blocked_before_affixes_were_known_stays_so() -> None:
    """Their fingerprints are of the text as it was read then, which had its signs."""
    for text, then in ((f"✨ {HOME}", f"✨{OF_HOME}"), (f"Note that {HOME}", f"notethat{OF_HOME}")):
        assert sha256(f"acme\0{then}".encode()).digest() in value_fingerprints(ACME, text)


def test_hardly_anything_else_is_taken_for_a_value() -> None:
    """Every second sentence of the documents is forgotten; of the others, hardly one more is refused than says the same
    in other signs."""
    documents = sorted((Path(__file__).parents[3] / "docs").rglob("*.md"))
    lines = [line.strip() for path in documents for line in path.read_text("utf-8").splitlines()]
    texts = list(dict.fromkeys(line for line in lines if len(line) >= 12))
    forgotten = {value_fingerprint(ACME, text) for text in texts[::2]}
    letters = {_letters(text) for text in texts[::2]}
    refused = [text for text in texts[1::2] if forgotten & set(value_fingerprints(ACME, text))]
    others = [text for text in refused if not any(each in _letters(text) for each in letters)]
    assert len(texts) > 3_000
    assert all(forgotten & set(value_fingerprints(ACME, text)) for text in texts[::100])
    assert others == []


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


@pytest.mark.parametrize("short", ["ok.", "Yes, please", "好的。", "👍"])
def test_a_short_sentence_counts_as_the_whole_text_only(short: str) -> None:
    mark = value_fingerprint(ACME, short)
    assert mark in value_fingerprints(ACME, short.upper() + "!")
    assert mark not in value_fingerprints(ACME, f"We met in the morning. {short} Then we left the house.")


def test_other_tenants_have_other_marks() -> None:
    assert value_fingerprint(TenantId("rival"), HOME) != value_fingerprint(ACME, HOME)
    # Where the tenant's name ends cannot be shifted.
    assert value_fingerprint(TenantId("acm"), "e" + HOME) != value_fingerprint(ACME, HOME)


def test_what_is_read_the_short_way_is_read_as_the_long_way_does() -> None:
    # An invisible character sends the other text the long way.
    codes = (range(128), range(0x2000, 0x3400), range(0x4E00, 0xD7B0, 7), range(0xFF00, 0xFFF0))
    for code in chain(*codes):
        text = f"用户{chr(code)}住 in {chr(code)} 北京"
        assert value_fingerprints(ACME, text) == value_fingerprints(ACME, "\u200b" + text)


def test_an_empty_text_has_no_marks_and_a_blank_one_has_one() -> None:
    assert value_fingerprints(ACME, "") == ()
    for blank in (" ", "\u200b", "\n\n"):
        assert list(value_fingerprints(ACME, blank)) == [value_fingerprint(ACME, blank)]


def test_lines_of_a_long_text_have_the_marks_of_their_values() -> None:
    marks = line_fingerprints(ACME, f"first line of a file\n  {HOME.lower()}. \r\nok\n" * 3)
    assert value_fingerprint(ACME, HOME) in marks
    assert len(marks) == 2


def test_every_character_has_a_mark_of_its_own_or_of_what_it_looks_like() -> None:
    """None breaks the reading; letters and digits are never taken for nothing."""
    empty = value_fingerprint(ACME, "")
    for code in range(0x3000):
        if 0xD800 <= code < 0xE000:
            continue
        mark = value_fingerprint(ACME, f"{chr(code)}")
        if unicodedata.category(chr(code)) in ("Lu", "Ll", "Nd"):
            assert mark != empty
            assert value_fingerprint(ACME, chr(code).lower()) == value_fingerprint(
                ACME, chr(code).lower().upper().lower()
            )
