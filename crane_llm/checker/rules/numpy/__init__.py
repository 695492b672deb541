"""Rules: numpy."""
