"""A block of ours at the end of a TOML file: the rest, comments included, stays as it is."""

import tomllib

BEGIN = "# >>> camillo: written by `camillo install`, removed by its --uninstall"
END = "# <<< camillo"


def without_block(text: str) -> str:
    """The text without the block, and without the line end that was put before it."""
    begin = text.find(f"\n{BEGIN}\n")
    end = text.find(f"\n{END}\n", begin)
    if begin < 0 or end < 0:
        return text
    return text[:begin] + text[end + len(END) + 2 :]


def with_block(text: str, body: str) -> str:
    """The text with the block at its end. Raises ValueError where it is no TOML, or not with the block."""
    tomllib.loads(text)
    changed = f"{without_block(text)}\n{BEGIN}\n{body.strip()}\n{END}\n"
    tomllib.loads(changed)
    return changed
