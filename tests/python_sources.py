"""Sources in Python, parsed for tests of how the project is written."""

import ast
import gc


def parsed(source: str) -> ast.Module:
    """The syntax tree of a source.

    Nothing is collected meanwhile: where that logs an error with its traceback, which parses lines, Python before
    3.11.9 fails (python/cpython#106905).
    """
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        gc.enable()
