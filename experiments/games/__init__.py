"""One game: its task, playing it, and the log that keeps it."""
