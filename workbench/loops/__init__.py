"""The pieces of the agent loop: turns, budgets, stops and how a loop finishes."""
