"""Summaries of outputs by their form: JSON, tables, code, lists, prose."""

import json
from collections.abc import Sequence

from camillo_server.lib.outputs.summary.sample import ContentKind, Sample
from camillo_server.lib.outputs.summary.summarize import summarize

from tests.cases import each_case
from tests.unit.outputs.summary.samples import whole

PRODUCTS = [
    {"id": number, "name": f"茶 {number}", "price": 2.5, "tags": ["a", "b"], "maker": {"city": "Łódź"}}
    for number in range(1_204)
]
CSV = "id,name,price\n" + "".join(f'{n},"Tee, grün {n}",{n}.50\n' for n in range(300))
MARKDOWN_TABLE = "| id | имя |\n|---|---|\n| 1 | Анна |\n| 2 | Иван |\n"
PSQL = " id | email\n----+-------------\n  1 | a@b.example\n  2 | c@d.example\n(2 rows)\n\n"
MYSQL = (
    "+----+------+\n| id | name |\n+----+------+\n|  1 | Ana  |\n|  2 | Bo   |\n+----+------+\n2 rows in set "
    "(0.00 sec)\n"
)
PS = (
    "USER       PID %CPU %MEM COMMAND\nroot         1  0.0  0.1 /sbin/init splash\nanna       842  2.1  1.4 python "
    "app.py --port 80\n"
)
DOCKER_PS = (
    "CONTAINER ID   IMAGE         STATUS\n1f2e3d4c5b6a   postgres:16   Up 3 hours\n9a8b7c6d5e4f   redis:7     "
    "  Up 2 days\n"
)
PIP_LIST = "Package    Version\n---------- -------\nnumpy      2.1.0\nruff       0.17.5\n"
PYTHON = (
    '"""Carts and what is in them."""\n\nimport os\n\n\nclass Cart:\n    def total(self) -> int:\n        return '
    '0\n\n\nasync def load(path):\n    raise ValueError("error: bad path")\n'
)
GO = (
    '// Package cart sums prices.\npackage cart\n\nimport "errors"\n\ntype Cart struct {\n\titems []int\n}\n\nfunc '
    '(c *Cart) Total() (int, error) {\n\treturn 0, errors.New("empty")\n}\n'
)
DIFF = (
    "diff --git a/src/cart.py b/src/cart.py\nindex 1..2 100644\n--- a/src/cart.py\n+++ b/src/cart.py\n@@ -1,3 +1,4 "
    "@@\n import os\n-x = 1\n+x = 2\n+y = 3\ndiff --git a/docs/карта.md b/docs/карта.md\n--- a/docs/карта.md\n+++ "
    "b/docs/карта.md\n@@ -1 +0,0 @@\n-alt\n"
)
GREP = "".join(f"src/cart.py:{n}:    total += price_{n}\n" for n in range(3, 9)) + "src/menu.py:7:total = 0\n"
FIND = "./src/cart.py\n./src/menu.py\n./docs/index.md\n./README.md\n"
LS = (
    "total 12\ndrwxr-xr-x 2 anna staff 4096 May  1 10:00 .\n-rw-r--r-- 1 anna staff  120 May  1 10:00 "
    "notes.md\n-rw-r--r-- 1 anna staff 1204 May  1 10:00 app.py\n-rw-r--r-- 1 anna staff   12 May  1 10:00 data.csv\n"
)
FLAKE8 = (
    "app/cart.py:1:1: F401 'os' imported but unused\napp/cart.py:9:80: E501 line too long (92 > 79 "
    "characters)\napp/menu.py:3:80: E501 line too long (81 > 79 characters)\n"
)
README = (
    "# Camillo\n\nA memory for agents. It keeps what they learn.\n\n## Install\n\n```sh\n# not a "
    "heading\nmake\n```\n\n## Use\n\nAsk it.\n"
)
PAGE = (
    "<!DOCTYPE html>\n<html><head><title>Caf&eacute; "
    "menu</title><style>p{color:red}</style></head><body><h1>Tea</h1><p>Green &amp; black.</p><script>var "
    "secret=1</script></body></html>"
)
JSON_LINES = "".join(json.dumps({"time": n, "level": "info", "said": "привет"}) + "\n" for n in range(40))

