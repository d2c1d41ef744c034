"""The search, the same text for every game."""
