"""The real server without entries of the audit trail for what one statement stores: what these cost is the
difference."""

from camillo_server.storage import statements

FRAGMENT = "insert_audit"
parts_of_file = statements._parts


def _without_entries(path: object, kind: str) -> dict[str, str]:
    parts = parts_of_file(path, kind)  # type: ignore[arg-type]
    if FRAGMENT in parts:
        parts[FRAGMENT] = "select 1 from next where %(audits)s::text is null"
    return parts


# Before anything else reads its statements.
statements._parts = _without_entries

if __name__ == "__main__":
    from bench.app_server import main

    main()
