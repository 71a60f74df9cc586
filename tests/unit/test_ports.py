"""Ports of the tests are never given twice: whoever had one may still be asked for by others."""

from tests.ports import HIGHEST, LOWEST, free_port, ports_of_worker


def test_workers_of_a_run_share_all_even_ports_and_have_none_in_common() -> None:
    given = [
        port
        for worker in ("gw0", "gw1", "gw2")
        for port in ports_of_worker({"PYTEST_XDIST_WORKER": worker, "PYTEST_XDIST_WORKER_COUNT": "3"})
    ]
    assert sorted(given) == list(range(LOWEST, HIGHEST, 2))


def test_one_process_alone_has_all_even_ports() -> None:
    assert sorted(ports_of_worker({})) == list(range(LOWEST, HIGHEST, 2))


def test_no_port_is_given_twice_nor_the_one_after_it() -> None:
    given = [free_port() for _ in range(300)]
    assert len({port + worker for port in given for worker in (0, 1)}) == 2 * len(given)
