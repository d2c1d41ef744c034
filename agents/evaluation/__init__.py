"""Static evaluations: a position in, one integer out, from the side to move's view."""
