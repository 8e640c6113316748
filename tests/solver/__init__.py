"""Solves the game of two: what `spoof_tui/bots/heads_up.py` plays by is computed here."""
