"""Configs: their parts, and the files that hold them."""
