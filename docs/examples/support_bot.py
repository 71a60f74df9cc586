"""A support bot with two customers: it knows the handbook and each customer's own memory, and nothing of another's.

`python docs/examples/support_bot.py`. The model is scripted, the server empty and gone afterwards: no key is needed.
With your own, take `camillo_client.local()` and your model's address.
"""

import json
from urllib.request import Request, urlopen

from camillo_client import SHARED
from camillo_client.testing import scripted_model, server_for_tests

HANDBOOK = ("Refunds take five working days", "Parcels leave on weekdays at noon")
SAID = (
    ("ana", "I prefer answers in French, please."),
    ("bo", "I sent order 7 back on Monday, where is my refund?"),
    ("ana", "How long does a refund take?"),
)
ANSWERS = ("Bien sûr.", "Refunds take five working days: on Monday at the latest.", "Cinq jours ouvrés.")


def asked(url: str, known: list[str], question: str) -> str:
    """The model's answer to a customer of whom this is known."""
    messages = [
        {"role": "system", "content": "You are the support of a shop. Known:\n" + "\n".join(known)},
        {"role": "user", "content": question},
    ]
    request = Request(f"{url}/chat/completions", json.dumps({"model": "any", "messages": messages}).encode())
    with urlopen(request) as answer:
        return str(json.load(answer)["choices"][0]["message"]["content"])


with server_for_tests() as server, scripted_model() as model:
    model.says(*ANSWERS)
    with server.new_tenant(model).connect() as camillo:
        camillo.for_space(SHARED).remember_many(HANDBOOK)
        for customer, question in SAID:
            memory = camillo.for_user(customer)
            known = sorted(hit.text for hit in memory.recall(question, limit=4, include_shared=True).hits)
            print(f"{customer}: {question}")
            for text in known:
                print(f"  knows: {text}")
            print(f"  bot: {asked(model.url, known, question)}")
            memory.remember(f"The customer said: {question}")
        camillo.spaces.forget("users/bo", confirm="users/bo")
        print("forgotten: bo;", "left:", [memory.content for memory in camillo.for_user("bo").list_memories()])
