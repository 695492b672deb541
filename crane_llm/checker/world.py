"""What is known of the world outside the namespace: files, random generators, library settings."""

from __future__ import annotations


class World:
    """Each flag is True while nothing unknown may have changed that part of the world."""

    def __init__(self) -> None:
        self.files = True
        self.imports = True
        self.environment = True
        self.random = True
        self.drawn = 0  # calls so far that drew from a random generator
        self.unsettled: set[str] = set()  # libraries whose global configuration may differ from what it is now

    def disturb(self) -> None:
        """Something was called that we know nothing of."""
        self.files = self.imports = self.environment = self.random = False

    def unsettle(self, library: str) -> None:
        """A library's global settings may have changed."""
        self.unsettled.add(library)
