"""Entities: what texts name in many languages, and what only looks like a name."""

import pytest
from camillo_server.lib.text.entities import MAX_ENTITIES, Entity, EntityType, entities_of, normal_entity

from tests.cases import each_case
from tests.patience import FACTOR, takes_less

NAME, EMAIL, PATH = EntityType.NAME, EntityType.EMAIL, EntityType.PATH
TICKET, IDENTIFIER = EntityType.TICKET, EntityType.IDENTIFIER


def named(text: str, type_: EntityType = NAME) -> list[str]:
    return [each.name for each in entities_of(text) if each.type is type_]


@each_case(
    ("text", "names"),
    [
        ("Yesterday I met Anna Müller at Siemens in Berlin.", ["anna müller", "siemens", "berlin"]),
        ("Caroline: I went there with Melanie!", ["caroline", "melanie"]),
        ("J'ai rencontré Élodie Dupont à Lyon.", ["élodie dupont", "lyon"]),
        ("Я встретил Анну Каренину в Москве.", ["анну каренину", "москве"]),
        ("Ο Γιώργος Παπαδόπουλος μένει στην Αθήνα.", ["γιώργος παπαδόπουλος", "αθήνα"]),
        ("I saw Vincent van Gogh with O'Brien.", ["vincent van gogh", "o'brien"]),
        ("we asked Dr. Weber", ["weber"]),
        ("我在看《红楼梦》和『西游记』", ["红楼梦", "西游记"]),
        ("👩‍👩‍👧 then Zoe\u0301 laughed 😀", ["zoé"]),
        ("Paris is nice. I love Paris.", ["paris", "paris"]),
    ],
)
def test_names_are_found_where_they_are_told_by_their_letters(text: str, names: list[str]) -> None:
    assert named(text) == list(dict.fromkeys(names))


@each_case(
    "text",
    [
        "The meeting is on Monday in May. The team likes it.",
        "Yes. Perhaps not! Because we said so?",
        "Der Hund schläft im Garten, und die Katze ist nicht im Haus.",
        "NASA OK TODO",
        "他说：「你好，世界」。",
        "שלום עולם",
        "مرحبا بالعالم",
        "",
    ],
)
def test_what_only_looks_like_a_name_is_none(text: str) -> None:
    assert named(text) == []


def test_german_nouns_are_no_names_and_people_are() -> None:
    text = "Der Hund von Anna Müller bellt im Garten. Herr Schmidt ist nicht da."
    assert named(text) == ["anna müller", "schmidt"]


@each_case(
    ("text", "type_", "name"),
    [
        ("mail Bob.Smith+x@Example.co.uk.", EMAIL, "bob.smith+x@example.co.uk"),
        ("see https://example.com/a/b?c=1.", PATH, "https://example.com/a/b?c=1"),
        ("in src/app/userStore.py there", PATH, "src/app/userStore.py"),
        ("/etc/passwd, then", PATH, "/etc/passwd"),
        (r"C:\Users\bob is his", PATH, r"C:\Users\bob"),
        ("pyproject.toml", PATH, "pyproject.toml"),
        ("fix ABC-123 now", TICKET, "ABC-123"),
        ("(#4711)", TICKET, "#4711"),
        ("call getUserName()", IDENTIFIER, "getUserName"),
        ("MAX_SIZE is wrong", IDENTIFIER, "MAX_SIZE"),
        ("the class ScopeIndex", IDENTIFIER, "ScopeIndex"),
        ("foo.bar.baz() fails", IDENTIFIER, "foo.bar.baz"),
        ("工单 ABC-123 已关闭", TICKET, "ABC-123"),
        ("\u202bشاهد src/app.py\u202c", PATH, "src/app.py"),
    ],
)
def test_addresses_paths_tickets_and_identifiers_are_found(text: str, type_: EntityType, name: str) -> None:
    assert entities_of(text) == (Entity(type_, name),)


@pytest.mark.parametrize("text", ["and/or he/she 1/2 km/h 3.14 e.g. so", "UTF-8 and ISO-8601", "#1 is best", "a@b"])
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert entities_of(text) == ()


def test_a_name_is_the_same_however_it_is_written() -> None:
    for written in ("Anna Müller", "ANNA  MÜLLER", "anna mu\u0308ller", "ａｎｎａ müller"):
        assert normal_entity(NAME, written) == Entity(NAME, "anna müller")
    assert normal_entity(TICKET, "abc-123") == Entity(TICKET, "ABC-123")
    assert normal_entity(IDENTIFIER, "run()") == Entity(IDENTIFIER, "run")


def test_a_text_names_so_many_at_most() -> None:
    text = " ".join(f"ABC-{number}" for number in range(100))
    assert len(entities_of(text)) == MAX_ENTITIES


@each_case("piece", ["a", "A", "Aa ", "a/", "a.", "a_", "Ab", "a@", "a.a@", "-", "/a", "《", "a::", "\n A", "A1", "+"])
def test_a_hostile_text_takes_no_long_time(piece: str) -> None:
    text = piece * (2_000 // len(piece))
    assert takes_less(0.02 * FACTOR, lambda: entities_of(text))
