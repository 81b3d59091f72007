"""Child processes: how one is started, spoken with, watched and ended."""
