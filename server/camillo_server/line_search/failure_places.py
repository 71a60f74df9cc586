"""The fastest way to find words of failure that the machine has."""

from functools import cache

from camillo_server.domain.summary import FailurePlaces, one_by_one


@cache
def failure_places() -> FailurePlaces:
    """By Hyperscan where it runs, else each word by itself."""
    try:
        from camillo_server.line_search.failure_words import FailureWords, engine_error
    except ImportError:
        return one_by_one
    try:
        return FailureWords()
    except engine_error:
        return one_by_one
