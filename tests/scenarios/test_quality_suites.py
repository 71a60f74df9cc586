"""A short form of the suites of bench/quality, with floors that hold by the lexical embedder."""

import pytest

from bench.quality.measures import Estimates
from bench.quality.suites.running import run
from bench.quality.suites.suites import SUITES
from tests.server_fixtures import StartServer

# Of R@10; an interval of twenty questions is wide.
LANGUAGE_FLOORS = {
    "plain.r10": 0.6,
    "plain.english.r10": 0.7,
    "plain.german.r10": 0.5,
    "plain.french.r10": 0.65,
    "plain.spanish.r10": 0.6,
    "plain.russian.r10": 0.2,
    "plain.chinese.r10": 0.85,
    "plain.arabic.r10": 0.5,
    "plain.hindi.r10": 0.3,
    "plain.turkish.r10": 0.5,
    "plain.hebrew.r10": 0.35,
    "plain.thai.r10": 0.8,
}
# By suite: how many cases, and the least of some figures.
FLOORS = {
    "precise": (20, {"complete.recall": 0.95, "complete.precision": 0.05}),
    "unanswerable": (32, {"plain.found": 0.9, "plain.auroc_score": 0.6}),
    "supersession": (32, {"plain.current.found": 0.95}),
    # Without the time nothing tells the reports of one person apart.
    "time": (24, {"ignore.r10": 0.02}),
    "languages": (220, LANGUAGE_FLOORS),
}


@pytest.fixture(params=FLOORS)
async def suite_and_figures(
    request: pytest.FixtureRequest, start_server: StartServer
) -> tuple[str, Estimates]:
    embedding = {"embedding_model": "lexical", "embedding_dimensions": 384}
    server = await start_server(memory=embedding)
    name: str = request.param
    return name, await run(server.root, SUITES[name], FLOORS[name][0])


async def test_a_short_form_of_each_suite_reaches_its_floors(
    suite_and_figures: tuple[str, Estimates],
) -> None:
    name, figures = suite_and_figures
    for figure, least in FLOORS[name][1].items():
        assert figures[figure].value >= least, figure
        assert figures[figure].count
