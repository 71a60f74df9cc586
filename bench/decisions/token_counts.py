"""How far counts of tokens are off: `python -m bench.decisions.token_counts --data FILE [--models DIR]`.

A line of the file is JSON: `kind`, `text`, and its exact counts as `cl100k_base` and `o200k_base`. The estimate is
compared with each, for every kind: the error of the sum, the greatest undercount of a text (in per cent and in tokens),
and the share of texts undercounted by more than 3 %. For each vocabulary in the directory of models (else among those
that litellm brings, if it is installed) it prints the texts that its counter counts otherwise than the file says.
"""

import argparse
import hashlib
import importlib.util
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from camillo_server.text.exact_tokens import (
    DEFAULT_SOURCE,
    VOCABULARIES,
    TokenizerError,
    choose_counter,
)
from camillo_server.text.tokens import ESTIMATE, TokenCounter

ROUNDS = 5


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
    parser.add_argument("--models", type=Path)
    arguments = parser.parse_args()
    texts = [json.loads(line) for line in arguments.data.read_text().splitlines()]
    for encoding in VOCABULARIES:
        _print_errors(texts, encoding)
    counters = [ESTIMATE]
    for name in VOCABULARIES:
        try:
            counter = _exact(name, arguments.models)
        except TokenizerError as error:
            print(f"{name}: {error.reason}")
        else:
            counters.append(counter)
            _print_agreement(texts, counter)
    for counter in counters:
        _print_speed([text["text"] for text in texts], counter)


def _print_errors(texts: list[dict[str, str]], encoding: str) -> None:
    kinds: dict[str, list[Counted]] = defaultdict(list)
    for text in texts:
        if exact := int(text[encoding]):
            kinds[text["kind"]].append(Counted(ESTIMATE.count(text["text"]), exact))
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


def _exact(name: str, models: Path | None) -> TokenCounter:
    """Raises TokenizerError."""
    if models is not None:
        return choose_counter(name, models)
    with tempfile.TemporaryDirectory() as scratch:
        file_name = VOCABULARIES[name].file_name
        for file in _brought(f"{DEFAULT_SOURCE}/{file_name}"):
            (Path(scratch) / file_name).symlink_to(file)
        return choose_counter(name, Path(scratch))


def _brought(address: str) -> Iterator[Path]:
    """The file from there that litellm has inside, named by the SHA-1 of the address."""
    found = importlib.util.find_spec("litellm")
    name = hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()
    for place in (found and found.submodule_search_locations) or []:
        file = Path(place) / "litellm_core_utils" / "tokenizers" / name
        if file.is_file():
            yield file


def _print_agreement(texts: list[dict[str, str]], counter: TokenCounter) -> None:
    other = sum(counter.count(text["text"]) != int(text[counter.name]) for text in texts)
    print(f"{counter.name}: {len(texts) - other} of {len(texts)} texts exactly as the file says")


def _print_speed(texts: list[str], counter: TokenCounter) -> None:
    thousands = sum(map(len, texts)) / 1_000
    seconds = [_seconds(texts, counter) for _ in range(ROUNDS)]
    first, best = (1e6 * each / thousands for each in (seconds[0], min(seconds)))
    print(
        f"{counter.name}: {first:.0f} us for 1,000 characters at first, {best:.0f} at best of {ROUNDS}"
    )


def _seconds(texts: list[str], counter: TokenCounter) -> float:
    started = time.thread_time()
    for text in texts:
        counter.count(text)
    return time.thread_time() - started


if __name__ == "__main__":
    main()
