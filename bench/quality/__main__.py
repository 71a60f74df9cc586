"""How much of the evidence a recall finds: `python -m bench.quality --data DIR` (see docs/quality.md).

Every chat becomes the memories, or with `--as events` the events, of an agent of its own; every question is asked
through the API. Recall@k is the mean over the questions of the share of their evidence that is among the first k
different messages. Behind each figure stands the interval that 95 % of 1,000 resamples of the questions lie in.
Beside the recall stands what each arm finds by itself; the exit code is 1 where the recall falls behind the better one.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.material.long_mem_eval import read_collection
from bench.measure.command import add_model, parse, print_json
from bench.measure.report import bound, print_table
from bench.measure.servers import embedding_by
from bench.quality.arms import MAX_BEHIND
from bench.quality.asked import ALL, Asked, abstention, as_json, by_category, cells, change, ranking
from bench.quality.chat_questions import measure, measure_alone
from bench.quality.measures import Estimates
from bench.quality.variants import ABLATIONS, PLAIN

COLUMNS = ("r5", "r10", "r25", "r50", "precision5", "mrr", "ndcg10", "p50_ms", "p95_ms")
ABLATION_COLUMNS = (
    "r10",
    "r10_change",
    "precision5",
    "mrr",
    "ndcg10",
    "auroc_score",
    "p50_ms",
    "p95_ms",
)
ARM_COLUMNS = ("r5", "r10", "r50")
WIDTH = 190


def print_rows(title: str, rows: Mapping[str, Estimates], columns: Sequence[str]) -> None:
    """A row for each category or variant."""
    table = Table(title=title, title_justify="left")
    for heading in ("", "questions", *columns):
        table.add_column(heading, justify="right" if heading else "left")
    for name, estimates in rows.items():
        count = str(estimates["r10"].count)
        table.add_row(name, count, *cells(estimates, columns))
    Console(width=WIDTH).print(table)


def of_variants(asked: Mapping[str, tuple[list[Asked], list[Asked]]]) -> dict[str, Estimates]:
    """All figures of each way to ask."""
    plain, _ = asked[PLAIN.name]
    return {
        name: {
            **ranking(answerable),
            **abstention(answerable, unanswerable),
            "r10_change": change(answerable, plain),
        }
        for name, (answerable, unanswerable) in asked.items()
    }


def main() -> None:
    given = _arguments()
    variants = ABLATIONS if given.ablate else (PLAIN,)
    chats = read_collection(given.data)[: given.chats]
    embedding = embedding_by(given.model)
    asked = measure(chats, embedding, variants, as_events=given.kept_as == "events")
    alone = measure_alone(chats, embedding, given.kept_as)
    answerable, unanswerable = asked[PLAIN.name]
    categories = by_category(answerable)
    told = abstention(answerable, unanswerable)
    model = given.model.name if given.model else "lexical"
    print_rows(f"{given.data.name} as {given.kept_as}, {model}", categories, COLUMNS)
    for name, estimate in told.items():
        print(f"{name} of {len(unanswerable)} questions without an answer: {estimate}")
    arms = {arm: ranking(each) for arm, each in alone.items()}
    print_rows("each arm by itself", arms, ARM_COLUMNS)
    against = min((change(answerable, each) for each in alone.values()), key=lambda each: each.value)
    verdict = bound("worst against its best arm", against.value, least=-MAX_BEHIND)
    print_table("R@10", [verdict])
    ablations = of_variants(asked) if given.ablate else {}
    if ablations:
        print_rows("what each option changes", ablations, ABLATION_COLUMNS)
    if given.json:
        figures = as_json({**categories.pop(ALL), **told})
        each = {name: as_json(found) for name, found in categories.items()}
        by_option = {name: as_json(found) for name, found in ablations.items()}
        by_arm = {f"{arm}_{name}": found[name].as_json() for arm, found in arms.items() for name in ARM_COLUMNS}
        by_arm["against_best_arm"] = against.as_json()
        print_json({**figures, "categories": each, "ablations": by_option, "arms": by_arm})
    sys.exit(verdict.met is False)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.quality", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a directory of chats")
    parser.add_argument("--chats", type=int, help="only the first so many")
    add_model(parser)
    parser.add_argument("--as", dest="kept_as", choices=("memories", "events"), default="memories", help="kept as")
    parser.add_argument("--ablate", action="store_true", help="ask again with each option of a recall, in a table")
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    return parse(parser)


if __name__ == "__main__":
    main()
