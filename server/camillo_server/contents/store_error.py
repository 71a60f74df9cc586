"""What can be wrong with a store before it is used."""


class ObjectStoreError(Exception):
    """The store cannot be what the settings say; the message is one line for the operator, without credentials."""
