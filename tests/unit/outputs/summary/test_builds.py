"""Outputs of compilers, linters, package managers and programs: errors with their places, and how it ended."""

from camillo_server.lib.outputs.summary.summarize import summarize

from tests.cases import each_case
from tests.unit.outputs.summary.build_outputs import OUTPUTS
from tests.unit.outputs.summary.samples import Output


@each_case("name", OUTPUTS)
def test_errors_are_told_with_their_places(name: str) -> None:
    output = OUTPUTS[name]
    summary = summarize(output.sample())
    plain = " ".join(summary.text.split())
    assert summary.kind is output.kind
    assert not [part for part in output.tells if " ".join(part.split()) not in plain], summary.text
    assert not [part for part in output.describes if part not in summary.description], summary
    assert not [part for part in output.hides if part in summary.text], summary.text


def test_an_error_that_comes_again_is_told_once_with_its_count() -> None:
    text = "".join(f"worker {n}: error: lost connection to 10.0.0.{n}\n" for n in range(30))
    told = summarize(Output("run-workers", 1, text + "done\n", (), ()).sample()).text
    assert told.count("lost connection") == 1
    assert "(×30)" in told


def test_words_of_failure_in_what_went_well_are_no_errors() -> None:
    text = "compiling error_handler.c\nchecks: 0 errors, 0 failed\n"
    well = summarize(Output("build-it", 0, text, (), ()).sample())
    assert "Errors" not in well.text
    badly = summarize(Output("build-it", 0, text + "error: no space left on device\n", (), ()).sample())
    assert "Errors (1):\n- error: no space left on device" in badly.text


def test_an_output_that_says_nothing_of_its_failure_still_tells_the_exit_code() -> None:
    summary = summarize(Output("./run.sh", 3, "step one\nstep two\nstep three\nstep four\n", (), ()).sample())
    assert summary.description == "run.sh, failed with exit code 3"
    assert "exit code 3" in summary.text
    assert "Last line: step four" in summary.text


def test_nothing_is_told_of_an_empty_output_but_how_it_ended() -> None:
    assert summarize(Output("true", 0, "", (), ()).sample()).description == "true, no output"
    assert summarize(Output("false", 1, "", (), ()).sample()).description == "false, no output, failed with exit code 1"


def test_of_many_errors_the_last_is_told_with_the_first() -> None:
    text = "".join(f"src/f{chr(97 + n)}.c:{n}:1: error: unknown type name 'T{chr(97 + n)}'\n" for n in range(1, 20))
    text += "make: *** [Makefile:3: all] Error 1\n"
    told = summarize(Output("make", 2, text, (), ()).sample()).text
    assert "unknown type name 'Tb' [src/fb.c:1:1]" in told
    assert "make: *** [Makefile:3: all] Error 1" in told
    assert "Errors (20):" in told
    assert "- and 15 more" in told
    assert "'Tm'" not in told
