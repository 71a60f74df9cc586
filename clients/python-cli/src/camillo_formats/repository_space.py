"""The space of a project, named after its repository: `projects/github.com/acme/shop`, however that was cloned.

A name is built so that two projects never have the same one: what stands in it as it is has letters, digits, `.`, `_`
and `-` alone, and whatever else there is becomes a digest behind a `~`. Git is not run: its files are read, as hooks
have to start fast and a directory may be somebody else's."""

import os
import re
from _blake2 import blake2b  # hashlib would import all of OpenSSL.

# The port that an address of the scheme has without saying so.
PORTS = {
    "git": "9418",
    "git+https": "443",
    "git+ssh": "22",
    "http": "80",
    "https": "443",
    "ssh": "22",
    "ssh+git": "22",
}
# Hosts where `Acme/Shop` and `acme/shop` are one repository.
WITHOUT_CASE = ("bitbucket.org", "codeberg.org", "github.com", "gitlab.com")
MAX_CONFIG_BYTES = 1024 * 1024
MAX_PART_CHARACTERS = 128
DIGEST_BYTES = 6
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_HOST = re.compile(r"([^:]+)(?::([0-9]*))?")
# `git@github.com:acme/shop`; neither `ext::command` nor `C:\shop`.
_SCP = re.compile(r"(?:[^/]*@)?([^/:@]{2,}):(?!:)(.*)", re.DOTALL)
_SECTION = re.compile(r'\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_URL = re.compile(r"\s*url\s*=\s*(.*)", re.IGNORECASE)


def project_space(directory: str, owner: str) -> str:
    """The space of the project in a directory: that of the repository's remote, else one named after the directory and
    a digest of its path. `owner` goes into the digest, as two people may have the same path on two machines."""
    start = os.path.realpath(directory.replace("\0", "\N{REPLACEMENT CHARACTER}"))
    root, git = _repository(start)
    remote = _remote(os.path.join(git, "config")) if git else ""
    return (remote and remote_space(remote)) or _local_space(root, owner)


def remote_space(url: str) -> str:
    """The space that the address of a remote names; empty where it names no host and repository."""
    found = _host_and_path(url.strip())
    if found is None:
        return ""
    host, path = found
    parts = [each for each in path.split("/") if each]
    if not parts:
        return ""
    parts[-1] = parts[-1].removesuffix(".git") or parts[-1]
    if host in WITHOUT_CASE:
        parts = [each.lower() for each in parts]
    name, _, port = host.partition(":")
    if all(map(_PLAIN.fullmatch, (name, *parts))):
        # Up to three parts name a project: ports and deeper groups are joined by a character that none of them has.
        named = (f"{name}+{port}" if port else name, parts[0], "+".join(parts[1:]))
        if max(map(len, named)) <= MAX_PART_CHARACTERS:
            return "/".join(filter(None, ("projects", *named)))
    return _digest_space(parts[-1], "/".join((host, *parts)))


def part_of(name: str) -> str:
    """The name as one part of a path: itself where it is plain, else what is left of it and its digest."""
    return name if _PLAIN.fullmatch(name) else f"{_slug(name)}~{_digest(name)}"


def _host_and_path(url: str) -> tuple[str, str] | None:
    """Without names, passwords and queries, whatever credentials are in them; the host with a port of its own."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        scp = _SCP.fullmatch(url)
        return (_bare(scp[1]), scp[2]) if scp else None
    default = PORTS.get(scheme.lower())
    if default is None:
        return None
    authority, _, path = rest.partition("/")
    named = authority.rpartition("@")[2]
    path = re.split(r"[?#]", path, maxsplit=1)[0]
    match = _HOST.fullmatch(named)
    if match is None:
        return (_bare(named), path) if named else None
    is_default = match[2] in (None, "", default)
    return _bare(match[1]) + ("" if is_default else f":{match[2]}"), path


def _bare(host: str) -> str:
    return host.lower().rstrip(".")


def _repository(start: str) -> tuple[str, str]:
    """The directory that names the project, and that of its repository's files; empty where there is no repository."""
    at = start
    while True:
        git = _git_directory(at)
        if git:
            return _named_by(at, git)
        above = os.path.dirname(at)
        if above == at:
            return start, ""
        at = above


def _git_directory(directory: str) -> str:
    """Directory of git's own files; empty where this is no root of a repository."""
    git = os.path.join(directory, ".git")
    if not os.path.isdir(git):
        # For a worktree or a submodule, a file says where they are.
        git = _pointed(git, "gitdir:", directory)
    return git if git and os.path.isfile(os.path.join(git, "HEAD")) else ""


def _named_by(root: str, git: str) -> tuple[str, str]:
    """All worktrees of a repository are one project, named by the first."""
    common = _pointed(os.path.join(git, "commondir"), "", git)
    if not common:
        return root, git
    is_inside = os.path.basename(common) == ".git"
    return (os.path.dirname(common) if is_inside else common), common


def _pointed(path: str, label: str, base: str) -> str:
    """The path that a small file of git's names; empty where there is none."""
    text = _read(path).strip()
    if not text.startswith(label) or "\0" in text:
        return ""
    named = text.removeprefix(label).strip()
    return os.path.realpath(os.path.join(base, named)) if named else ""


def _remote(path: str) -> str:
    """The address of `origin`, else of the first remote that has one."""
    remotes: dict[str, str] = {}
    name = None
    for line in _read(path).replace("\\\n", "").splitlines():
        section = _SECTION.match(line)
        if section:
            name = section[2] if section[1].lower() == "remote" else None
            line = line[section.end() :]
        found = _URL.match(line) if name is not None else None
        if found and name is not None:
            remotes.setdefault(name, _value(found[1]))
    return remotes.get("origin") or next(filter(None, remotes.values()), "")


def _value(stated: str) -> str:
    """A value without its comment and its quotation marks."""
    return re.split(r"\s[#;]", stated, maxsplit=1)[0].replace('"', "").replace("\\\\", "\\").strip()


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(MAX_CONFIG_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _local_space(directory: str, owner: str) -> str:
    return _digest_space(os.path.basename(directory), f"{owner}\0{directory}")


def _digest_space(name: str, identity: str) -> str:
    return f"projects/{_slug(name)}~{_digest(identity)}"


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:64] or "unnamed"


def _digest(identity: str) -> str:
    return blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()
