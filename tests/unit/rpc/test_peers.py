"""Addresses of peers, by which callers without a credential are counted."""

from camillo_server.doors.rpc.open_calls import address_of

from tests.cases import each_case


@each_case(
    ("peer", "address"),
    [
        ("ipv4:10.0.0.1:50412", "10.0.0.1"),
        ("ipv6:%5B::1%5D:50412", "::/64"),
        ("ipv6:[2001:db8:1:2:3:4:5:6]:1", "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:2::9%5D:2", "2001:db8:1:2::/64"),
        ("ipv6:%5B::ffff:10.0.0.1%5D:3", "10.0.0.1"),
        ("ipv6:%5Bfe80::1%25eth0%5D:4", "fe80::/64"),
        ("unix:/run/camillo.sock", "unix"),
        ("unix:", "unix"),
    ],
)
def test_connections_of_one_machine_or_site_have_one_address(peer: str, address: str) -> None:
    assert address_of(peer) == address
