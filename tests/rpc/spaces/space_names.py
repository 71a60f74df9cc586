"""Names of the spaces of others, and names that only look like them."""

from collections.abc import Iterator

# In every text of the foreign spaces, and in no request of an intruder.
CANARY = "kanarienvogel7431"
FOREIGN = ("users/42", "teams/eu/ops", "projects/shop", "bob")
# Spaces that nobody ever wrote to, of the same lengths.
EMPTY = {"users/42": "users/97", "teams/eu/ops": "teams/eu/opt", "projects/shop": "projects/shot", "bob": "bot"}
# Next to the foreign ones in every way that a comparison of texts could be wrong in.
_NEIGHBOURS = (
    "users/4:write",
    "users/421:write",
    "users/42/notes:write",
    "users/42/*:write",
    "users/4/*:write",
    "teams/eu:write",
    "teams/europe/*:write",
    "teams/eu/ops/*:write",
    "projects/sho:write",
    "projects/bob:write",
)
# And next to those that are empty, so that both are refused alike.
NEIGHBOURS = (*_NEIGHBOURS, *(grant.replace("42", "97").replace("/ops", "/opt") for grant in _NEIGHBOURS))
NAMES = (
    *FOREIGN,
    *("users/42/", "users//42", "/users/42", "./users/42", "users/./42", "users/4/../42", "users/42/../42"),
    *("users/421/../42", "../users/42", "users/%34%32", "users%2F42", "users%2f42", "users\\42"),
    *("USERS/42", "Users/42", "users/42 ", " users/42", "users/42\t", "users/42\n", "users/42\0"),
    *("users/42\u200b", "users/\u202e24", "users/４２", "users/٤٢", "users⁄42", "users∕42", "users／42"),
    *("ｕsers/42", "usеrs/42", "users/*", "users/4*", "users/%", "users/4_", "users/4%", "*", "{users/42}"),
    *('{"users/42"}', "users/42,users/4", "users/42:write", "users/42'--", "users/{sub}", "teams/eu/*"),
    *("teams/eu/ops/", "teams/EU/ops", "teams/europe/../eu/ops", "BOB", "bob ", "bоb", "agents/bob"),
    *("@bob", "users/bob"),
)


def names_of_others() -> Iterator[tuple[str, str]]:
    """Each name, and one like it of a space that is empty."""
    for name in NAMES:
        other = name
        for foreign, empty in EMPTY.items():
            other = other.replace(foreign, empty)
        yield name, other.replace("42", "97")


# Claims that are no part of a path, or the part of another path than that of the foreign person.
HOSTILE_SUBJECTS = (
    *("4", "421", "42/", "42/notes", "./42", "../users/42", "42/../42", "4/../42", "*", "4*", "42*", "%34%32", "４２"),
    *("٤٢", "4２", "42\u200b", " 42", "42 ", "42\n", "42\0", "42:write", "42:write,users/42", "{sub}", "{agent}", ""),
    *(
        "/",
        "//42",
        "42\\",
        "\\42",
        "{42}",
        '{"users/42"}',
        "@42",
        "-42",
        ".42",
        "42" * 65,
        "users/42",
        "42,users/42:read",
    ),
)
