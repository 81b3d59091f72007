"""Forty questions with checkable answers, put to any model: ``workbench score``."""
