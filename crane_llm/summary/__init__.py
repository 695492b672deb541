"""The summary of the variables that a cell uses: what the model and the person need to know, at a cost that does not grow."""

from .summary import Summary, summarize_cell

__all__ = ["Summary", "summarize_cell"]
