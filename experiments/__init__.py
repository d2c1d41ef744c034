"""Experiments from configs: the only room that reads configs, writes files, starts processes and sets seeds."""
