"""Limits of one piece of work: held before a request, settled after it, never passed."""

import asyncio

import pytest
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.limits import NOTHING, BudgetExhausted, SpendLimit, Used
from camillo_server.models.embedding.spend import Billing, ProviderFigures

from tests.unit.embedding.remote import ACME, Ledger

ASKED = Used(30, 10, 50)


def billing(ledger: Ledger | None = None) -> Billing:
    return Billing("model", "distillation", ledger, ProviderFigures())  # type: ignore[arg-type]


async def test_sixteen_requests_at_once_stay_within_both_limits() -> None:
    run, session = SpendLimit("run", max_nano_usd=500), SpendLimit("session", max_tokens=300)
    pays = billing()

    async def request() -> BudgetExhausted | None:
        try:
            payment = await pays.reserve(ACME, ASKED, (run, session))
        except BudgetExhausted as error:
            return error
        await asyncio.sleep(0)
        await pays.charge(payment, Used(20, 5, 40))
        return None

    errors = [error for error in await asyncio.gather(*(request() for _ in range(16))) if error]
    assert {(error.period, error.unit) for error in errors} == {("session", "tokens")}
    assert len(errors) == 16 - 300 // ASKED.tokens
    assert (run.input_tokens, run.output_tokens, run.nano_usd) == (140, 35, 280)
    assert session.tokens == 175


async def test_the_error_says_which_budget_and_what_is_used_up() -> None:
    pays = billing()
    with pytest.raises(BudgetExhausted, match=r"model budget of this run is used up \(cents\)"):
        await pays.reserve(ACME, ASKED, (SpendLimit("run", max_nano_usd=49),))
    with pytest.raises(BudgetExhausted, match=r"model budget of this session is used up \(tokens\)"):
        await pays.reserve(ACME, ASKED, (SpendLimit("session", max_tokens=45, input_tokens=6),))
    await pays.reserve(
        ACME, ASKED, (SpendLimit("run", max_nano_usd=50), SpendLimit("session", max_tokens=45, input_tokens=5))
    )


async def test_where_one_limit_does_not_pay_none_of_them_is_charged() -> None:
    meter, run = SpendLimit("all"), SpendLimit("run", max_tokens=0)
    with pytest.raises(BudgetExhausted):
        await billing().reserve(ACME, ASKED, (meter, run))
    assert meter.tokens == run.tokens == 0
    with pytest.raises(BudgetExhausted, match="this day"):
        await billing(Ledger(limit=49)).reserve(ACME, ASKED, (meter,))
    away = Ledger(limit=50)
    away.is_away = True
    with pytest.raises(EmbeddingUnavailable, match=str(StorageUnavailable())):
        await billing(away).reserve(ACME, ASKED, (meter,))
    assert meter == SpendLimit("all")
    ledger = Ledger(limit=50)
    await billing(ledger).reserve(ACME, ASKED, (meter,))
    assert (meter.tokens, meter.nano_usd, ledger.spent) == (40, 50, 50)


async def test_a_refund_gives_everything_back_and_what_nobody_settles_stays() -> None:
    run, pays = SpendLimit("run", max_nano_usd=100), billing()
    await pays.refund(await pays.reserve(ACME, ASKED, (run,)))
    assert run == SpendLimit("run", max_nano_usd=100)
    await pays.reserve(ACME, ASKED, (run,))
    await pays.reserve(ACME, ASKED, (run,))
    with pytest.raises(BudgetExhausted):
        await pays.reserve(ACME, ASKED, (run,))
    assert run.nano_usd == 100
    assert Used(0, 0, 0) == NOTHING
