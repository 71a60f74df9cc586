"""A memory block of LlamaIndex over Camillo."""

from camillo_llama_index.block import CamilloMemoryBlock as CamilloMemoryBlock

__all__ = ["CamilloMemoryBlock"]
