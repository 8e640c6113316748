"""Bare programs to measure against, each run as a process of its own."""
