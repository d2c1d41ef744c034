"""What a run says in a terminal."""
