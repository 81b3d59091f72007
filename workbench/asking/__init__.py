"""From a question to its run: settings, the desk that answers tool calls, children at work."""
