"""Spoof in a terminal: everything that touches the world round `protocol`."""
