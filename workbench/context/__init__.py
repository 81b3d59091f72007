"""What a model reads: blocks, how each is made, cut, packed and counted."""
