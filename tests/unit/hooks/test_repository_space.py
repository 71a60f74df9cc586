"""The space of a project by the address of its repository, or by its directory."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from camillo.v1 import options_pb2
from camillo_formats.repository_space import project_space, remote_space
from camillo_server.doors.rpc.validate import form_problem

OWNER = "users/ana"
SHOP = "projects/github.com/acme/shop"
SAME: Mapping[str, tuple[str, ...]] = {
    SHOP: (
        "git@github.com:acme/shop.git",
        "https://github.com/acme/shop",
        "https://github.com/acme/shop.git/",
        "https://GitHub.com./Acme/Shop.git",
        "https://ana:s3cret@github.com/acme/shop.git",
        "https://x-access-token:ghp_0123456789@github.com:443/acme/shop",
        "https://github.com/acme/shop?access_token=s3cret#main",
        "ssh://git@github.com:22/acme/shop.git",
        "git+ssh://git@github.com/acme/shop",
        "git://github.com//acme//shop.git",
        "ana:s3cret@github.com:/acme/shop.git",
        "  github.com:acme/shop\n",
    ),
    "projects/git.example.org/Acme/Shop": ("https://git.example.org/Acme/Shop",),
    "projects/git.example.org+8443/acme/shop": ("https://git.example.org:8443/acme/shop",),
    "projects/git.example.org/shop": ("git@git.example.org:shop.git", "ssh://git.example.org/shop"),
    "projects/gitlab.com/group/deeper+still+shop": ("https://gitlab.com/group/deeper/still/shop.git",),
}
# Addresses of other repositories, in whatever form: none has the space of another.
OTHERS = (
    "https://github.com/acme/shop2",
    "https://github.com/acme-shop",
    "https://github.com/acme/shop.git.git",
    "https://github.com.evil.example/acme/shop",
    "https://evil.example/github.com/acme/shop",
    "https://git.example.org/acme/shop",
    "https://git.example.org:8443/Acme/shop",
    "https://git.example.org/group/deeper+still+shop",
    "https://gitlab.com/group/deeper+still+shop",
    "https://gitlab.com/group+deeper/still/shop",
    "https://git+8443.example.org/acme/shop",
    "https://git.example.org+8443/acme/shop",
    "https://git.sr.ht/~ana/shop",
    "https://git.example.org/магазин/корзина",
    "https://git.example.org/商店/购物车",
    "https://git.example.org/商店/结账",
    "https://пример.рф/acme/shop",
    "https://github.com/acme/shop%2e%2e",
    "https://github.com/../../acme/shop",
    "https://github.com/acme/..",
    "https://github.com/acme/sh\x00op",
    "https://github.com/acme/sh\nop",
    "https://github.com/acme/" + "x" * 200,
    "https://github.com/acme/" + "x" * 201,
    "https://github.com/" + "/".join("abcdefgh" * 9),
    "https://" + "h" * 200 + ".example/acme/shop",
    "https://[2001:db8::1]:8443/acme/shop",
    "https://[2001:db8::1]/acme/shop",
)
# They name no host and repository: the directory names the project.
NONE = (
    "",
    "/srv/git/shop.git",
    "../shop",
    "file:///srv/git/shop.git",
    "C:\\work\\shop",
    "ext::sh -c 'touch /tmp/owned'",
    "transport::https://github.com/acme/shop",
    "javascript://github.com/acme/shop",
    "https://",
    "https:///acme/shop",
    "https://github.com/",
    "git@github.com:",
)


def test_one_repository_has_one_space_however_it_is_cloned() -> None:
    found = {space: {remote_space(url) for url in urls} for space, urls in SAME.items()}
    assert found == {space: {space} for space in SAME}


def test_no_two_repositories_have_the_same_space() -> None:
    spaces = [*SAME, *map(remote_space, OTHERS)]
    assert len(set(spaces)) == len(spaces), sorted(spaces)
    problem = form_problem(options_pb2.FORM_OWNER, is_optional=False)
    assert [space for space in spaces if problem(space)] == []
    assert {remote_space(url) for url in NONE} == {""}


def test_no_credential_is_in_a_name() -> None:
    spelled = ("https://ana:p@ss/w0rd@git.example.org/acme/shop", "https://w0rd@git.example.org/acme/shop?key=w0rd")
    for url in spelled:
        assert remote_space(url)
        assert "w0rd" not in remote_space(url)


def git(directory: Path, *words: str) -> None:
    identity = ("-c", "user.name=ana", "-c", "user.email=ana@example.org", "-c", "protocol.file.allow=always")
    environ = {"PATH": os.environ["PATH"], "HOME": str(directory)}
    subprocess.run(["git", *identity, *words], cwd=directory, env=environ, check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with a remote and a commit."""
    directory = tmp_path / "work" / "shop"
    directory.mkdir(parents=True)
    git(directory, "init")
    git(directory, "remote", "add", "upstream", "https://github.com/elsewhere/shop")
    git(directory, "remote", "add", "origin", "git@github.com:acme/shop.git")
    git(directory, "commit", "--allow-empty", "--message", "begin")
    return directory


