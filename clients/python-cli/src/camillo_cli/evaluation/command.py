"""eval run: asks the questions of files, each scenario in a scope that is thrown away."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from camillo_cli.connection import ClientOptions
from camillo_cli.evaluation.advice import changes, count_of_changes, missing_model
from camillo_cli.evaluation.asking import Asking, Verdict
from camillo_cli.evaluation.report import Earlier, Evaluation, read_earlier
from camillo_cli.evaluation.scenario import Scenario, read_scenarios, repeated
from camillo_cli.evaluation.scope import store, throwaway_scope
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted
from camillo_cli.output import open_output, print_json, progress_bar


def run(
    client: ClientOptions,
    files: Annotated[
        list[Path], Argument(exists=True, dir_okay=False, metavar="FILE...", help="YAML files with scenarios.")
    ],
    against: Annotated[
        Path | None,
        Option(
            exists=True,
            dir_okay=False,
            metavar="RESULT",
            help="An earlier result: then only a question that held there and does not now is a failure.",
        ),
    ] = None,
    output: Annotated[
        str | None, Option("--output", "-o", metavar="RESULT", help="Write the result as JSON, for --against.")
    ] = None,
    advice: Annotated[
        bool, Option(help="If questions do not hold, try other options on all of them, and tell which would help.")
    ] = True,
    keep: Annotated[bool, Option("--keep", help="Keep the spaces, to look into them.")] = False,
) -> None:
    """Ask the questions of files, and tell which answers show what they have to.

    Each scenario of a file stores its memories, conversations and files in an agent of its own, which is erased in the
    end. Exit code 1 if a question does not hold. Example: camillo eval run docs/examples/eval.yaml"""
    scenarios = [scenario for path in files for scenario in read_scenarios(path)]
    _require_distinct(scenarios)
    earlier = None if against is None else read_earlier(against)
    evaluation = _evaluate(client, scenarios, earlier, advises=advice, keep=keep)
    if output is not None:
        with open_output(output) as sink:
            sink.write(json.dumps(evaluation.as_dict(), ensure_ascii=False, indent=1).encode() + b"\n")
    if client.as_json:
        print_json(evaluation.as_dict())
    else:
        evaluation.show()
    failures = evaluation.failed if earlier is None else evaluation.lost
    if failures:
        count = counted(len(failures), "question", "questions")
        raise CliError(f"{count} of {len(evaluation.verdicts):,} not answered as the files want")


def _require_distinct(scenarios: list[Scenario]) -> None:
    if twice := repeated(each.name for each in scenarios):
        raise CliError(f"two of the files have a scenario {twice!r}: give one another name", ExitCode.USAGE)


def _evaluate(
    client: ClientOptions, scenarios: list[Scenario], earlier: Earlier | None, *, advises: bool, keep: bool
) -> Evaluation:
    with ExitStack() as scopes:
        asked: list[tuple[Asking, list[Verdict]]] = []
        total, done = sum(len(each.questions) for each in scenarios), 0
        with progress_bar("ask", total, "questions") as report:
            for scenario in scenarios:
                camillo = scopes.enter_context(throwaway_scope(client, keep=keep))
                asking = Asking(camillo, scenario, store(camillo, scenario))
                verdicts: list[Verdict] = []
                for verdict in asking.all():
                    verdicts.append(verdict)
                    done += 1
                    report(done, done)
                asked.append((asking, verdicts))
        verdicts = [verdict for _, each in asked for verdict in each]
        if not advises or all(each.holds for each in verdicts):
            return Evaluation(verdicts, earlier=earlier)
        tried = 0
        with progress_bar("try options", count_of_changes(asked[0][0].camillo), "options") as report:

            def progress() -> None:
                nonlocal tried
                tried += 1
                report(tried, tried)

            found = changes(asked, progress)
        return Evaluation(verdicts, found, missing_model(verdicts), earlier)
