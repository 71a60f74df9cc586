"""A key that leaves the machine unencrypted is told."""

from __future__ import annotations

import warnings

import pytest

from camillo_client import Camillo, KeyUnprotected, Tls
from camillo_client.target import stays_here


@pytest.mark.parametrize(
    "address",
    [
        *("localhost:7070", "localhost", "dns:///localhost:7070", "dns:localhost:7070"),
        *("127.0.0.1:7070", "127.9.9.9", "[::1]:7070", "::1", "ipv6:[::1]:7070"),
        *("ipv4:127.0.0.1:1,127.0.0.2:2", "unix:/run/camillo.sock", "camillo.localhost:80"),
    ],
)
def test_what_goes_to_this_machine_stays_here(address: str) -> None:
    assert stays_here(address)


@pytest.mark.parametrize(
    "address",
    [
        *("camillo.example:7070", "camillo", "10.0.0.1:7070", "[2001:db8::1]:7070", "0.0.0.0:7070"),
        *("dns:///camillo.example:7070", "dns://127.0.0.1/camillo.example:7070"),
        *("dns:///camillo.example#/localhost", "dns:///camillo.example?/localhost:7070"),
        *("ipv4:127.0.0.1:1,10.0.0.1:2", "localhost.example:7070", "127.0.0.1.example:7070"),
    ],
)
def test_what_goes_elsewhere_does_not(address: str) -> None:
    assert not stays_here(address)


def test_a_key_is_told_where_it_would_be_read_on_the_way() -> None:
    secret = "cam_" + "s" * 20
    with pytest.warns(KeyUnprotected, match=r"camillo\.example") as told:
        Camillo.connect("camillo.example:7070", key=secret).close()
    assert secret not in str(told[0].message)
    # The warning names the caller's line, so that each is told once.
    assert told[0].filename == __file__


def test_nothing_is_told_of_what_is_protected() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Camillo.connect("camillo.example:7070", key="k", tls=Tls()).close()
        Camillo.connect("camillo.example:7070", key="").close()
        Camillo.connect("localhost:7070", key="k").close()
