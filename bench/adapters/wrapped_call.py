"""A call of OpenAI's client with memory around it, in turns with the same call without, against a scripted model.

Runs in the environment of the adapter: `wrapped_call.py ROUNDS CALLS`. Prints milliseconds of each round as JSON."""

import json
import statistics
import sys
import time

from camillo_client import Camillo, new_memory
from camillo_client.testing import scripted_model
from camillo_remembering import flush, remembering
from openai import OpenAI

MEMORIES = 1_000
SUBJECTS = ("tea", "the harbour", "invoices", "Bilbao", "茶", "the garden", "refunds", "trains")


def main(rounds: int, calls: int) -> dict[str, list[float]]:
    """Medians of each round: of a call without memory, of one with it, and what the second takes beyond the first."""
    medians: dict[str, list[float]] = {"bare_call_ms": [], "wrapped_call_ms": [], "wrapped_extra_ms": []}
    with scripted_model() as model, Camillo.connect(timeout_seconds=60) as camillo:
        ada = camillo.for_user("ada")
        ada.remember_many(
            new_memory(f"Note {number}: Ada asked about {SUBJECTS[number % len(SUBJECTS)]}")
            for number in range(MEMORIES)
        )
        bare = OpenAI(base_url=model.url, api_key="any", max_retries=0)
        clients = {"bare_call_ms": bare, "wrapped_call_ms": remembering(bare, ada, session_id="chat")}
        for _ in range(rounds):
            taken: dict[str, list[float]] = {name: [] for name in clients}
            for number in range(calls):
                for name, client in clients.items():
                    taken[name].append(_milliseconds(client, model, f"What about {SUBJECTS[number % 8]}, {number}?"))
            for name in clients:
                medians[name].append(statistics.median(taken[name]))
            medians["wrapped_extra_ms"].append(medians["wrapped_call_ms"][-1] - medians["bare_call_ms"][-1])
    return medians


def _milliseconds(client, model, question: str) -> float:  # type: ignore[no-untyped-def]
    # Waits for the record of the call before, which is no part of this one.
    flush()
    model.says("Noted.")
    started = time.perf_counter()
    client.chat.completions.create(model="any", messages=[{"role": "user", "content": question}])
    return 1000 * (time.perf_counter() - started)


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))
