"""Models: one file a provider, all speaking one protocol."""
