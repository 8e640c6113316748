"""Spoof in a terminal: everything that connects `protocol` to the outside world."""
