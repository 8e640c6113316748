"""Bare programs to measure against, each run as its own process."""
