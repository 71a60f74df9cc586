"""The errors that keep a process from starting and that its operator can mend."""


class OperatorError(Exception):
    """The message is one line for the operator that says why and what to do, and shows no secrets."""
