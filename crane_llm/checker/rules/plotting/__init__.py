"""Rules: plotting."""
