"""Where a number in an answer comes from: claims, what follows from them, and what has none."""
