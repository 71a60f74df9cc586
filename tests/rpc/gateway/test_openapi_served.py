"""The document as the server has it: its answers are what it says, and a client that is made of it works."""

import asyncio
import gzip
import json
import os
import re
import shutil
import sys
from pathlib import Path

import httpx
import pytest
from camillo_server.doors.gateway.openapi_routes import ASSETS, DOCUMENT, TYPES

from tests.patience import PATIENCE_SECONDS
from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.openapi_schemas import Json, answer_schema, closed, operation, operations, violations

TEXT = "喜欢深色模式 🌙"
ABSENT = "00000000-0000-4000-8000-000000000000"
PROBLEM = "application/problem+json"
# Calls that need nothing that was made before.
SENT_AS_THEY_ARE = (
    "Remember",
    "BatchRemember",
    "Recall",
    "BatchRecall",
    "RecordEvent",
    "SetMemory",
    "UpsertTask",
    "BuildBundle",
    "BuildDigest",
    "BuildSnapshot",
    "PutView",
    "PutRecipe",
    "PutSkill",
    "OffloadOutput",
    "StartRun",
    "Prune",
    "CreateAgent",
)
USE_CLIENT = """
import sys
from camillo_http import AuthenticatedClient
from camillo_http.api.memory_service import get_memory, list_memories, recall, remember
from camillo_http.models import GoogleRpcStatus, NewMemory, RecallRequest, RememberRequest

base_url, key, text, absent = sys.argv[1:]
with AuthenticatedClient(base_url=base_url, token=key) as client:
    new = NewMemory(content=text, tags=["界面"])
    memory = remember.sync(client=client, body=RememberRequest(memory=new)).memory
    found = recall.sync(client=client, body=RecallRequest(text=text, limit=1))
    assert [hit.memory.content for hit in found.hits] == [text], found
    assert get_memory.sync(memory.memory_id, client=client).memory.created_at == memory.created_at
    listed = list_memories.sync(client=client, page_size=1, filter_tags_any=["界面"])
    assert [each.memory_id for each in listed.memories] == [memory.memory_id], listed
    failed = get_memory.sync(absent, client=client)
    assert isinstance(failed, GoogleRpcStatus), failed
    print(failed.details[0].reason)
"""

SHOW_PAGE = """
import { readFileSync } from "node:fs";
import { byTag, curlLine, kindOf, limitsOf, matches, resolve } from "./operations.mjs";

const openapi = JSON.parse(readFileSync("openapi.json", "utf8"));
const shown = byTag(openapi).flatMap((tag) => tag.operations).map((operation) => {
  for (const schema of Object.values(resolve(openapi, operation.requestBody?.content?.["application/json"]?.schema).properties ?? {})) {
    if (!kindOf(schema) || !Array.isArray(limitsOf(schema))) throw new Error(operation.id);
  }
  const line = curlLine(openapi, operation, `${process.argv[1]}/`);
  return { id: operation.id, line, found: matches(operation, "FORGET memories:f") };
});
console.log(JSON.stringify(shown));
"""  # noqa: E501


@pytest.fixture
async def document(web: Web) -> Json:
    """Asked for without a credential, and with nothing allowed that it does not describe."""
    async with httpx.AsyncClient(base_url=web.alice.base_url) as nobody:
        return closed((await nobody.get("/openapi.json")).raise_for_status().json())


def undescribed(
    document: Json, operation_id: str, answer: httpx.Response, media_type: str = "application/json"
) -> list[str]:
    """The parts of an answer that the document does not describe."""
    assert answer.headers["content-type"] == media_type
    schema = answer_schema(document, operation_id, str(answer.status_code), media_type)
    return violations(document, schema, answer.json())


async def test_answers_are_as_described(web: Web, document: Json) -> None:
    who = await web.alice.get("/v1/whoami")
    assert not undescribed(document, "WhoAmI", who)
    sent = {"content": TEXT, "tags": ["a"], "metadata": {"n": 1.5, "nothing": None}, "pinned": True}
    stored = await web.alice.post("/v1/memories", json={"memory": sent})
    assert not undescribed(document, "Remember", stored)
    batch = {"memories": [{"content": "ok"}, {"content": ""}]}
    outcomes = await web.alice.post("/v1/memories:batch", json=batch)
    assert outcomes.json()["results"][1]["error"]
    assert not undescribed(document, "BatchRemember", outcomes)
    recalled = await web.alice.post("/v1/memories:recall", json={"text": TEXT, "explain": True})
    assert recalled.json()["hits"][0]["breakdown"]
    assert not undescribed(document, "Recall", recalled)
    listed = await web.alice.get("/v1/memories?page_size=1")
    assert not undescribed(document, "ListMemories", listed)
    # A control: the answer of another method is not.
    assert undescribed(document, "Recall", listed)


async def test_failures_are_as_described(web: Web, document: Json) -> None:
    path, problem = f"/v1/memories/{ABSENT}", {"accept": PROBLEM}
    missing = await web.alice.get(path)
    assert missing.status_code == 404
    assert not undescribed(document, "GetMemory", missing)
    assert not undescribed(document, "GetMemory", await web.alice.get(path, headers=problem), PROBLEM)
    refused = await web.alice.post("/v1/memories", json={"memory": {"content": ""}})
    assert refused.status_code == 400
    assert not undescribed(document, "Remember", refused)
    late = await web.alice.get(path, headers={"grpc-timeout": "1n"})
    assert late.status_code == 504
    assert not undescribed(document, "GetMemory", late)


