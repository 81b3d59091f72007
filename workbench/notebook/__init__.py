"""Notebook: magics, widget and result object."""
