"""Rules: others."""
