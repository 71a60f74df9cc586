"""How far the estimate of tokens is off: `python -m bench.decisions.token_counts --data FILE`.

A line of the file is JSON: `kind`, `text`, and its exact counts as `cl100k_base` and `o200k_base`. Against each, for
every kind: the error of the sum, the greatest undercount of a text (in per cent and in tokens), and the share of texts
undercounted by more than 3 %.
"""

import argparse
import json
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from camillo_server.domain.tokens import count_tokens

ROUNDS = 5
ENCODINGS = ("cl100k_base", "o200k_base")


@dataclass(frozen=True, slots=True)
class Counted:
    """A text's estimate beside its exact count."""

    estimate: int
    exact: int

    @property
    def error(self) -> float:
        return self.estimate / self.exact - 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    texts = [json.loads(line) for line in parser.parse_args().data.read_text().splitlines()]
    for encoding in ENCODINGS:
        _tell_errors(texts, encoding)
    _tell_speed([text["text"] for text in texts])


def _tell_errors(texts: list[dict[str, str]], encoding: str) -> None:
    kinds: dict[str, list[Counted]] = defaultdict(list)
    for text in texts:
        if exact := int(text[encoding]):
            kinds[text["kind"]].append(Counted(count_tokens(text["text"]), exact))
    print(f"{encoding:22}  texts   tokens    error   worst text      under by > 3 %")
    for kind, counted in kinds.items():
        exact = sum(each.exact for each in counted)
        worst = min(counted, key=lambda each: each.error)
        error = sum(each.estimate for each in counted) / exact - 1
        under = sum(each.error < -0.03 for each in counted) / len(counted)
        tokens = worst.estimate - worst.exact
        print(
            f"{kind:22} {len(counted):6} {exact:8} {error:+8.1%} {worst.error:+8.1%} ({tokens:+}) {under:12.1%}"
        )


def _tell_speed(texts: list[str]) -> None:
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    seconds = [_seconds(texts) for _ in range(ROUNDS)]
    print(
        f"MB/s: {megabytes / seconds[0]:.1f} at first, {megabytes / min(seconds):.1f} at best of {ROUNDS}"
    )


def _seconds(texts: list[str]) -> float:
    started = time.thread_time()
    for text in texts:
        count_tokens(text)
    return time.thread_time() - started


if __name__ == "__main__":
    main()
