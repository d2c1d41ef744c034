"""How a position looks: pixels, and the window."""
