"""The guard: whatever kind of fact a merged text loses is named, and what only looks different is not."""

from camillo_server.features.compaction.guard import LONGEST_NAMED, MAX_NAMED, lost_facts

from tests.cases import each_case

KEPT = [
    ("The fee is 1,000 EUR.", "They agreed on a fee of 1000 EUR."),
    ("It weighs 48 kg now.", "It now weighs 48kg."),
    ("Room ٤٨ is booked.", "Room 48 is booked."),
    ("Anna paid for the meal.", "The meal: Anna paid."),
    ("We met in the park. Prices rose.", "Prices rose when we met in the park."),
    ("Anna's car broke down.", "The car of Anna broke down."),
    ('He said "never again" about parties.', 'About parties: "Never again".'),
    ("See https://a.example/x?y=1.", "The page is https://a.example/x?y=1, see there."),
    ("The I in team", "In team there is an I"),
    ("会议在3月5日下午举行", "会议在3月5日下午举行。"),
    ("وافق أحمد على العرض", "وافق أحمد على العرض اليوم"),
    ("party time 🎉", "time for a party 🎉🎉"),
]
LOST = [
    ("The fee is 1,000 EUR.", "The fee is 100 EUR.", "1000 EUR"),
    ("The fee is 40 EUR.", "The fee is 400 EUR.", "40 EUR"),
    ("It weighs 48 kg now.", "It weighs 48 g now.", "48 kg"),
    ("It costs €5 today.", "It costs $5 today.", "€5"),
    ("It is -5 outside.", "It is 5 outside.", "-5"),
    ("Due on 2030-03-05, they say.", "Due on 2030-03-06, they say.", "2030-03-05"),
    ("Meet at 10:30 sharp.", "Meet at 10 sharp.", "10:30"),
    ("Room ٤٨ is booked.", "Room 49 is booked.", "48"),
    ("In May we met Anna.", "In May we met Hanna.", "Anna"),
    ("Then Anna Schmidt met Bob Meyer.", "Anna Meyer met Bob Schmidt then.", "Anna Schmidt"),
    ("Über den Ärger sprach Jürgen.", "Über den Ärger sprach einer.", "Jürgen"),
    ("Вчера пришла Анна.", "Вчера пришла она.", "Анна"),
    ("Write to anna@a.example soon.", "Write to bob@a.example soon.", "anna@a.example"),
    ("See https://a.example/x today.", "See https://a.example/ today.", "https://a.example/x"),
    ("Logs are in /var/log/app.log there.", "Logs are in /var/log there.", "/var/log/app.log"),
    (r"Open C:\data\a.txt here.", r"Open C:\data\b.txt here.", r"C:\data\a.txt"),
    ("Call get_user first.", "Call the user getter first.", "get_user"),
    ("Call getUser first.", "Call the user first.", "getUser"),
    ("Use k8s here.", "Use it here.", "k8s"),
    ("Ask @anna about it.", "Ask about it.", "@anna"),
    ('He said "never again" twice.', "He said never ever twice.", "never again"),
    ("他说「再也不去」了吗", "他说「再去」了吗", "再也不去"),
    ("party time 🎉", "party time", "🎉"),
    ("会议改到周五下午三点开始", "会议改到周四上午三点开始", "会议改到周五下午三点开始"),
    ("وافق أحمد على العرض الجديد", "رفض محمود ذلك العرض", "وافق أحمد على العرض الجديد"),
    ("יעל אוהבת תה ירוק", "היא אוהבת קפה", "יעל אוהבת תה ירוק"),
    ("the cat sleeps on warm bricks", "everything is fine", "the cat sleeps on warm bricks"),
]


@each_case(("source", "text"), KEPT)
def test_what_stands_in_the_text_in_another_way_is_not_lost(source: str, text: str) -> None:
    assert lost_facts([source], text) == ()


@each_case(("source", "text", "fact"), LOST)
def test_what_is_not_in_the_text_is_named(source: str, text: str, fact: str) -> None:
    assert fact in lost_facts([source], text)
    assert lost_facts([source], source) == (), "the text itself loses nothing"


def test_each_source_is_looked_at() -> None:
    sources = ["Anna paid.", "Bob paid.", "Carl paid."]
    assert lost_facts(sources, "Anna and Bob paid.") == ("Carl",)
    assert lost_facts(sources, "Anna, Bob and Carl paid.") == ()


def test_a_word_that_is_written_small_somewhere_is_no_name_at_the_beginning_of_a_sentence() -> None:
    told = "Tea helps."
    assert lost_facts([told], "It helps, that drink helps") == ("Tea",)
    assert lost_facts([told, "He drinks tea, it helps."], "it helps who drinks it") == ()


def test_so_many_are_named_and_no_more() -> None:
    source = " ".join(f"n{number}x" for number in range(100))
    lost = lost_facts([source, "x" * 500 + "1"], "nothing")
    assert len(lost) == MAX_NAMED
    assert lost[0] == "n0x"
    assert len(lost_facts(["x" * 500 + "1"], "nothing")[0]) == LONGEST_NAMED


@each_case("text", ["", " ", "…", "\n\n", "e\u0301", "\u202e", "🏳️‍🌈", "«»", '"' * 50])
def test_odd_texts_do_no_harm(text: str) -> None:
    assert lost_facts([text], text) == ()
    assert lost_facts([], text) == ()
