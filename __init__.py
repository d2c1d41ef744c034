"""Two-player line and territory games as Gymnasium environments, with classical-search opponents."""
