"""Tools: one file a tool or close family; a tool is one function."""
