"""Models: none yet."""
