"""What keeps a process from starting, and its operator can mend."""


class OperatorError(Exception):
    """The message is one line for the operator that says why and what to do, and shows no secrets."""
