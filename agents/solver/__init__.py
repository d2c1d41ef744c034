"""Exact play: solvers that search whole games."""
