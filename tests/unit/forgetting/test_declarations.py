"""Declarations of what can be forgotten: together they name each statement once."""

import pytest
from camillo_server.assembly.declared import FORGETTABLES
from camillo_server.rows.forgettable import Forgettable, Forgettables


def test_the_declarations_of_all_features_go_together() -> None:
    assert {"events", "slots", "artifacts"} <= FORGETTABLES.by_store.keys()
    assert "existing_events" in FORGETTABLES.sql


def test_two_statements_of_one_name_are_refused() -> None:
    ours = Forgettable("ours", {"delete_all": "delete from ours", "shared": "select 1"})
    assert Forgettables([ours, Forgettable("theirs", {"shared": "select 1"})]).sql["shared"] == "select 1"
    with pytest.raises(ValueError, match="delete_all"):
        Forgettables([ours, Forgettable("theirs", {"delete_all": "delete from theirs"})])
