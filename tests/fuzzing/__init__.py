"""Fuzzing: what comes from outside, mutated towards lines that no input reached before."""
