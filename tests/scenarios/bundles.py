"""Short ways to look at a bundle."""

from collections.abc import Iterable

from camillo.v1.context_pb2 import Bundle, BundleItem, BundleSection


def section(bundle: Bundle, name: str) -> BundleSection | None:
    """The section of this name, if it has items."""
    return next((each for each in bundle.sections if each.name == name), None)


def items(bundle: Bundle, name: str) -> list[BundleItem]:
    """The items of a section."""
    found = section(bundle, name)
    return [*found.items] if found else []


def texts(bundle: Bundle, name: str) -> list[str]:
    """Their texts."""
    return [item.text for item in items(bundle, name)]


def refs(found: Iterable[BundleItem]) -> set[str]:
    """Everything that items refer to."""
    return {ref for item in found for ref in item.refs}


def all_items(bundle: Bundle) -> list[BundleItem]:
    """The items of every section."""
    return [item for each in bundle.sections for item in each.items]


def without_revision(bundle: Bundle) -> bytes:
    """All of a bundle but where in the scope's history it was read."""
    copied = Bundle()
    copied.CopyFrom(bundle)
    copied.ClearField("revision")
    return copied.SerializeToString(deterministic=True)
