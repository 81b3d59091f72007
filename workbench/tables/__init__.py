"""Tables: snapshots, typed columns and the locked connection."""
