"""Slots as files that an agent can list, search and read with the tools it has; `Camillo.mirror` keeps them."""

from camillo_client.mirror.changes import MirrorStep as MirrorStep
from camillo_client.mirror.directory import Forgotten as Forgotten
from camillo_client.mirror.directory import Hidden as Hidden
from camillo_client.mirror.directory import MirrorError as MirrorError
from camillo_client.mirror.directory import Repairs as Repairs
from camillo_client.mirror.envelope import Envelope as Envelope
