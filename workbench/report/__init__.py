"""A run as a report that recomputes its numbers with no model: notebook, page, Markdown, archive.

Everything in it comes from what the run left; nothing is asked of a model. Text from data, models
and ledgers stays text: code cells are written by ``repr``, words are escaped.
"""
