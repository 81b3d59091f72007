"""Formats: one file a format; each turns bytes into tables and says what it did."""
