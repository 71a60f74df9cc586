"""Sessions of the OpenAI Agents SDK over Camillo: what was said in a conversation, as events of a space."""

from camillo_openai_agents.items import ItemTooLarge as ItemTooLarge
from camillo_openai_agents.session import CamilloSession as CamilloSession

__all__ = ["CamilloSession", "ItemTooLarge"]
