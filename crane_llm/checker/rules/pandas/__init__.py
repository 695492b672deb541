"""Rules: pandas."""
