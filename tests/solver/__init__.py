"""Solves the game of two: the tables that `spoof_tui/bots/heads_up.py` plays by come from here."""
