"""One game: what is to be played, playing it, and the log that keeps it."""
