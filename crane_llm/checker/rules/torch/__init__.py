"""Rules: torch."""
