"""A value inside sentences, in the forms in which it is written, and what only resembles it."""

from camillo_server.lib.text.value_fingerprints import value_fingerprint, value_fingerprints
from camillo_server.lib.text.value_spans import LONGEST_SPAN, SoughtValues, ValueSpans

# By value: texts that hold it, and texts that do not.
FORMS = {
    "415-555-0186": (
        [
            *("My number is 415-555-0186.", "call (415) 555-0186 now", "4155550186", "+1 415 555 0186", "+14155550186"),
            *("tel:+1-415-555-0186", "رقمي ٤١٥-٥٥٥-٠١٨٦ هنا", "415.555.0186", "415 555\n0186", "１ (415) 555‑0186"),
            *("0014155550186", "room 12, 415-555-0186", "4 1 5 5 5 5 0 1 8 6", "4\u200b15-555-0186"),
        ],
        ["415-555-01867", "2415 555 0186", "415-555-018", "415 and 555 and 0186", "0186-555-415"],
    ),
    "+44 20 7946 0958": (
        ["020 7946 0958", "(020) 7946-0958", "+442079460958", "0044 20 7946 0958", "ring 20 7946 0958"],
        ["20 7946 095", "120 7946 09580"],
    ),
    "020 7946 0958": (["+44 20 7946 0958", "0044 (20) 7946 0958", "02079460958"], ["20 7946 09581"]),
    "ana.lima@example.com": (
        [
            *("mail Ana.Lima@Example.com!", "<ana.lima@example.com>", "mailto:ana.lima@example.com?subject=x"),
            *(
                "ana.lima at example dot com",
                "ana.lima [at] example.com",
                "ana dot lima@example.com",
                "ａna.lima＠example.com",
            ),
        ],
        ["ana.lima@example.community", "xana.lima@example.com", "lima@example.com", "ana.lima@example"],
    ),
    "Hafenweg 12": (
        ["Ada lives at Hafenweg 12, second floor", "HAFENWEG  12", "hafenweg-12", "„Hafenweg 12“", "Hafenweg\n12"],
        ["Hafenweg 120", "Hafenweg 1", "Am Hafenwegen 12", "12 Hafenweg"],
    ),
    "Ana Lima": (
        ["I met Ana Lima's dog", "ANA-LIMA", "Ana\nLima", "Аna Lima", "Ana  \u00a0 Lima", "(ana_lima)"],
        ["Anal imagery", "Ana and Lima", "Anabel Lima", "analima"],
    ),
    "海港路 12号": (["他住在海港路12号二楼", "海港路 12 号"], ["海港路 120号", "海港 12号"]),
    "김철수": (["김철수는 서울에 산다"], ["김철"]),
    "عمر الخطيب": (["قال عمر الخطيب أمس", "عُمَر الخطيب"], ["عمران الخطيب"]),
    "Müller": (["Herr Müller", "Mu\u0308ller sagt", "MÜLLER"], ["Müllerin", "Muller"]),
    "DE89370400440532013000": (
        ["IBAN DE89 3704 0044 0532 0130 00", "de89-3704-0044-0532-0130-00"],
        ["DE89370400440532013001", "DE89 3704"],
    ),
    "4111 1111 1111 1111": (["card 4111111111111111 exp", "4111-1111-1111-1111"], ["41111111111111112"]),
    "PX-4471": (["parcel px4471", "PX 4471", "(PX-4471)"], ["PX-44710", "APX-4471"]),
    "hunter2": (["password: hunter2!"], ["hunter22", "hunter 3"]),
    "192.168.0.17": (["host 192.168.0.17:80"], ["192.168.0.170"]),
    "👩‍🚀 Zoë": (["with Zoë 👩‍🚀"], ["Zoe", "Zoëlle"]),
}
NO_VALUES = ("yes", "ok", "a", "", "!!", "谢谢", "x" * (LONGEST_SPAN + 1))
# By value: sentences in which it is known by its fingerprint, so that it may be blocked there.
IDENTIFIERS = {
    "415-555-0186": ["My number is (415) 555 0186.", "+1 415-555-0186", "room 12 415-555-0186", "٤١٥-٥٥٥-٠١٨٦ هنا"],
    "Ana.Lima@Example.com": ["mail ana.lima@example.com, please", "<ANA.LIMA@EXAMPLE.COM>"],
    "4111 1111 1111 1111": ["card 4111-1111-1111-1111 is lost", "card 4111111111111111"],
}


def test_a_value_is_found_in_every_form_and_nothing_that_resembles_it() -> None:
    wrong = []
    for value, (holding, others) in FORMS.items():
        spans = ValueSpans(value)
        wrong += [(value, "missed", text) for text in [*holding, value, f"({value})"] if not spans.are_in(text)]
        wrong += [(value, "found", text) for text in others if spans.are_in(text)]
    assert not wrong


def test_a_text_that_is_no_value_is_found_nowhere() -> None:
    for text in NO_VALUES:
        assert not ValueSpans(text).are_in(f"he said {text} twice"), text


def test_addresses_and_numbers_inside_a_sentence_have_their_own_fingerprint() -> None:
    for value, sentences in IDENTIFIERS.items():
        fingerprint = value_fingerprint("t", value)  # type: ignore[arg-type]
        for text in sentences:
            assert fingerprint in value_fingerprints("t", text), text  # type: ignore[arg-type]
            assert SoughtValues(frozenset((fingerprint,))).are_in("t", text), text  # type: ignore[arg-type]
        assert fingerprint not in value_fingerprints("t", "Nothing 12 of 34 it 56.")  # type: ignore[arg-type]
