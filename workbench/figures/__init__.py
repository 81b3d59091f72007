"""Figures for people: points, bars and scenes; the model gets one line."""
