"""Options that several commands share, declared once as the fields of a dataclass."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, get_type_hints


def with_shared_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives the command an option for each field of its parameters that are dataclasses.

    What typer sees are the fields; what the command receives are the dataclasses, made of the values given.
    """
    hints = get_type_hints(command, include_extras=True)
    shared: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in shared:
            parameters += _field_parameters(shared[name])
        else:
            parameters.append(_keyword(name, parameter.default, hints[name]))

    def run(**values: Any) -> None:
        made = {name: kind(**_taken(values, kind)) for name, kind in shared.items()}
        command(**values, **made)

    run.__doc__ = command.__doc__
    run.__name__ = command.__name__
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _taken(values: dict[str, Any], kind: Any) -> dict[str, Any]:
    return {field.name: values.pop(field.name) for field in fields(kind)}


def _field_parameters(kind: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    return [_keyword(field.name, _default(field), hints[field.name]) for field in fields(kind)]


def _default(field: Field[Any]) -> object:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is MISSING else field.default


def _keyword(name: str, default: object, annotation: object) -> inspect.Parameter:
    # By keyword alone, so that the order does not depend on which have defaults.
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )
