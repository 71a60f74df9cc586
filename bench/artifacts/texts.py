"""Secrets found in the texts of cases, and contexts of real agents whose long outputs are offloaded."""

import asyncio
import base64
import json
from collections import Counter
from pathlib import Path

from camillo_server.lib.redaction.detector import SecretDetector
from camillo_server.lib.text.tokens import count_tokens

from bench.artifacts.calls import ArtifactOptions, offload, read
from bench.artifacts.trajectories import Context, is_hit, read_contexts
from bench.measure.client import Client, connected
from bench.measure.servers import AppServer
from bench.measure.timing import Figure, Figures


def measure(options: ArtifactOptions, app: AppServer) -> Figures:
    """Shares, 0 to 1; nothing of what no data was given for."""
    figures: Figures = {}
    if options.cases is not None:
        figures |= _secrets(options.cases)
    if options.trajectories is not None:
        figures |= asyncio.run(_contexts(options.trajectories, app))
    return figures


def _secrets(cases: Path) -> Figures:
    detector = SecretDetector()
    total: Counter[bool] = Counter()
    flagged: Counter[bool] = Counter()
    for line in cases.read_text().splitlines():
        case = json.loads(line)
        is_secret = case["label"] != "fp"
        total[is_secret] += 1
        flagged[is_secret] += bool(detector.find(base64.b64decode(case["text_b64"])))
    return {
        "secret_tp": Figure((flagged[True] / total[True],)),
        "secret_fp": Figure((flagged[False] / total[False],)),
    }


async def _contexts(directory: Path, app: AppServer) -> Figures:
    contexts = list(read_contexts(directory))
    outputs = [output for context in contexts for output in context.outputs]
    hits = [hit for output in outputs if (hit := is_hit(output)) is not None]
    before = sum(map(_tokens, contexts))
    inline = sum(count_tokens(text) for context in contexts for text in context.inline)
    async with connected(app.port, app.secret) as client:
        kept = [await _offloaded(client, output.text) for output in outputs if output.text]
    return {
        "summary_hits": Figure((sum(hits) / len(hits),)),
        "tokens_left": Figure(((inline + sum(kept)) / before,)),
        "inline_share": Figure((inline / before,)),
    }


async def _offloaded(client: Client, text: str) -> int:
    """Tokens of what stands in the context instead; all of the output can still be had."""
    answer = await offload(client, text.encode())
    if answer.HasField("artifact"):
        parts = [message.data async for message in read(client, answer.artifact.artifact_id)]
        came = b"".join(parts)
        assert len(came) == len(text.encode())
        assert came == text.encode() or answer.redactions
    return answer.text_tokens


def _tokens(context: Context) -> int:
    outputs = sum(count_tokens(output.text) for output in context.outputs)
    return outputs + sum(map(count_tokens, context.inline))
