"""The command that was run, in a few words."""

from camillo_server.lib.outputs.summary.recognize import command_name

from tests.cases import each_case


@each_case(
    ("command", "expected"),
    [
        ("pytest -x tests/test_a.py", "pytest"),
        ("cd /app && CI=1 timeout 60 npm install --silent 2>&1 | tail -20", "npm install"),
        ("python3 -m pytest -q", "pytest"),
        ("/usr/bin/python3.11 scripts/train.py --epochs 3", "python3.11 train.py"),
        ("python manage.py migrate", "manage.py migrate"),
        ("python -m pip install -e .[dev]", "pip install"),
        ("python -c 'print(1)'", "python -c"),
        ("uv run mypy src", "mypy"),
        ("poetry run pytest", "pytest"),
        ("npx tsc --noEmit", "tsc"),
        ("npm run build", "npm run build"),
        ("docker compose up -d", "docker compose up"),
        ("sudo -E apt-get install -y curl", "apt-get install"),
        ("git -C /srv/app log --oneline", "git log"),
        ("bash -lc 'cd /app; make test'", "make test"),
        ("make", "make"),
        ("./run.sh fast", "run.sh"),
        ("node -e 'f()'", "node -e"),
        ("for f in *; do wc $f; done", "for"),
        ("cd /tmp", "cd"),
        ("env", "env"),
        ("env A=1 make test", "make test"),
        ("", ""),
        (" && ; | ", ""),
    ],
)
def test_the_program_is_named_with_what_it_does(command: str, expected: str) -> None:
    assert command_name(command) == expected


def test_a_name_is_short_however_long_the_command() -> None:
    assert len(command_name("x" * 100_000)) == 40
    assert command_name("python " + "a" * 5_000).startswith("python aaa")
