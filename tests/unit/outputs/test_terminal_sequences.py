"""Which texts a terminal would take commands from."""

from camillo_formats.terminal_sequences import has_terminal_sequences, without_terminal_sequences

C1 = [chr(code) for code in range(0x80, 0xA0) if code != 0x85]


def test_each_control_of_eight_bits_is_seen_in_a_text_of_any_language() -> None:
    for around in ("plain", "é°ß", "用户 ✅", "🔑 مفتاح", "e\u0301 \ud800"):
        assert not has_terminal_sequences(around + "\x85\xa0")
        assert all(has_terminal_sequences(around + control + around) for control in C1)
        assert without_terminal_sequences(f"{around}\x9b31m red \x1b[0m") == f"{around} red "
