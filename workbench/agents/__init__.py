"""Agents: one Markdown file each."""
