"""Configs: the parts they are made of, and files in which they stand."""
