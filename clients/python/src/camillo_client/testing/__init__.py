"""For tests of agents: a server whose clock is moved, and a model that says what a test tells it to.

The fixtures of pytest are in `camillo_pytest`."""

from camillo_client.testing.model import ScriptedModel as ScriptedModel
from camillo_client.testing.model import scripted_model as scripted_model
from camillo_client.testing.server import Clock as Clock
from camillo_client.testing.server import ServerForTests as ServerForTests
from camillo_client.testing.server import server_for_tests as server_for_tests
from camillo_client.testing.streams import Call as Call
from camillo_client.testing.streams import Say as Say
