"""Workbench: ask questions of exploration data; raw rows never reach the model."""

from __future__ import annotations

__version__ = "0.1.0"