def space(directory: Path, owner: str = OWNER) -> str:
    return project_space(str(directory), owner)


def test_every_directory_of_a_repository_and_its_worktrees_are_one_project(shop: Path) -> None:
    deep = shop / "src" / "магазин"
    deep.mkdir(parents=True)
    git(shop, "worktree", "add", "../shop-next", "-b", "next")
    link = shop.parent / "link"
    link.symlink_to(deep)
    beside = shop.parent / "shop-next"
    assert {space(each) for each in (shop, deep, link, beside, shop / "not-there-yet")} == {SHOP}
    git(shop, "remote", "remove", "origin")
    assert space(shop) == "projects/github.com/elsewhere/shop"
    git(shop, "remote", "remove", "upstream")
    local = space(shop)
    assert re.fullmatch(r"projects/shop~[0-9a-f]{12}", local)
    assert space(beside) == local


def test_a_submodule_and_a_nested_repository_are_projects_of_their_own(shop: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    git(library, "init")
    git(library, "commit", "--allow-empty", "--message", "begin")
    git(shop, "submodule", "add", str(library), "vendor/library")
    inner = shop / "vendor" / "library"
    assert re.fullmatch(r"projects/library~[0-9a-f]{12}", space(inner))
    git(inner, "remote", "set-url", "origin", "https://gitlab.com/acme/library.git")
    assert space(inner) == "projects/gitlab.com/acme/library"
    assert space(shop) == SHOP
    # A directory named so, without a repository in it, is none.
    (shop / "docs" / ".git").mkdir(parents=True)
    assert space(shop / "docs") == SHOP


def test_directories_without_a_remote_never_share_a_space(tmp_path: Path) -> None:
    names = ("a/shop", "b/shop", "b/shop/inner", "c/магазин", "d/магазин", "c/商店 2", "c/..hidden", "c/-rf")
    directories = [tmp_path / name for name in names]
    for each in directories:
        each.mkdir(parents=True)
    spaces = [space(each) for each in directories]
    assert len(set(spaces)) == len(names)
    problem = form_problem(options_pb2.FORM_OWNER, is_optional=False)
    assert [each for each in spaces if problem(each)] == []
    assert space(directories[0]) == spaces[0]
    # The same path of another person may be on another machine.
    assert space(directories[0], "users/bob") != spaces[0]
    assert space(Path("/")).startswith("projects/unnamed~")
    assert project_space("/\0/x", OWNER).startswith("projects/x~")


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('[remote "origin"] url = https://github.com/acme/shop', SHOP),
        ('[REMOTE "origin"]\n\tURL = "https://github.com/acme/shop" # mine', SHOP),
        ('[remote "origin"]\n\turl = https://github.com/\\\nacme/shop\n\turl = https://other.example/x/y', SHOP),
        ('[remote "a\\"b"]\n\turl = https://github.com/acme/shop', SHOP),
        ('[remote "empty"]\n\turl =\n[remote "next"]\n\turl = https://github.com/acme/shop', SHOP),
        ('[branch "origin"]\n\turl = https://github.com/acme/shop', ""),
        ('[remote "origin"]\n\tpushurl = https://github.com/acme/shop', ""),
        ("\udcff\udcfe[[[\n[remote\nurl = x:y/z", ""),
    ],
    ids=range(8),
)
def test_the_configuration_is_read_as_git_reads_it(tmp_path: Path, config: str, expected: str) -> None:
    directory = tmp_path / "shop"
    git_directory = directory / ".git"
    git_directory.mkdir(parents=True)
    (git_directory / "HEAD").write_text("ref: refs/heads/main\n")
    (git_directory / "config").write_bytes(config.encode("utf-8", "surrogateescape"))
    found = space(directory)
    assert found == expected if expected else found.startswith("projects/shop~")


def test_a_git_file_that_leads_nowhere_names_no_repository(shop: Path) -> None:
    for number, text in enumerate(("gitdir: ../../nowhere", "gitdir:", "nonsense", "gitdir: \0", "gitdir: /dev/null")):
        inner = shop / f"inner-{number}"
        inner.mkdir()
        (inner / ".git").write_text(text)
        assert space(inner) == SHOP
