"""Bounds of what a stamp looks at, shared by its readers."""

SAMPLE = 32
"""Elements looked at in a container or an array."""
MOST_COLUMNS = 2000
"""Column labels kept of a frame, for saying which ones a cell removed."""
MOST_KEYS = 100
"""Keys kept of a dictionary, and columns whose dtype is kept of a frame."""
MOST_PLACES = 64
"""Columns of a frame whose values are sampled."""
MOST_VISITS = 160
"""Objects visited for one stamp."""
DEEPEST = 4
"""Levels of nesting followed."""
LONGEST_TEXT = 256
"""Characters; longer text is told apart by identity."""
