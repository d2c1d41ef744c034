"""Scores, ratings and tests, from numbers alone."""
