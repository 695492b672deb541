"""The guard (being written)."""
from __future__ import annotations


def is_on(shell):
    return False


def is_armed(shell):
    return False


def switch(shell, on):
    return None


def disarm(shell):
    return None
