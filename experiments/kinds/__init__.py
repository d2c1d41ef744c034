"""The kinds of experiment."""
