"""Rules: sklearn."""
