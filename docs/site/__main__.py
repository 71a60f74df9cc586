"""Builds the site: guides, contract, command line, and the reference of each language.

python -m docs.site build/site                   every language whose toolchain is here
python -m docs.site build/site --languages python
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from docs.site import pages
from docs.site.commands import commands_page
from docs.site.contract import contract_pages
from docs.site.languages import LANGUAGES, ReferenceFailed, build_language

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
# Browsers let no page of the file system search.
SERVE = "python3 -m http.server --bind 127.0.0.1 --directory"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=__doc__)
    parser.add_argument("site", type=Path, help="where the site is written; what is there is removed")
    parser.add_argument("--languages", nargs="*", choices=LANGUAGES, default=list(LANGUAGES))
    arguments = parser.parse_args()
    try:
        build(arguments.site.resolve(), arguments.languages)
    except ReferenceFailed as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def build(site: Path, languages: list[str]) -> None:
    """Writes the site, from pages that it collects in a directory beside it. Raises ReferenceFailed."""
    source = site.with_name(f"{site.name}-source")
    shutil.rmtree(source, ignore_errors=True)
    guides = pages.copy_guides(ROOT, source)
    reference = source / "reference"
    _write(source / pages.CONTRACT_PAGES, contract_pages(ROOT / "proto"))
    _write(reference, {"commands.md": commands_page()})
    first = {name: build_language(name, ROOT, reference) for name in languages}
    built = {name: f"reference/{name}/{page}" for name, page in first.items() if page}
    _write(reference, {"README.md": _overview(built)})
    navigation = pages.navigation(guides, source, built)
    configuration = _configuration(site, source, navigation)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", configuration]
    # The theme would announce its successor in every build.
    environ = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    if subprocess.run(command, env=environ, check=False).returncode != 0:
        raise ReferenceFailed("mkdocs failed")
    _write(site, {"llms.txt": pages.llms_text(navigation, source)})
    shutil.rmtree(source)
    Path(configuration).unlink()
    sys.stderr.write(f"{site}/index.html is ready; to search it, too: {SERVE} {site}\n")


def _write(directory: Path, texts: dict[str, str]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (directory / name).write_text(text, "utf-8")


def _overview(built: dict[str, str]) -> str:
    lines = [
        "# Reference",
        "",
        "- [The contract](contract/README.md): services, messages, limits, permissions, error reasons",
        "- [The command line](commands.md)",
    ]
    for name in LANGUAGES:
        title = pages.LANGUAGES[name]
        page = built.get(name, "").removeprefix("reference/")
        lines.append(f"- [{title}]({page})" if page else f"- {title}: not in this build")
    words = (
        "The search box finds guides, the contract, the command line, Python and Go. The pages of the other languages"
    )
    return "\n".join(
        [
            *lines,
            "",
            f"{words} are made by the tools of these languages, with a search of their own.",
        ]
    )


def _configuration(site: Path, source: Path, navigation: list[Any]) -> str:
    configuration = yaml.safe_load((HERE / "mkdocs.yml").read_text("utf-8"))
    configuration |= {"site_dir": str(site), "docs_dir": str(source), "nav": navigation}
    python = configuration["plugins"]["mkdocstrings"]["handlers"]["python"]
    python["paths"] = [str(ROOT / "clients" / "python" / "src")]
    path = source.with_name(f"{source.name}.yml")
    path.write_text(yaml.safe_dump(configuration, sort_keys=False), "utf-8")
    return str(path)


if __name__ == "__main__":
    sys.exit(main())
