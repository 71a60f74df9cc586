"""Texts that are too short or too common to be a value."""

from camillo_server.lib.text.value_fingerprints import is_common

from tests.cases import each_case

COMMON = [
    *("yes", "Yes, please.", "OK thanks!", "no", "1", "Thank you very much!", "I don’t know", "sounds good"),
    *("👍", "👍🎉 👍🎉", "...", "ja bitte", "Да, конечно", "是", "好的，谢谢", "はい、お願いします", "네, 감사합니다", "हाँ"),  # noqa: E501
    *("नहीं", "שלום", "نعم", "ขอบคุณครับ", "Sí", "Si\u0301, gracias", "that's right", "Yes please, go ahead."),
]  # fmt: skip
VALUES = [
    *("Ana", "Kim", "Bob", "4821", "+34 600 123 456", "insulin", "A1B", "李明", "김철수", "Ли Бо"),
    *("Hafenweg 12", "yes, insulin", "My name is Ana", "no peanuts", "she lives in Zorroza", "yes 4821"),
    "yes " * 40,
]  # fmt: skip


@each_case("text", COMMON)
def test_an_answer_a_greeting_and_thanks_are_no_value(text: str) -> None:
    assert is_common(text)


@each_case("text", VALUES)
def test_a_name_a_number_and_a_statement_are_values(text: str) -> None:
    assert not is_common(text)
