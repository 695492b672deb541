"""Rules: python."""
