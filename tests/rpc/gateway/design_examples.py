"""The requests and answers that the context daemon's design shows, and calls of its paths."""

from collections.abc import Mapping
from typing import Any

from tests.rpc.gateway.conftest import Web

EVENTS, BUNDLE, DECISIONS, TASKS = ("/api/v1/events", "/api/v1/acb/build", "/api/v1/decisions", "/api/v1/tasks")
# The requests of the design, for the tenant of the tests.
EVENT: dict[str, Any] = {
    "tenant_id": "acme",
    "session_id": "s1",
    "channel": "private",
    "actor": {"type": "human", "id": "user"},
    "kind": "message",
    "sensitivity": "none",
    "tags": ["topic:onboarding", "repo:legacy"],
    "content": {"text": "what this project for?"},
    "refs": [],
}
BUILD: dict[str, Any] = {
    "tenant_id": "acme",
    "session_id": "s1",
    "agent_id": "alice",
    "channel": "private",
    "intent": "repo_onboarding",
    "query_text": "what this project for?",
    "max_tokens": 65000,
}
DECISION: dict[str, Any] = {
    "tenant_id": "acme",
    "scope": "project",
    "decision": "Zero dependencies",
    "rationale": ["The legacy build has no network"],
    "constraints": ["65K budget"],
    "alternatives": ["Vendor them"],
    "consequences": ["We write our own parser"],
}
TASK: dict[str, Any] = {"tenant_id": "acme", "status": "open", "title": "Read", "details": "All"}
# The answers of the design: a list shows the forms that its entries may have.
RECORDED = {"event_id": "evt_01J", "chunk_ids": ["chk_01J"], "created_at": "2025-02-09T10:30:00Z"}
BUILT = {
    "acb_id": "acb_01J",
    "budget_tokens": 65000,
    "token_used_est": 18400,
    "sections": [
        {
            "name": "rules",
            "items": [
                {"type": "text", "text": "", "refs": [""]},
                {"type": "decision", "decision_id": "dec_01J", "text": "", "refs": [""]},
            ],
            "token_est": 1200,
        }
    ],
    "omissions": [{"reason": "truncated_tool_output", "candidates": ["evt_"], "artifact_id": "art_"}],
    "provenance": {
        "intent": "repo_onboarding",
        "query_terms": ["project", "for"],
        "candidate_pool_size": 800,
        "filters": {"sensitivity_allowed": ["none", "low", "high"]},
        "scoring": {"alpha": 0.6, "beta": 0.3, "gamma": 0.1},
    },
}


async def post(web: Web, path: str, body: Mapping[str, Any], **headers: str) -> Any:
    """Posts a body and returns the answer; fails if it is refused."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = await web.alice.post(path, json=body, headers=named)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


async def refused(web: Web, path: str, body: Mapping[str, Any]) -> str:
    """The field that is at fault."""
    answer = await web.alice.post(path, json=body)
    assert answer.status_code == 400, answer.text
    violations = [each.get("fieldViolations", []) for each in answer.json()["details"]]
    return str(next(each[0]["field"] for each in violations if each))


def differences(found: Any, shown: Any, path: str = "") -> list[str]:
    """Paths at which the keys, or the types, of an answer are not those that the design shows."""
    if isinstance(shown, dict):
        if not isinstance(found, dict) or found.keys() != shown.keys():
            return [f"{path}: {found}"]
        return [each for key in shown for each in differences(found[key], shown[key], f"{path}.{key}")]
    if isinstance(shown, list):
        if not isinstance(found, list):
            return [path]
        return [
            f"{path}[{at}]: {each}" for at, each in enumerate(found) if all(differences(each, form) for form in shown)
        ]
    is_absent_artifact = path.endswith("artifact_id") and found is None
    return [] if is_absent_artifact or isinstance(found, type(shown)) else [f"{path}: {found}"]


def texts_of(built: Any, section: str = "") -> str:
    return "\n".join(
        item["text"] for each in built["sections"] for item in each["items"] if section in ("", each["name"])
    )