FORMS: dict[str, tuple[Sample, ContentKind, Sequence[str], str]] = {
    "json array": (
        whole(json.dumps(PRODUCTS)),
        ContentKind.JSON,
        ("[1,204 × {id: int, name: string, price: number, tags: [2 strings], maker: {city: string}}]",),
        "JSON array of 1,204 objects: id, name, price, tags, maker",
    ),
    "json object": (
        whole('{"name": "shop", "version": 3, "items": [1, 2, 3], "empty": [], "none": null}'),
        ContentKind.JSON,
        ("{name: string, version: int, items: [3 ints], empty: [], none: null}", 'name: "shop"'),
        "JSON object: name, version, items (3), empty, none",
    ),
    "json error": (
        whole('{"error": {"code": 404, "message": "no such order"}, "data": null}', "curl -s http://a/b"),
        ContentKind.JSON,
        ("{error: {code: int, message: string}, data: null}",),
        "curl, JSON object, error: no such order",
    ),
    "json lines": (whole(JSON_LINES), ContentKind.TABLE, ("time, level, said", "40 rows"), "JSON lines of 40 rows: "
                                                                                           "time, level, said"),
    "csv": (whole(CSV), ContentKind.TABLE, ("Columns (3): id, name, "
                                            "price", "name=Tee, grün 0"), "CSV of 300 rows: id, name, price"),
    "markdown table": (whole(MARKDOWN_TABLE), ContentKind.TABLE, ("id=1, имя=Анна",), "table of 2 rows: id, имя"),
    "psql": (whole(PSQL, "psql -c 'select'"), ContentKind.TABLE, ("id=1, email=a@b.example",), "psql, table of 2 rows: id, email"),  # noqa: E501
    "mysql": (whole(MYSQL), ContentKind.TABLE, ("id=1, name=Ana",), "table of 2 rows: id, name"),
    "ps": (whole(PS, "ps aux"), ContentKind.TABLE, ("COMMAND=/sbin/init splash",), "ps, table of 2 rows: USER, PID, "
                                                                                   "%CPU, %MEM, COMMAND"),
    "docker ps": (whole(DOCKER_PS, "docker ps"), ContentKind.TABLE, ("CONTAINER ID=1f2e3d4c5b6a", "STATUS=Up 3 hours"), "docker ps, table of 2 rows: CONTAINER ID, IMAGE, STATUS"),  # noqa: E501
    "pip list": (whole(PIP_LIST, "pip list"), ContentKind.TABLE, ("Package=numpy, Version=2.1.0",), "pip list, table of 2 rows: Package, Version"),  # noqa: E501
    "python": (whole(PYTHON, "cat src/cart.py"), ContentKind.CODE, ("Opens: Carts and what is in "
                                                                    "them.", "Defines: Cart:6, load:11"), "cat, Python cart.py, 12 lines"),  # noqa: E501
    "python by look": (whole(PYTHON), ContentKind.CODE, ("Cart:6, load:11",), "Python, 12 lines"),
    "go": (whole(GO, name="cart/cart.go"), ContentKind.CODE, ("Package cart sums prices.", "Cart:6, Total:10"), "cart.go, Go cart.go, 12 lines"),  # noqa: E501
    "numbered": (
        whole("[File: /app/cart.py (300 lines "
              "total)]\n" + "".join(f"{n}:{line}\n" for n, line in enumerate(PYTHON.split("\n")[:12], 101)), "open cart.py 101"),  # noqa: E501
        ContentKind.CODE,
        ("Cart:106, load:111",),
        "open, Python cart.py, 12 lines from 101",
    ),
    "diff": (whole(DIFF, "git diff"), ContentKind.CODE, ("- src/cart.py +2 -1", "- docs/карта.md +0 -1"), "git diff, diff of 2 files, +2 -2: src/cart.py, docs/карта.md"),  # noqa: E501
    "grep": (whole(GREP, "grep -rn total src"), ContentKind.LOG, ("By file: src/cart.py 6, "
                                                                  "src/menu.py 1", "total += price_3"), "grep, 7 matches in 2 files: src/cart.py, src/menu.py"),  # noqa: E501
    "find": (whole(FIND, "find . -type f"), ContentKind.LOG, ("By extension: .py 2, .md 2", "./src/ 2"), "find, list of 4 paths: ./src/cart.py, ./src/menu.py, ./docs/index.md, ./README.md"),  # noqa: E501
    "matches by file": (
        whole('Found 3 matches for "total" in '
              '/app:\n' + "".join(f"/app/src/{n}.py ({n} matches)\n" for n in range(1, 20)), "search_dir total"),
        ContentKind.LOG,
        ("/app/src/ 19", "By extension: .py 19"),
        "search_dir, list of 19 paths: /app/src/1.py, /app/src/2.py, /app/src/3.py, /app/src/4.py and 15 more",
    ),
    "plain output": (whole("Found 2 matches in /app/a.py:\nLine 3: total = 0\nLine 9: total += 1\nEnd of "
                           "matches\n", "search_file total"), ContentKind.LOG, ("4 lines", "Last line: End of matches"), "search_file, 4 lines: Found 2 matches in /app/a.py:"),  # noqa: E501
    "df": (whole("Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 50G 20G 30G 40% /\ntmpfs 12G 0 12G 0% "
                 "/run\n", "df -h"), ContentKind.TABLE, ("Filesystem=/dev/sda1, "
                                                         "Size=50G",), "df, table of 2 rows: Filesystem, Size, Used, "
                                                                       "Avail, Use%, Mounted, on"),
    "environment": (whole("HOME=/root\nPATH=/usr/bin:/bin\nLANG=C.UTF-8\nPWD=/app\n", "env"), ContentKind.LOG, ("Last line: PWD=/app",), "env, 4 lines: HOME=/root"),  # noqa: E501
    "ls": (whole(LS, "ls -la"), ContentKind.LOG, ("First: notes.md, app.py, "
                                                  "data.csv",), "ls, list of 3 paths: notes.md, app.py, data.csv"),
    "lint": (whole(FLAKE8), ContentKind.LOG, ("By code: E501 2, F401 1",), "3 problems in 2 files: app/cart.py, "
                                                                           "app/menu.py"),
    "markdown": (whole(README, name="README.md"), ContentKind.TEXT, ("Headings (3): Camillo, Install, "
                                                                     "Use", "Begins: A memory for agents."), "README.md, 14 lines of text: Camillo"),  # noqa: E501
    "page": (whole(PAGE, "curl -s http://a"), ContentKind.TEXT, ("Headings: Tea", "Text: Tea Green & black."), "curl, HTML page: Café menu"),  # noqa: E501
    "prose": (whole("Le conseil s'est réuni hier.\nIl n'a rien décidé, faute de "
                    "temps.\n"), ContentKind.TEXT, ("Begins: Le conseil s'est réuni "
                                                    "hier.",), "2 lines of text: Le conseil s'est réuni hier. Il n'a "
                                                               "rien décidé, faute de temps."),
    "chinese": (whole("会议昨天举行。\n因为时间不够，什么也没有决定。\n"), ContentKind.TEXT, ("会议昨天举行。",), "2 lines of text: 会议昨天举行。 "  # noqa: E501
                                                                                     "因为时间不够，什么也没有决定。"),
    "binary": (Sample("\x00\x01\x02PNG\ufffd\ufffd", "", 9_000, 3, media_type="image/png"), ContentKind.BINARY, ("image/png, 9,000 bytes",), "binary content, image/png, 9,000 bytes"),  # noqa: E501
}  # fmt: skip