async def test_messages_of_streams_are_as_described(web: Web, document: Json) -> None:
    await web.alice.post("/v1/memories", json={"memory": {"content": TEXT}})
    lines = (await web.alice.get("/v1/memories:export")).text.splitlines()
    schema = answer_schema(document, "ExportMemories", "200", "application/x-ndjson")
    assert lines
    assert not [words for line in lines for words in violations(document, schema, json.loads(line))]


async def test_examples_can_be_sent_as_they_are(web: Web, document: Json) -> None:
    headers = web.with_key(web.server.keys.admin)
    names = {each["operationId"]: path for path, _, each in operations(document)}
    for name in SENT_AS_THEY_ARE:
        body = operation(document, name)["requestBody"]["content"]["application/json"]
        answer = await web.alice.post(names[name], json=body["example"], headers=headers)
        assert answer.status_code == 200, answer.text
        assert not undescribed(document, name, answer)


async def test_a_document_that_the_caller_has_is_not_sent_again(web: Web) -> None:
    plain = await web.alice.get("/openapi.json", headers={"accept-encoding": "identity"})
    tag = plain.headers["etag"]
    assert (plain.headers["content-type"], plain.headers["vary"]) == ("application/json", "accept-encoding")
    for value in (tag, f'"other", {tag}', "*", tag.removeprefix("W/")):
        again = await web.alice.get("/openapi.json", headers={"if-none-match": value})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    other = await web.alice.get("/openapi.json", headers={"if-none-match": '"other"'})
    assert other.status_code == 200
    assert (await web.alice.head("/openapi.json")).headers["etag"] == tag
    assert (await web.alice.post("/openapi.json")).status_code == 405


async def test_a_document_is_compressed_for_callers_who_take_it_so(web: Web) -> None:
    async def received(accepted: str) -> tuple[str, bytes]:
        headers = {"accept-encoding": accepted}
        async with web.alice.stream("GET", "/openapi.json", headers=headers) as answer:
            raw = b"".join([part async for part in answer.aiter_raw()])
            return answer.headers.get("content-encoding", ""), raw

    coding, compressed = await received("br, gzip")
    assert coding == "gzip"
    for refused in ("identity", "gzip;q=0"):
        assert await received(refused) == ("", gzip.decompress(compressed))


async def test_a_client_that_is_made_of_the_document_works(web: Web, tmp_path: Path) -> None:
    base_url = str(web.alice.base_url)
    configuration = tmp_path / "configuration.yml"
    configuration.write_text("post_hooks: []\n")
    generator = Path(sys.executable).with_name("openapi-python-client")
    options = ["--url", f"{base_url}/openapi.json", "--config", str(configuration)]
    target = ["--meta", "none", "--output-path", str(tmp_path / "camillo_http"), "--fail-on-warning"]
    await run(generator, "generate", *options, *target, cwd=tmp_path)
    arguments = (base_url, web.server.keys.alice, TEXT, ABSENT)
    printed = await run(sys.executable, "-c", USE_CLIENT, *arguments, cwd=tmp_path)
    assert printed == "MEMORY_NOT_FOUND\n"


async def test_the_page_tells_how_to_call_each_method(web: Web, document: Json, tmp_path: Path) -> None:
    """The lines for curl are sent by the shell and taken by the server."""
    for tool in ("node", "curl"):
        if shutil.which(tool) is None and not os.environ.get("CI"):
            pytest.skip(f"{tool} is not here")
    (tmp_path / "operations.mjs").write_text((ASSETS / "operations.js").read_text())
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    base_url = str(web.alice.base_url)
    printed = await run("node", "--input-type=module", "-e", SHOW_PAGE, base_url, cwd=tmp_path)
    shown = json.loads(printed)
    assert {each["id"] for each in shown} == {each["operationId"] for *_, each in operations(document)}
    lines = {each["id"]: each["line"] for each in shown}
    assert "-X DELETE" in lines["DeleteRecipe"]
    assert "curl -N" in lines["WatchMemories"]
    assert [each["id"] for each in shown if each["found"]] == ["ForgetMemories"]
    environ = os.environ | {"CAMILLO_KEY": web.server.keys.alice}
    for name in ("Remember", "Recall", "ListMemories", "WhoAmI"):
        answer = json.loads(await run("sh", "-c", f"{lines[name]} --silent", cwd=tmp_path, env=environ))
        assert "code" not in answer, answer


async def run(program: Path | str, *arguments: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    """Output of a program, while the server in this process answers it."""
    process = await asyncio.create_subprocess_exec(
        program, *arguments, cwd=cwd, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(PATIENCE_SECONDS):
        printed, _ = await process.communicate()
    assert process.returncode == 0, printed.decode()
    return printed.decode()


async def test_the_page_has_all_it_needs_from_this_server(web: Web) -> None:
    async with httpx.AsyncClient(base_url=web.alice.base_url) as nobody:
        page = (await nobody.get("/docs")).raise_for_status()
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        linked = re.findall(r'(?:href|src)="([^"#]+)"', page.text)
        scripts = (await nobody.get("/docs/reference.js")).text
        linked += [f"docs/{name}" for name in re.findall(r'from "\./([^"]+)"', scripts)]
        assert len(linked) >= 5
        for each in linked:
            if each != "data:,":
                assert (await nobody.get(f"/{each}")).status_code == 200, each
        assert (await nobody.get("/docs/nothing.js")).status_code == 404


@pytest.mark.parametrize("name", sorted(TYPES))
def test_an_asset_names_nothing_from_elsewhere(name: str) -> None:
    text = (ASSETS / name).read_text()
    assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]", text)
    # Markup that the page's own policy would not let run.
    assert not re.search(r"\sstyle=|\son[a-z]+=|<script>|<style>|\beval\(|innerHTML", text)


def test_every_asset_is_served() -> None:
    assert {path.name for path in ASSETS.iterdir()} == {DOCUMENT, *TYPES}
