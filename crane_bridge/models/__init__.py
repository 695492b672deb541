"""Asking a model over an OpenAI-compatible endpoint.

`ask` is the one way in. How a request is put lies in `chat` and `responses`, what an endpoint turned out to support in
`abilities`, the words for each failure in `faults`.
"""

from .call import Request, ask, list_models, try_key
from .faults import ModelFault

__all__ = ["ModelFault", "Request", "ask", "list_models", "try_key"]
