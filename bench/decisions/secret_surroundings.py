"""How many secrets are kept whatever stands beside them, how many clean sentences lose something, and what a short
plain text costs: `python -m bench.decisions.secret_surroundings [--show N]` (docs/secrets.md)."""

import argparse
import random
import time
from collections.abc import Callable, Iterator
from uuid import UUID

from camillo_server.lib.redaction.redaction import Redactor

from tests.secret_samples import ALNUM, HEX
from tests.secret_surroundings import BEHIND, NAMED, SERVICES, all_texts, self_evident

SENTENCES, ROUNDS, SHORT_TEXTS = 10_000, 7, 2_000
WORDS = [
    "module",
    "package",
    "build",
    "test",
    "error",
    "compile",
    "fetch",
    "registry",
    "server",
    "client",
    "index",
    "file",
    "line",
    "parser",
    "stream",
    "buffer",
    "the",
    "a",
    "an",
    "our",
    "that",
    "this",
    "which",
    "runs",
    "fails",
    "waits",
    "reads",
    "writes",
    "needs",
    "moved",
    "after",
    "before",
    "without",
    "token",
    "key",
    "secret",
    "password",
    "auth",
    "access",
    "api",
    "credential",
    "session",
    "cache",
    "author",
    "monkey",
    "tokenizer",
    "keyboard",
    "passwordless",
    "secretary",
    "authority",
]
TEMPLATES = (
    "{w} {w} {w} {w} {w} {w}.",
    "Fixed in commit {hex40}, see {w} {w}.",
    "The key of this {w} is {uuid}.",
    "{w}: {version}, {w}: {version}",
    "Read https://example.org/{w}/{w}-{n}?page={n}#{w} before the {w}.",
    "`{w}_{w}({w}={n})` returns the {w} of {w}.",
    "def {w}_{w}({w}, key={w}_{w}): return {w}.{w}()",
    "const {w} = await {w}.{w}(token.{w}, {n});",
    "| {w} key | {w} {n} | {w} token |",
    "My password is {w}, said the {w} {w}.",
    "sha256:{hex64} is the digest of {w}:{version}",
    "{w} {n} tokens, {n}.{n} ms, api {version}",
    "The access token of {w} expires in {n} minutes; {w} {w}.",
    "import {{ {w}Key, {w}Token }} from '@{w}/{w}-{w}';",
    "Das {w} ist in /usr/local/{w}/{w}-{version}/{w}.py, {w}.",
    "鍵は {w} です。{w} {n}。",
    "Our {w} key is {w}-{w}-{w} in {w}.",
    "trace_id={hex32} span {w}",
    "The cache key is {hex32}, and the primary key is {uuid}.",
    "The key is {w}-{w}-{n}-{w}-{w} in {w}/{w}.",
    "The token is src/{w}/{w}_{w}.py or {w}Token{w}Provider2.",
    "Your password is reset_{w}_{w}_{n}_{w} times.",
)
STATED = (
    "My {} key is {}",
    "my {} api key is {}.",
    "The password for {} is {}, please keep it",
    "our {} token is `{}`",
    "Use {} with the secret {}.",
)
SERVICE_NAMES = ("OpenAI", "Mistral", "Cohere", "Replicate", "staging", "deploy")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, default=0, help="so many texts of each fault")
    shown = parser.parse_args().show
    redactor = Redactor()
    _report("secrets x surroundings", *_kept(redactor, _surrounded()), shown)
    _report("beside a service's name", *_kept(redactor, _beside_names()), shown)
    _report("stated without a sign", *_kept(redactor, _stated()), shown)
    clean = list(_clean_sentences())
    hurt = [text for text in clean if redactor.redact(text)[1]]
    _report("clean sentences", len(clean), hurt, shown)
    print(f"short plain text: {_microseconds(redactor):.2f} µs, least of {ROUNDS} rounds")


def _report(name: str, count: int, faults: list[str], shown: int) -> None:
    print(f"{name}: {len(faults)} of {count:,} ({100 * len(faults) / count:.2f} %)")
    for text in faults[:: max(1, len(faults) // shown)] if shown else ():
        print("   ", repr(text[:160]))


def _kept(redactor: Redactor, texts: Iterator[tuple[str, str]]) -> tuple[int, list[str]]:
    count, kept = 0, list[str]()
    for secret, text in texts:
        count += 1
        left, _ = redactor.redact(text)
        # A key of several lines has a beginning that all keys have.
        middle = len(secret) // 2
        if secret in left or secret[middle - 4 : middle + 4] in left:
            kept.append(text)
    return count, kept


def _surrounded() -> Iterator[tuple[str, str]]:
    for kind in self_evident(0):
        yield from all_texts(kind)


def _beside_names() -> Iterator[tuple[str, str]]:
    for name, (letters, length) in SERVICES.items():
        dice = random.Random(name)
        for form in NAMED:
            for behind in ("", *BEHIND) if form == NAMED[0] else ("",):
                secret = "".join(dice.choices(letters, k=length))
                yield secret, form.format(name, secret) + behind


def _stated() -> Iterator[tuple[str, str]]:
    dice = random.Random(5)
    for _ in range(1_000):
        secret = "".join(dice.choices(dice.choice((ALNUM, HEX)), k=dice.choice((24, 32, 40, 48))))
        yield secret, dice.choice(STATED).format(dice.choice(SERVICE_NAMES), secret)


def _clean_sentences() -> Iterator[str]:
    dice = random.Random(9)
    for number in range(SENTENCES):
        template = TEMPLATES[number % len(TEMPLATES)]
        text = template
        makers: tuple[tuple[str, Callable[[], str]], ...] = (
            ("{hex64}", lambda: "".join(dice.choices(HEX, k=64))),
            ("{hex40}", lambda: "".join(dice.choices(HEX, k=40))),
            ("{hex32}", lambda: "".join(dice.choices(HEX, k=32))),
            ("{uuid}", lambda: str(UUID(int=dice.getrandbits(128)))),
            ("{version}", lambda: ".".join(str(dice.randrange(40)) for _ in range(3))),
            ("{n}", lambda: str(dice.randrange(100_000))),
            ("{w}", lambda: dice.choice(WORDS)),
        )
        for name, make in makers:
            while name in text:
                text = text.replace(name, make(), 1)
        yield text


def _microseconds(redactor: Redactor) -> float:
    dice = random.Random(3)
    plain = [word for word in WORDS if len(word) < 8]
    texts = [" ".join(dice.choices(plain, k=20)) for _ in range(SHORT_TEXTS)]
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        for text in texts:
            redactor.redact(text)
        best = min(best, time.process_time() - begun)
    return best / SHORT_TEXTS * 1e6


if __name__ == "__main__":
    main()
