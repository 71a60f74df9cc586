"""How many secrets are found, and what looking costs: `python -m bench.decisions.secrets --cases FILE` (docs/adr/0019).

A case is a line of JSON: `label` (`fp`: no secret; else one is in it) and `text_b64`.
"""

import argparse
import base64
import json
import time
from collections import Counter
from pathlib import Path

import re2
from camillo_server.redaction.detector import SecretDetector
from camillo_server.redaction.rules import secret_rules

from bench.material.texts import Texts

ROUNDS = 5
SENTENCES = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, help="without it, only the cost is measured")
    cases = parser.parse_args().cases
    started = time.perf_counter()
    detector = SecretDetector()
    print(f"a detector is made in {(time.perf_counter() - started) * 1000:.0f} ms")
    started = time.perf_counter()
    for rule in secret_rules().rules:
        re2.compile(rule.pattern.encode())
    print(f"all patterns, were they made at once: {(time.perf_counter() - started) * 1000:.0f} ms")
    if cases:
        _found(detector, cases)
    _cost(detector)


def _found(detector: SecretDetector, cases: Path) -> None:
    total: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for line in cases.read_text().splitlines():
        case = json.loads(line)
        total[case["label"]] += 1
        found[case["label"]] += bool(detector.find(base64.b64decode(case["text_b64"])))
    for label, count in sorted(total.items()):
        print(f"{label:16} {found[label]:4} of {count:4} flagged: {found[label] / count:.1%}")


def _cost(detector: SecretDetector) -> None:
    plain = [text.encode() for text in Texts(1).sentences(SENTENCES)]
    telling = [b"the api key and the token are kept as a secret: " + text for text in plain]
    for name, texts in (("without a keyword", plain), ("with four keywords", telling)):
        least = min(_seconds(detector, texts) for _ in range(ROUNDS))
        length = sum(map(len, texts)) / len(texts)
        print(f"a text of {length:.0f} bytes {name}: {least / len(texts) * 1e6:.1f} us")


def _seconds(detector: SecretDetector, texts: list[bytes]) -> float:
    started = time.thread_time()
    for text in texts:
        detector.find(text)
    return time.thread_time() - started


if __name__ == "__main__":
    main()
