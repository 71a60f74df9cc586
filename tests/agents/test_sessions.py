"""Each coding agent as its vendor publishes it, over three sessions: what its model is shown, and what is recorded of
them."""

from tests.agents.agent_clients import texts_of
from tests.agents.conftest import ANSWER, CAT, QUESTION, REMEMBERED, RULE, SHOP, Desk


def test_the_next_session_knows_what_was_told_in_the_one_before(story: Desk) -> None:
    shown = texts_of(story.sessions[2].asked[0])
    assert REMEMBERED in shown
    # By a hook, before any tool was called.
    assert "camillo-recalled-" in shown


def test_a_rule_of_one_session_stands_before_the_model_in_the_next(story: Desk) -> None:
    shown = texts_of(story.sessions[2].asked[0])
    assert shown.count(RULE) >= 2
    assert "Rules that the person stated" in shown


def test_nothing_is_shown_that_has_nothing_to_do_with_the_question(story: Desk) -> None:
    shown = texts_of(story.sessions[2].asked[0])
    assert "Minka" not in shown
    assert "Minka" in texts_of(story.sessions[0].asked[0])


def test_the_tools_of_memory_are_called_over_mcp(story: Desk) -> None:
    assert all(session.is_script_done for session in story.sessions)
    assert story.server.memories(story.agent) == [REMEMBERED]
    # After the server had been away: what `recall` answered stands before the model.
    assert texts_of(story.sessions[2].asked[-1]).count(REMEMBERED) >= 2


def test_what_is_recorded_is_what_was_said_and_nothing_else(story: Desk) -> None:
    recorded = [
        (event["actor"]["type"].removeprefix("ACTOR_TYPE_").lower(), event["text"])
        for event in story.server.events(story.agent)
        if event["kind"] == "EVENT_KIND_MESSAGE"
    ]
    assert recorded == [
        ("human", CAT),
        ("agent", "A lovely cat."),
        ("human", SHOP),
        ("agent", "It is noted."),
        ("human", QUESTION),
        ("agent", ANSWER),
    ]


def test_of_the_tools_the_shell_is_recorded_and_memory_is_not(story: Desk) -> None:
    events = story.server.events(story.agent)
    # Claude Code loads tools of MCP by one of its own.
    tools = {each["toolCall"]["tool"] for each in events if "toolCall" in each} - {"ToolSearch"}
    assert tools == {story.client.program.shell("").tool}
    assert any("echo three tests" in texts_of(each.get("toolCall")) for each in events)
    assert any("three tests passed" in texts_of(each.get("toolResult")) for each in events)


def test_nothing_recalled_is_recorded(story: Desk) -> None:
    recorded = texts_of(story.server.events(story.agent))
    assert "camillo-recalled" not in recorded
    assert REMEMBERED not in recorded
    assert SHOP in recorded


def test_each_session_is_recorded_as_one(story: Desk) -> None:
    names = [event["sessionId"] for event in story.server.events(story.agent)]
    assert len(set(names)) == len(story.sessions)
