"""Makes `confusables.txt` from the file of that name of Unicode's technical standard 39, which is named on the command
line: `python -m tools.import_confusables confusables.txt`.

Fingerprints of forgotten values depend on the result: a value with a letter that looks otherwise from then on is known
no more."""

import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from camillo_server.lib.text.value_fingerprints import CONFUSABLES, folded

HEADER = """\
# Letters and digits by the Latin ones that they are taken for, in small letters; only what is not folded to these anyway.
# Made by import_confusables.py from confusables.txt of Unicode {version}, {copyright}; see confusables.LICENSE.
"""  # noqa: E501
_MAPPING = re.compile(r"([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA", re.MULTILINE)


def look_alikes(text: str) -> dict[str, str]:
    """The Latin letters or digits that each character is taken for. Leaves out accented ones, which make another word,
    and characters written from right to left, which stand in no Latin word. Where the two cases of a letter are taken
    for different ones, the small letter decides."""
    looks: dict[str, str] = {}
    for seen, prototype in _MAPPING.findall(text):
        character = chr(int(seen, 16))
        latin = "".join(chr(int(code, 16)) for code in prototype.split())
        small, taken_for = folded(character), folded(latin)
        if not (latin.isascii() and latin.isalnum()) or small.isascii() or len(small) != 1:
            continue
        if not small.isalnum() or unicodedata.bidirectional(small) in ("R", "AL"):
            continue
        if small != taken_for and (small == character or small not in looks):
            looks[small] = taken_for
    return looks


def main() -> None:
    text = Path(sys.argv[1]).read_text("utf-8-sig")
    version = re.search(r"# Version: (\S+)", text)
    copyright_ = re.search(r"© .*", text)
    assert version and copyright_  # noqa: S101, PT018
    groups: dict[str, str] = defaultdict(str)
    for seen, taken_for in sorted(look_alikes(text).items()):
        groups[taken_for] += seen
    lines = "".join(f"{taken_for} {seen}\n" for taken_for, seen in sorted(groups.items()))
    CONFUSABLES.write_text(HEADER.format(version=version[1], copyright=copyright_[0]) + lines)


if __name__ == "__main__":
    main()
