"""Runs that have ended, read back: found, shown in full, traced, replayed and verified."""