def content_kind(sample: Sample) -> ContentKind:
    return summarize(sample).kind


@each_case("name", FORMS)
def test_the_form_is_recognized_and_its_outline_told(name: str) -> None:
    sample, kind, tells, description = FORMS[name]
    summary = summarize(sample)
    assert summary.kind == kind, summary
    assert not [part for part in tells if part not in summary.text], summary.text
    assert summary.description == description


def test_of_a_page_nothing_unseen_is_told() -> None:
    told = summarize(FORMS["page"][0]).text
    assert "Green & black" in told
    assert "secret" not in told
    assert "color" not in told


def test_json_that_breaks_off_keeps_the_shape_of_its_beginning() -> None:
    text = json.dumps({"total": 900, "rows": PRODUCTS})
    cut = Sample(text[: 1 << 19], text[-(1 << 19) :], 2_000_000, 1)
    for sample in (whole(text[:5_000]), cut):
        summary = summarize(sample)
        assert summary.kind is ContentKind.JSON
        assert "(cut off)" in summary.description
        assert "rows" in summary.description
        assert "{id: int, name: string, price: number" in summary.text


def test_brackets_that_open_no_json_are_no_json() -> None:
    for text in ("[INFO] starting\n[INFO] ready\n", "{not json at all\n", "[1/3] fetching\n[2/3] linking\n"):
        assert content_kind(whole(text)) is not ContentKind.JSON
    assert content_kind(whole("[1, 3]")) is ContentKind.JSON


def test_sentences_with_commas_are_no_table() -> None:
    text = "First, we met.\nThen, we spoke.\nAt last, we left.\nNow, we write.\n"
    assert content_kind(whole(text)) is ContentKind.TEXT
    assert content_kind(whole("when,what\nfirst,met\nthen,spoke\nlast,left\n")) is ContentKind.TABLE


def test_code_that_raises_errors_has_not_failed() -> None:
    summary = summarize(whole(PYTHON, "cat src/cart.py", 0))
    assert "Errors" not in summary.text
    failed = summarize(whole(PYTHON + "cat: src/b.py: No such file or directory\n", "cat src/cart.py src/b.py", 1))
    assert "cat: src/b.py: No such file or directory" in failed.text


def test_an_edit_that_was_refused_tells_why_before_the_code() -> None:
    code = "".join(f"{n}:    value_{n} = {n}  # error if empty\n" for n in range(10, 30))
    text = f"Your edit was not applied.\n\nERRORS:\n- E999 IndentationError: unexpected indent\n\n{code}"
    summary = summarize(whole(text, "edit 10:30 cart.py"))
    assert summary.kind is ContentKind.CODE
    assert summary.description == "edit, E999 IndentationError: unexpected indent"
    assert "error if empty" not in summary.text


def test_the_media_type_alone_makes_no_binary_content() -> None:
    assert content_kind(Sample("plain words", "", 11, 1, media_type="application/octet-stream")) is ContentKind.TEXT
    assert content_kind(Sample("\x00" * 50, "", 50, 1)) is ContentKind.BINARY


def test_nothing_is_of_no_kind() -> None:
    assert content_kind(whole("")) is ContentKind.UNSPECIFIED
    assert content_kind(whole("x")) is ContentKind.TEXT
