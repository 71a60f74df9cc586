"""How many tokens a text takes in a model's context, estimated so as not to undercount."""


def token_estimate(text: str) -> int:
    """An upper estimate for byte-pair vocabularies of English size: a token for every three ASCII characters, and
    for every other character one for each two bytes of its UTF-8, rounded up."""
    ascii_characters = (
        len(text) if text.isascii() else sum(character < "\x80" for character in text)
    )
    other_bytes = (
        0
        if ascii_characters == len(text)
        else len(text.encode("utf-8", "replace")) - ascii_characters
    )
    return -(-ascii_characters // 3) + -(-other_bytes // 2)
