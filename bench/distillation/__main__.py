"""The goals of distillation, measured: `python -m bench.distillation --data DIR --json` (see bench/README.md)."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from camillo_server.features.distillation.answers import checked
from camillo_server.features.distillation.statement import Statement

from bench.distillation.adversarial import Fabrication, fabrications, good
from bench.distillation.extractor import is_verified
from bench.distillation.live import measure_live
from bench.distillation.recall import ask_with_and_without
from bench.distillation.share import Sent, sent_of
from bench.material.chats import Chat, read_chats
from bench.measure.command import Benchmark, add_model, parse, say
from bench.measure.report import Goal
from bench.measure.servers import Embedding, embedding_by
from bench.measure.timing import Figure, Figures
from bench.quality.asked import Asked, ranking

DISTILLATION = Benchmark(
    "distillation",
    __doc__,
    keys=(
        *("verified", "fabricated_kept", "good_kept", "tokens_sent_share", "request_tokens_share", "evidence_sent"),
        *("evidence_tokens_sent", "extracted_kept", "r10_with", "r10_without", "r10_least_ratio"),
        *("precision_with", "precision_without"),
    ),
    goals=(
        Goal("statements kept whose quotes stand in their events", "verified", least=1.0),
        Goal("fabricated statements kept, of 1,000", "fabricated_kept", most=0),
        Goal("statements that hold and are kept", "good_kept", least=0.95),
        Goal("tokens sent of tokens said", "tokens_sent_share", most=0.35),
        Goal("evidence of questions in what is sent", "evidence_sent", least=0.95),
        Goal("R@10 with facts over turns alone, least of collections", "r10_least_ratio", least=1.0),
    ),
    parts=("fabricated", "share", "recall", "live"),
)
FABRICATIONS = 1_000
Collections = Mapping[str, Sequence[Chat]]


def measure_fabricated(count: int) -> Figures:
    """Counts the fabricated statements that are kept, and those that hold."""
    say(f"{count} fabricated statements")
    false = [(each, _kept(each)) for each in fabrications(count)]
    true = [(each, _kept(each)) for each in good()]
    kept = [(statement, each.passage) for each, found in (*false, *true) for statement in found]
    return {
        "fabricated_kept": Figure((float(sum(len(found) for _, found in false)),)),
        "good_kept": Figure((sum(bool(found) for _, found in true) / len(true),)),
        "verified": Figure((_share(is_verified(*each) for each in kept),)),
    }


def measure_share(collections: Collections) -> Figures:
    """The tokens that are sent of each collection, and of all."""
    sent = {name: [_sent(name, chat) for chat in chats] for name, chats in collections.items()}
    every = [each for found in sent.values() for each in found]
    by_name = {f"{name}_{key}": each for name, found in sent.items() for key, each in _shares(found).items()}
    return {**_shares(every), **by_name}


def _sent(name: str, chat: Chat) -> Sent:
    say(f"{name} {chat.name}")
    return sent_of(chat)


def _shares(sent: Sequence[Sent]) -> Figures:
    said = sum(each.said for each in sent)
    stated = sum(each.extracted.stated for each in sent)
    return {
        "tokens_sent_share": Figure((sum(each.sent for each in sent) / said,)),
        "request_tokens_share": Figure((sum(each.requested for each in sent) / said,)),
        "evidence_sent": Figure((_share(share for each in sent for share in each.evidence),)),
        "evidence_tokens_sent": Figure((_share(share for each in sent for share in each.evidence_tokens),)),
        "extracted_kept": Figure((sum(len(each.extracted.statements) for each in sent) / max(1, stated),)),
    }


def measure_recall(collections: Collections, embedding: Embedding) -> Figures:
    """R@10 and the precision of the first five, of turns alone and with the facts of the extractor."""
    asked = ask_with_and_without(collections, embedding)
    figures = {
        f"{name}_{key}": each
        for name, answers in asked.items()
        for key, each in _recalls(answers.with_facts, answers.without).items()
    }
    with_facts = [each for answers in asked.values() for each in answers.with_facts]
    without = [each for answers in asked.values() for each in answers.without]
    ratios = [figures[f"{name}_r10_with"].over(figures[f"{name}_r10_without"]).median for name in asked]
    return {**_recalls(with_facts, without), "r10_least_ratio": Figure((min(ratios),)), **figures}


def _recalls(with_facts: Sequence[Asked], without: Sequence[Asked]) -> Figures:
    found = {"with": ranking(with_facts), "without": ranking(without)}
    measures = {"r10": "r10", "precision": "precision5"}
    return {
        f"{key}_{kind}": Figure((figures[measure].value,))
        for kind, figures in found.items()
        for key, measure in measures.items()
    }


def _kept(each: Fabrication) -> Sequence[Statement]:
    return checked(json.dumps({"statements": [each.item]}), each.prompt, each.passage).statements


def _share(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def main() -> None:
    parser = DISTILLATION.parser()
    parser.add_argument("--data", type=Path, action="append", default=[], help="a directory of chats; may be repeated")
    parser.add_argument("--tuned", action="store_true", help="the chats that the rules were tuned on, not the others")
    add_model(parser)
    given = parse(parser)
    chosen = given.only or (DISTILLATION.parts if given.data else ("fabricated",))
    if not given.data and {*chosen} - {"fabricated"}:
        parser.error("share, recall and live need --data")
    if given.only and "live" in chosen and "MODEL" not in os.environ:
        parser.error("live asks the model that the variable MODEL names")
    # Every other chat, from the first on, is one that the rules were tuned on.
    collections = {each.name: read_chats(each)[0 if given.tuned else 1 :: 2] for each in given.data}
    if given.quick:
        collections = {name: chats[:1] for name, chats in collections.items()}
    figures: Figures = {}
    if "fabricated" in chosen:
        figures |= measure_fabricated(FABRICATIONS // 10 if given.quick else FABRICATIONS)
    if "share" in chosen:
        figures |= measure_share(collections)
    if "recall" in chosen:
        figures |= measure_recall(collections, embedding_by(given.model))
    if "live" in chosen and "MODEL" in os.environ:
        figures |= measure_live(collections)
    DISTILLATION.finish(given, figures, {"model": given.model.name if given.model else "lexical"})


if __name__ == "__main__":
    main()
