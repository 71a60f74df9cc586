"""Keyword arguments for bundles."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any, TypeAlias, TypedDict, Unpack

from camillo.v1.context_pb2 import Turn
from camillo.v1.recall_pb2 import LinkMode, SpeechMode, TimeMode
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.convert import TimeModeName, reject_unknown, to_enum, to_timestamp
from camillo_client.freshness import FreshnessLike, SpaceLike, to_freshness, to_spaces
from camillo_client.queries import LinkModeName, SpeechModeName
from camillo_client.time_zone import local_time_zone

# A pair is the speaker and what was said.
TurnLike: TypeAlias = Turn | tuple[str, str]


class BundleOptions(TypedDict, total=False):
    """Options of every kind of bundle."""

    # At most so many tokens; default: the recipe's.
    max_tokens: int | None
    # Where it will be shown; default: private.
    channel: ChannelLike | None
    # Build it as of this time: the same request at the same revision gives the same bytes. Default: now.
    as_of: datetime.datetime | None
    # Report on every candidate.
    explain: bool
    # Default: at least as fresh as this client's own writes.
    freshness: FreshnessLike | None
    # Other spaces to read as one with the client's own, such as "projects/shop": up to 7, each at least as fresh as
    # this client's own writes.
    spaces: Iterable[SpaceLike] | None
    # How a time that the text names counts; default: `prefer` what happened then, or names it.
    time_mode: TimeModeName | TimeMode
    # Time zone in which the days of the query begin and end, such as "Europe/Madrid"; default: the machine's.
    time_zone: str
    # Whether items linked with the best finds are found, too; default: `follow`.
    link_mode: LinkModeName | LinkMode
    # How the speaker counts, and whether a text asks or tells; default: `prefer`.
    speech_mode: SpeechModeName | SpeechMode


def bundle_values(**options: Unpack[BundleOptions]) -> dict[str, Any]:
    """The options as fields of any of the three requests."""
    reject_unknown(options, BundleOptions.__optional_keys__, "a bundle")
    as_of = options.get("as_of")
    return {
        "max_tokens": options.get("max_tokens"),
        "channel": to_channel(options.get("channel")),
        "as_of": None if as_of is None else to_timestamp(as_of, "as_of"),
        "explain": options.get("explain", False),
        "freshness": to_freshness(options.get("freshness")),
        "spaces": to_spaces(options.get("spaces") or ()),
        "time_mode": to_enum(TimeMode, options.get("time_mode", 0)),
        "time_zone": options["time_zone"] if "time_zone" in options else local_time_zone(),
        "link_mode": to_enum(LinkMode, options.get("link_mode", 0)),
        "speech_mode": to_enum(SpeechMode, options.get("speech_mode", 0)),
    }


def to_turns(turns: Iterable[TurnLike]) -> list[Turn]:
    """The turns of a conversation, oldest first."""
    return [turn if isinstance(turn, Turn) else Turn(speaker=turn[0], text=turn[1]) for turn in turns]
