"""A run's output in a terminal."""
